// Package bad has waits in loops that many depend on.
package bad

import (
	"context"
	"database/sql"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"sync"
	"time"
)

type server struct {
	client  *http.Client
	db      *sql.DB
	wal     *os.File
	jobs    chan string
	results chan int
	stats   chan chan int
	subs    map[string]chan string
	done    chan struct{}
	n       int
}

// Every kind of wait, in a loop that serves others, too.
func (s *server) callBad(stop <-chan struct{}) {
	tick := time.NewTicker(time.Minute)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			resp, err := s.client.Get("http://peer.example/") // want `^an outbound call \(\(\*http\.Client\)\.Get\) in an event loop, which also serves s\.jobs: it is late meanwhile \[blockinloop/event-loop\]$`
			if err != nil {
				continue
			}
			io.Copy(io.Discard, resp.Body) // one finding is enough for a call and its answer
			resp.Body.Close()
		case j := <-s.jobs:
			s.n += len(j)
		case <-stop:
			return
		}
	}
}

func (s *server) databaseBad(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case j := <-s.jobs:
			s.db.ExecContext(ctx, "INSERT INTO jobs VALUES (?)", j) // want `a database call .* in an event loop, which also serves s\.stats`
		case reply := <-s.stats:
			reply <- s.n
		}
	}
}

func (s *server) fsyncBad() {
	for {
		select {
		case j := <-s.jobs:
			s.wal.WriteString(j)
			s.wal.Sync() // want `a flush to disk .* in an event loop, which also serves s\.stats`
		case reply := <-s.stats:
			reply <- s.n
		}
	}
}

func (s *server) processBad() {
	for {
		select {
		case j := <-s.jobs:
			exec.Command("convert", j).Run() // want `a wait for another process .* in an event loop, which also serves s\.results`
		case r := <-s.results:
			s.n += r
		}
	}
}

func (s *server) sleepBad() {
	for {
		select {
		case <-s.jobs:
			time.Sleep(time.Second) // want `a sleep .* in an event loop, which also serves s\.results`
		case r := <-s.results:
			s.n += r
		}
	}
}

// A name may take as long as its slowest server.
func (s *server) lookupBad(names []string) {
	for {
		select {
		case <-s.jobs:
			for _, name := range names {
				net.LookupHost(name) // want `a name lookup .* in an event loop`
			}
		case r := <-s.results:
			s.n += r
		}
	}
}

func (s *server) groupBad(wg *sync.WaitGroup) {
	for {
		select {
		case <-s.jobs:
			wg.Wait() // want `a wait for other goroutines .* in an event loop`
		case r := <-s.results:
			s.n += r
		}
	}
}

// Through a helper that is far from the loop.
func (s *server) chainBad() {
	for {
		select {
		case j := <-s.jobs:
			s.handle(j) // want `an outbound call \(\(\*http\.Client\)\.Get via \(\*server\)\.handle, \(\*server\)\.notify\) in an event loop`
		case r := <-s.results:
			s.n += r
		}
	}
}

func (s *server) handle(j string) { s.notify(j) }

func (s *server) notify(j string) {
	resp, err := s.client.Get("http://peer.example/" + j)
	if err == nil {
		resp.Body.Close()
	}
}

// One subscriber who stops reading stops all.
func (s *server) publishBad(add <-chan chan string) {
	subs := map[chan string]bool{}
	for {
		select {
		case ch := <-add:
			subs[ch] = true
		case j := <-s.jobs:
			for ch := range subs {
				ch <- j // want `a send .* in an event loop, which also serves add`
			}
		}
	}
}

func (s *server) publishFieldBad(remove <-chan string) {
	for {
		select {
		case name := <-remove:
			delete(s.subs, name)
		case j := <-s.jobs:
			for _, ch := range s.subs {
				s.deliver(ch, j) // want `a send \(send on .*ch via \(\*server\)\.deliver\) in an event loop, which also serves remove`
			}
		}
	}
}

func (s *server) deliver(ch chan<- string, j string) { ch <- j }

// A hub in the form of the gorilla chat example, without its default case.
type hub struct {
	clients    map[*client]bool
	broadcast  chan []byte
	register   chan *client
	unregister chan *client
}

type client struct {
	hub  *hub
	send chan []byte
	conn net.Conn
}

func (h *hub) runBad() {
	for {
		select {
		case c := <-h.register:
			h.clients[c] = true
		case c := <-h.unregister:
			delete(h.clients, c)
			close(c.send)
		case m := <-h.broadcast:
			for c := range h.clients {
				c.send <- m // want `a send \(send on send\) in an event loop, which also serves h\.register and h\.unregister: they are late meanwhile`
			}
		}
	}
}

