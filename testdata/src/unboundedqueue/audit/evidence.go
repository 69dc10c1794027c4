package audit

import (
	"container/list"
	"io"
	"net"
	"net/http"
	"os"
	"sync"
	"time"
)

// It is not seen that the load decides: the channel is the program's own.
type observer struct {
	events chan string
	stop   chan struct{}
}

func (o *observer) runAudit() {
	for {
		select {
		case e := <-o.events:
			go get(e) // want `go-per-item`
		case <-o.stop:
			return
		}
	}
}

func (o *observer) appended() <-chan string { return o.events }

func (o *observer) methodAudit() {
	for e := range o.appended() {
		go get(e) // want `go-per-item`
	}
}

// All who call it hand it a channel of the program.
func (o *observer) listen(in <-chan string) {
	for e := range in {
		go get(e) // want `go-per-item`
	}
}

func (o *observer) start() { go o.listen(o.appended()) }

// It runs beside the receive, not for what is received.
func besideAudit(in <-chan string, c net.Conn) {
	timer := time.NewTimer(time.Second)
	for {
		go c.Write([]byte("report")) // want `go-per-item`
		select {
		case <-in:
		case <-timer.C:
			return
		}
	}
}

// One for each address, as long as it lasts.
type session struct {
	addr   string
	closed bool
}

func newSession(addr string) *session {
	s := &session{addr: addr}
	go func() {
		time.Sleep(time.Minute)
		get(addr)
	}()
	return s
}

func perKeyAudit(pc *net.UDPConn) {
	sessions := make(map[string]*session)
	for {
		b := make([]byte, 1500)
		_, addr, err := pc.ReadFromUDP(b)
		if err != nil {
			return
		}
		s, ok := sessions[addr.String()]
		if !ok || s.closed {
			s = newSession(addr.String()) // want `go-per-item`
			sessions[addr.String()] = s
		}
	}
}

// The sockets, and the members of a group, are there already.
func socketsAudit(conns []*net.UDPConn) {
	for _, c := range conns {
		go func() { // want `go-per-item`
			c.Write([]byte("x"))
			get("http://peer")
		}()
	}
}

func gossipAudit(recipients []string) {
	for _, r := range recipients {
		go get(r) // want `go-per-item`
	}
}

// Push never blocks its caller, whatever the other side does.
func (q *eventLog) Push(e string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.events = append(q.events, e) // want `slice-queue`
}

type eventLog struct {
	mu     sync.Mutex
	events []string
}

func (q *eventLog) Pop() string {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.events) == 0 {
		return ""
	}
	e := q.events[0]
	q.events = q.events[1:]
	return e
}

type unboundedQueue struct {
	mu    sync.Mutex
	items []string
}

func (q *unboundedQueue) Push(e string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.items = append(q.items, e) // want `slice-queue`
}

func (q *unboundedQueue) Pop() string {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.items) == 0 {
		return ""
	}
	e := q.items[0]
	q.items = q.items[1:]
	return e
}

// What has been sent waits for its answer.
type pipelined struct {
	mu      sync.Mutex
	reqSent *list.List
	conn    net.Conn
}

func (p *pipelined) track(req []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.reqSent.PushBack(req) // want `list-queue`
}

func (p *pipelined) answered() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if e := p.reqSent.Front(); e != nil {
		p.reqSent.Remove(e)
	}
}

// It grows as fast as files are written.
type walSegments struct {
	mu    sync.Mutex
	files []string
}

func openSegments(name string) *walSegments {
	s := &walSegments{}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.files = append(s.files, name)
	return s
}

func (s *walSegments) cut() error {
	name, b := "segment", []byte("header")
	if err := os.WriteFile(name, b, 0o600); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.files = append(s.files, name) // want `slice-queue`
	return nil
}

func (s *walSegments) release() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.files) == 0 {
		return ""
	}
	name := s.files[0]
	s.files = s.files[1:]
	return name
}

// Each round works for as long itself, after it has started one.
func signOff(url string) { go get(url) }

func endAllAudit(sessions []string) {
	for _, s := range sessions {
		signOff(s) // want `go-per-item`
		if err := os.Remove(s); err != nil {
			return
		}
	}
}

// Operators change what is there.
func bulkDeleteAudit(w http.ResponseWriter, r *http.Request) {
	ids, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	w.WriteHeader(http.StatusAccepted)
	go get(string(ids)) // want `go-per-item`
}

func deleteAllAudit(urls []string) {
	for _, u := range urls {
		go get(u) // want `go-per-item`
	}
}
