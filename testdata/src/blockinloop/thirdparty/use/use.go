// Package use gives functions to a loop in all the ways there are: as a method
// value, in a field, from a maker, through a variable, by a wrapper in another
// package.
package use

import (
	"io"
	"iter"
	"net/http"
	"time"

	"blockinloop/thirdparty/wrap"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
	"gioui.org/app"
	tea "github.com/charmbracelet/bubbletea"
	mqtt "github.com/eclipse/paho.mqtt.golang"
	"github.com/gorilla/websocket"
	"github.com/hajimehoshi/ebiten/v2"
	"github.com/hashicorp/raft"
	"github.com/nats-io/nats.go"
	"github.com/panjf2000/gnet/v2"
	"github.com/tidwall/evio"
	etcdraft "go.etcd.io/raft/v3"
	"k8s.io/client-go/tools/cache"
)

type worker struct {
	wrap.Base
	in chan []byte
}

func (w *worker) msgBad(*nats.Msg) {
	wrap.Pause() // want `a sleep \(time\.Sleep via wrap\.Pause\) in a function that runs on the goroutine of the nats subscription`
}

func (w *worker) objBad(any) {
	w.Reload() // want `an outbound call .* on the goroutine that delivers the events of the informer`
}

func (w *worker) tapBad() {
	w.Reload() // want `an outbound call .* on the fyne main goroutine`
}

func (w *worker) dataBad(in []byte) []byte {
	w.Reload() // want `an outbound call .* on the evio event loop`
	return in
}

func (w *worker) topicBad(mqtt.Client, mqtt.Message) {
	w.Reload() // want `an outbound call .* on the goroutine that routes mqtt messages`
}

func (w *worker) queueOk(in []byte) {
	select {
	case w.in <- in:
	default:
	}
}

func (w *worker) tapOk() { go w.Reload() }

func methodValues(w *worker, nc *nats.Conn, mq mqtt.Client, inf cache.SharedIndexInformer, e *evio.Events) fyne.CanvasObject {
	nc.QueueSubscribe("a", "q", w.msgBad)
	mq.AddRoute("a/#", w.topicBad)
	funcs := cache.ResourceEventHandlerFuncs{}
	funcs.AddFunc = w.objBad
	inf.AddEventHandler(funcs)
	widget.NewButton("ok", w.tapOk)
	return widget.NewButton("load", w.tapBad)
}

// Functions that a maker returns.
func makerBad(w *worker) nats.MsgHandler {
	return func(*nats.Msg) {
		time.Sleep(time.Second) // want `a sleep .* on the goroutine of the nats subscription`
	}
}

func namedMakerBad(w *worker) func(mqtt.Client, mqtt.Message) {
	h := func(mqtt.Client, mqtt.Message) {
		w.Reload() // want `an outbound call .* on the goroutine that routes mqtt messages`
	}
	return h
}

func (w *worker) funcsBad() cache.ResourceEventHandlerFuncs {
	return cache.ResourceEventHandlerFuncs{
		DeleteFunc: func(any) {
			w.Reload() // want `an outbound call .* on the goroutine that delivers the events of the informer`
		},
	}
}

func (w *worker) makeTapBad() func() {
	return func() {
		w.Reload() // want `an outbound call .* on the fyne main goroutine`
	}
}

func makerOk(w *worker) nats.MsgHandler {
	return func(m *nats.Msg) { w.queueOk(m.Data) }
}

func makers(w *worker, nc *nats.Conn, mq mqtt.Client, inf cache.SharedIndexInformer) *widget.Button {
	nc.Subscribe("a", makerBad(w))
	nc.Subscribe("b", makerOk(w))
	mq.Subscribe("a/#", 1, namedMakerBad(w))
	inf.AddEventHandler(w.funcsBad())
	return &widget.Button{OnTapped: w.makeTapBad()}
}

