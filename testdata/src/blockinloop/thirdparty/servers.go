package thirdparty

import (
	"context"
	"database/sql"
	"io"
	"net"
	"net/http"
	"os"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"
	"github.com/hashicorp/raft"
	"github.com/nats-io/nats.go"
	"github.com/panjf2000/gnet/v2"
	"github.com/tidwall/evio"
	etcdraft "go.etcd.io/raft/v3"
	"k8s.io/client-go/tools/cache"
)

// A handler of gnet stops all connections of its loop.
type echoBad struct {
	gnet.BuiltinEventEngine
	db *sql.DB
}

func (s *echoBad) OnTraffic(c gnet.Conn) gnet.Action {
	s.db.Exec("INSERT INTO log VALUES (1)") // want `a database call .* on the gnet event loop`
	return gnet.None
}

func (s *echoBad) OnOpen(c gnet.Conn) ([]byte, gnet.Action) {
	net.LookupAddr("192.0.2.1") // want `a name lookup .* on the gnet event loop`
	return nil, gnet.None
}

func (s *echoBad) OnClose(gnet.Conn, error) gnet.Action { return gnet.None }

func (s *echoBad) OnTick() (time.Duration, gnet.Action) {
	s.db.Exec("DELETE FROM log")
	return time.Second, gnet.None
}

type echoOk struct {
	gnet.BuiltinEventEngine
	work chan []byte
	db   *sql.DB
}

func (s *echoOk) OnTraffic(c gnet.Conn) gnet.Action {
	select {
	case s.work <- nil:
	default:
	}
	return gnet.None
}

func (s *echoOk) run() {
	for range s.work {
		s.db.Exec("INSERT INTO log VALUES (1)")
	}
}

func evioBad(c *http.Client) evio.Events {
	var events evio.Events
	events.Data = func(evio.Conn, []byte) ([]byte, evio.Action) {
		c.Get("http://peer.example/") // want `an outbound call .* on the evio event loop`
		return nil, evio.None
	}
	return events
}

func evioOk(c *http.Client) evio.Events {
	return evio.Events{Data: func(_ evio.Conn, in []byte) ([]byte, evio.Action) {
		go c.Get("http://peer.example/")
		return in, evio.None
	}}
}

// A state machine must not ask anybody, and may write.
type fsmBad struct{ client *http.Client }

func (f *fsmBad) Apply(l *raft.Log) any {
	f.client.Get("http://peer.example/") // want `an outbound call .* on the goroutine that applies the raft log`
	return nil
}

func (f *fsmBad) Snapshot() (raft.FSMSnapshot, error) {
	time.Sleep(time.Second) // want `a sleep .* on the goroutine that applies the raft log`
	return nil, nil
}

func (f *fsmBad) Restore(r io.ReadCloser) error {
	f.client.Get("http://peer.example/")
	return nil
}

type fsmOk struct {
	db  *sql.DB
	log *os.File
}

func (f *fsmOk) Apply(l *raft.Log) any {
	_, err := f.db.Exec(string(l.Data))
	f.log.Sync()
	return err
}

func (f *fsmOk) Snapshot() (raft.FSMSnapshot, error) { return nil, nil }

func (f *fsmOk) Restore(r io.ReadCloser) error { return nil }

// What is made durable in the ready loop has to be; the peers are another matter.
type nodeBad struct {
	node  etcdraft.Node
	peers map[uint64]chan int
	wal   *os.File
	stats chan chan int
}

func (n *nodeBad) run(tick *time.Ticker, stop <-chan struct{}) {
	for {
		select {
		case <-tick.C:
			n.node.Tick()
		case <-n.node.Ready():
			n.wal.Sync()
			for _, p := range n.peers {
				p <- 1 // want `a send .* in an event loop, which also serves ticks of tick and n\.stats`
			}
			n.node.Advance()
		case reply := <-n.stats:
			reply <- len(n.peers)
		case <-stop:
			return
		}
	}
}