func (c *client) writePump() {
	for m := range c.send {
		c.conn.Write(m)
	}
}

// The reader of the channel is busy with something else.
type stage struct {
	in, extra chan int
	out       chan int
	db        *sql.DB
}

func (s *stage) runBad() {
	n := 0
	for {
		select {
		case v := <-s.in:
			s.out <- v // want `a send \(send on s\.out\) in an event loop, which also serves s\.extra`
		case v := <-s.extra:
			n += v
		}
	}
}

func (s *stage) store() {
	for v := range s.out {
		s.db.Exec("INSERT INTO t VALUES (?)", v)
	}
}

// The channel was kept from an earlier event.
func (s *server) laterBad() {
	var waiting []chan int
	for {
		select {
		case reply := <-s.stats:
			waiting = append(waiting, reply)
		case r := <-s.results:
			for _, reply := range waiting {
				reply <- r // want `a send .* in an event loop, which also serves s\.stats`
			}
		}
	}
}

// Several kinds of event come on one channel.
type (
	fetched struct{ url string }
	resized struct{ w, h int }
)

func dispatchBad(events <-chan any, client *http.Client) {
	w := 0
	for e := range events {
		switch e := e.(type) {
		case fetched:
			client.Get(e.url) // want `an outbound call .* in an event loop, which also serves resized`
		case resized:
			w += e.w
		}
	}
	println(w)
}

func dispatchSelectBad(events <-chan any, client *http.Client, stop <-chan struct{}) {
	w := 0
	for {
		select {
		case <-stop:
			return
		case e := <-events:
			switch e := e.(type) {
			case fetched:
				client.Get(e.url) // want `an outbound call .* in an event loop, which also serves resized`
			case resized:
				w += e.w
			}
		}
	}
}

// A literal that is called in place runs on the loop.
func (s *server) literalBad() {
	for {
		select {
		case j := <-s.jobs:
			func() { // want `an outbound call .* in an event loop`
				s.client.Get(j)
			}()
		case r := <-s.results:
			s.n += r
		}
	}
}

// The loop runs in a goroutine of its own, which is a literal.
func (s *server) startBad() {
	go func() {
		for {
			select {
			case j := <-s.jobs:
				s.client.Get(j) // want `an outbound call .* in an event loop`
			case r := <-s.results:
				s.n += r
			}
		}
	}()
}

// While it sleeps nobody is served, though it would have nothing to do.
func (s *server) idleBad() {
	for {
		select {
		case j := <-s.jobs:
			s.n += len(j)
		default:
			time.Sleep(time.Second) // want `a sleep .* in an event loop, which also serves s\.jobs`
		}
	}
}

// Somebody else holds the lock while he waits for a peer.
type registry struct {
	mu     sync.Mutex
	names  map[string]bool
	add    chan string
	remove chan string
	client *http.Client
}

func (r *registry) refresh() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.client.Get("http://peer.example/names")
}

func (r *registry) runBad() {
	for {
		select {
		case name := <-r.add:
			r.put(name) // want `a wait for a lock \(\(\*sync\.Mutex\)\.Lock via \(\*registry\)\.put\), held by \(\*registry\)\.refresh across an outbound call \(\(\*http\.Client\)\.Get\), in an event loop`
		case <-r.remove:
		}
	}
}

func (r *registry) put(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.names[name] = true
}

// A timer that runs in a goroutine of its own holds it, too.
type session struct {
	mu     sync.Mutex
	conn   net.Conn
	peers  *http.Client
	ticks  int
	events chan int
	queue  chan int
}

func (s *session) watch() {
	time.AfterFunc(time.Second, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.peers.Get("http://peer.example/ping")
	})
}

func (s *session) runBad() {
	for {
		select {
		case <-s.events:
			s.mu.Lock() // want `a wait for a lock .* in an event loop`
			s.ticks++
			s.mu.Unlock()
		case <-s.queue:
		}
	}
}

// A source that sets a timer is no tick if it is more than that.
func (s *server) resetBad(idle *time.Timer, every time.Duration, handle func(string)) {
	for {
		select {
		case j := <-s.jobs:
			handle(j)
			idle.Reset(every)
		case n := <-s.results:
			s.client.Get("http://peer.example/other") // want `an outbound call .* in an event loop, which also serves s\.jobs`
			s.n += n
		case <-idle.C:
			return
		}
	}
}