// A variable, and one that is called through another literal.
func variablesBad(w *worker, nc *nats.Conn) {
	h := func(*nats.Msg) {
		time.Sleep(time.Second) // want `a sleep .* on the goroutine of the nats subscription`
	}
	nc.Subscribe("a", h)
	work := func([]byte) {
		time.Sleep(time.Second)
	}
	nc.Subscribe("b", func(m *nats.Msg) {
		work(m.Data) // want `a sleep .* on the goroutine of the nats subscription`
	})
}

// Wrappers in another package.
func wrappersBad(w *worker, bus *wrap.Bus, mq mqtt.Client, inf cache.SharedIndexInformer) {
	bus.On("a", func(*nats.Msg) {
		time.Sleep(time.Second) // want `a sleep .* on the goroutine of the nats subscription`
	})
	bus.OnData("a", func([]byte) {
		time.Sleep(time.Second) // want `a sleep .* on the goroutine of the nats subscription`
	})
	wrap.Added(inf, func(any) {
		w.Reload() // want `an outbound call .* on the goroutine that delivers the events of the informer`
	})
	wrap.Changed(inf, w.changedBad)
	wrap.Topic(mq, "a/#", func(mqtt.Client, mqtt.Message) {
		w.Reload() // want `an outbound call .* on the goroutine that routes mqtt messages`
	})
	wrap.Data(w.dataBad)
	wrap.Do(func() {
		w.Reload() // want `an outbound call .* on the fyne main goroutine`
	})
}

func (w *worker) changedBad(any) {
	w.Reload() // want `an outbound call .* on the goroutine that delivers the events of the informer`
}

func wrappedButtonsBad(w *worker) []*widget.Button {
	return []*widget.Button{
		wrap.Button("load", func() {
			w.Reload() // want `an outbound call .* on the fyne main goroutine`
		}),
		wrap.Tapped("load", w.wrappedTapBad),
	}
}

func (w *worker) wrappedTapBad() {
	w.Reload() // want `an outbound call .* on the fyne main goroutine`
}

func wrappersOk(w *worker, bus *wrap.Bus, inf cache.SharedIndexInformer) {
	bus.OnLater("a", func([]byte) { time.Sleep(time.Second) })
	bus.OnData("a", w.queueOk)
	wrap.Added(inf, func(any) { go w.Reload() })
	wrap.Button("load", w.tapOk)
}

// A wrapper in this package.
func subscribe(nc *nats.Conn, f func([]byte)) {
	nc.Subscribe("a", func(m *nats.Msg) { f(m.Data) })
}

func ownWrapperBad(nc *nats.Conn) {
	subscribe(nc, func([]byte) {
		time.Sleep(time.Second) // want `a sleep .* on the goroutine of the nats subscription`
	})
}

// Methods of an interface, whose work is done in another package.
type screenBad struct{ w *worker }

func (s screenBad) Init() tea.Cmd { return nil }

func (s screenBad) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	s.w.Reload() // want `an outbound call \(\(\*http\.Client\)\.Get via \(\*wrap\.Base\)\.Reload, Fetch\) in a function that runs on the bubbletea event loop`
	return s, nil
}

func (s screenBad) View() string { return "" }

// A part of a screen is no model of its own; its parent calls it.
type partBad struct{ w *worker }

func (p partBad) Update(tea.Msg) (partBad, tea.Cmd) {
	p.w.Reload()
	return p, nil
}

type parentBad struct{ part partBad }

func (p parentBad) Init() tea.Cmd { return nil }

func (p parentBad) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	var cmd tea.Cmd
	p.part, cmd = p.part.Update(msg) // want `an outbound call .* via partBad\.Update, .* on the bubbletea event loop`
	return p, cmd
}

func (p parentBad) View() string { return "" }

type screenOk struct{ w *worker }

func (s screenOk) Init() tea.Cmd { return s.load }

func (s screenOk) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	return s, func() tea.Msg { wrap.Pause(); return nil }
}

func (s screenOk) View() string { return "" }

func (s screenOk) load() tea.Msg {
	s.w.Reload()
	return nil
}

type trafficBad struct {
	gnet.BuiltinEventEngine
	w *worker
}

func (t *trafficBad) OnTraffic(gnet.Conn) gnet.Action {
	t.w.Reload() // want `an outbound call .* on the gnet event loop`
	return gnet.None
}