type nodeOk struct {
	node  etcdraft.Node
	peers map[uint64]chan int
	wal   *os.File
	stats chan chan int
}

func (n *nodeOk) run(tick *time.Ticker, stop <-chan struct{}) {
	for {
		select {
		case <-tick.C:
			n.node.Tick()
		case <-n.node.Ready():
			n.wal.Sync()
			for _, p := range n.peers {
				select {
				case p <- 1:
				default:
				}
			}
			n.node.Advance()
		case reply := <-n.stats:
			reply <- len(n.peers)
		case <-stop:
			return
		}
	}
}

// An informer runs its handlers one after the other.
func informerBad(inf cache.SharedIndexInformer, c *http.Client) {
	inf.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(any) {
			c.Get("http://peer.example/") // want `an outbound call .* on the goroutine that delivers the events of the informer`
		},
		DeleteFunc: (&controller{c: c}).removed,
	})
}

type controller struct {
	c     *http.Client
	queue chan any
}

func (c *controller) removed(any) {
	time.Sleep(time.Second) // want `a sleep .* on the goroutine that delivers the events of the informer`
}

type handlerBad struct{ c *http.Client }

func (h *handlerBad) OnAdd(any, bool) {
	h.c.Get("http://peer.example/") // want `an outbound call .* on the goroutine that delivers`
}
func (h *handlerBad) OnUpdate(any, any) {}
func (h *handlerBad) OnDelete(any)      {}

func informerOk(inf cache.SharedIndexInformer, c *controller) {
	inf.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: c.enqueue})
	go c.run()
}

func (c *controller) enqueue(obj any) {
	select {
	case c.queue <- obj:
	default:
	}
}

func (c *controller) run() {
	for range c.queue {
		c.c.Get("http://peer.example/")
	}
}

// A handler of paho that waits for an acknowledgement waits for itself.
func mqttBad(c mqtt.Client, opts *mqtt.ClientOptions) {
	c.Subscribe("a/#", 1, func(c mqtt.Client, m mqtt.Message) {
		c.Publish("b", 1, false, m.Payload()).Wait() // want `an outbound call \(\(mqtt\.Token\)\.Wait\) in a function that runs on the goroutine that routes mqtt messages`
	})
	opts.SetDefaultPublishHandler(func(mqtt.Client, mqtt.Message) {
		time.Sleep(time.Second) // want `a sleep .* on the goroutine that routes mqtt messages`
	})
}

func mqttOk(c mqtt.Client, db *sql.DB) {
	c.Subscribe("a/#", 1, func(c mqtt.Client, m mqtt.Message) {
		c.Publish("b", 1, false, m.Payload())
		go c.Publish("c", 1, false, m.Payload()).Wait()
		db.Exec("INSERT INTO m VALUES (?)", m.Payload())
	}).Wait()
}

// A subscription of nats has a goroutine, which it blocks; to do the work there
// is usual.
func natsBad(nc *nats.Conn) {
	nc.Subscribe("a", func(*nats.Msg) {
		time.Sleep(time.Second) // want `a sleep .* on the goroutine of the nats subscription`
	})
}

func natsOk(nc *nats.Conn, db *sql.DB) {
	nc.Subscribe("a", func(m *nats.Msg) {
		db.Exec("INSERT INTO m VALUES (?)", m.Data)
	})
}

// The server of the standard library calls it before it accepts the next.
func contextBad(h http.Handler) *http.Server {
	return &http.Server{Handler: h, ConnContext: func(ctx context.Context, c net.Conn) context.Context {
		net.LookupAddr(c.RemoteAddr().String()) // want `a name lookup .* on the accept loop of the server`
		return ctx
	}}
}

func contextOk(h http.Handler) *http.Server {
	return &http.Server{Handler: h, ConnContext: func(ctx context.Context, c net.Conn) context.Context {
		return context.WithValue(ctx, "addr", c.RemoteAddr().String())
	}}
}