type trafficOk struct {
	gnet.BuiltinEventEngine
	w *worker
}

func (t *trafficOk) OnTraffic(gnet.Conn) gnet.Action {
	t.w.queueOk(nil)
	return gnet.None
}

type gameBad struct{ w *worker }

func (g *gameBad) Update() error              { return nil }
func (g *gameBad) Layout(w, h int) (int, int) { return w, h }

func (g *gameBad) Draw(*ebiten.Image) {
	wrap.Pause() // want `a sleep .* on the game loop`
}

func frameBad(win *app.Window, w *worker) {
	for {
		switch win.Event().(type) {
		case app.DestroyEvent:
			return
		case app.FrameEvent:
			w.Reload() // want `an outbound call .* on the gio window loop`
		}
	}
}

type machineBad struct{ w *worker }

func (m *machineBad) Apply(*raft.Log) any {
	m.w.Reload() // want `an outbound call .* on the goroutine that applies the raft log`
	return nil
}

func (m *machineBad) Snapshot() (raft.FSMSnapshot, error) { return nil, nil }
func (m *machineBad) Restore(io.ReadCloser) error         { return nil }

type machineOk struct{ w *worker }

func (m *machineOk) Apply(l *raft.Log) any {
	m.w.queueOk(l.Data)
	return nil
}

func (m *machineOk) Snapshot() (raft.FSMSnapshot, error) { return nil, nil }
func (m *machineOk) Restore(io.ReadCloser) error         { return nil }

// The node is a field, and the wait two calls away.
type nodeBad struct {
	node  etcdraft.Node
	stats chan chan int
	w     *worker
}

func (n *nodeBad) run(stop <-chan struct{}) {
	for {
		select {
		case <-n.node.Ready():
			n.ready() // want `an outbound call .* in an event loop, which also serves n\.stats`
			n.node.Advance()
		case reply := <-n.stats:
			reply <- 1
		case <-stop:
			return
		}
	}
}

func (n *nodeBad) ready() { n.w.Reload() }

// A hub that writes to its clients itself.
type hub struct {
	clients    map[*websocket.Conn]bool
	register   chan *websocket.Conn
	unregister chan *websocket.Conn
	broadcast  chan []byte
}

func (h *hub) runBad() {
	for {
		select {
		case c := <-h.register:
			h.clients[c] = true
		case c := <-h.unregister:
			delete(h.clients, c)
		case m := <-h.broadcast:
			for c := range h.clients {
				c.WriteMessage(websocket.TextMessage, m) // want `an outbound call .* in an event loop, which also serves h\.register and h\.unregister`
			}
		}
	}
}

// The same, over an iterator.
type rooms struct {
	members map[*websocket.Conn]string
	join    chan *websocket.Conn
	say     chan string
}

func (r *rooms) in(room string) iter.Seq[*websocket.Conn] {
	return func(yield func(*websocket.Conn) bool) {
		for c, name := range r.members {
			if name == room && !yield(c) {
				return
			}
		}
	}
}

func (r *rooms) runBad() {
	for {
		select {
		case c := <-r.join:
			r.members[c] = ""
		case s := <-r.say:
			for c := range r.in(s) {
				if err := c.WriteMessage(websocket.TextMessage, []byte(s)); err != nil { // want `an outbound call .* in an event loop, which also serves r\.join`
					delete(r.members, c)
				}
			}
		}
	}
}

// Each client has a goroutine that writes, and a channel to it.
type client struct{ send chan []byte }

type goodHub struct {
	clients    map[*client]bool
	register   chan *client
	unregister chan *client
	broadcast  chan []byte
}

func (h *goodHub) runOk() {
	for {
		select {
		case c := <-h.register:
			h.clients[c] = true
		case c := <-h.unregister:
			delete(h.clients, c)
			close(c.send)
		case m := <-h.broadcast:
			for c := range h.clients {
				select {
				case c.send <- m:
				default:
					close(c.send)
					delete(h.clients, c)
				}
			}
		}
	}
}

var _ = http.DefaultClient
