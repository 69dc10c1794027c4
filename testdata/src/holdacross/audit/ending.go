package audit

import (
	"context"
	"net"
	"net/http"
	"sync"
	"time"
)

// Goroutines that have been told to end are as good as gone: the wait is short
// unless one of them needs the lock.
type services struct {
	mu     sync.Mutex
	wg     sync.WaitGroup
	cancel context.CancelFunc
	quit   chan struct{}
	ended  chan struct{}
	jobs   map[string]int
	srv    *http.Server
}

func (s *services) cancelFirstAudit() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.jobs["n"]++
	s.cancel()
	s.wg.Wait() // want `s\.mu .* is held across a wait for other goroutines`
}

func (s *services) closeFirstAudit() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.jobs["n"]++
	close(s.quit)
	<-s.ended // want `s\.mu .* is held across a channel receive`
}

func (s *services) use(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.jobs[k]++
}

// Who wants the lock of something that stops wants what is about to be gone.
func (s *services) StopAudit() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.jobs = nil
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	s.srv.Shutdown(ctx) // want `s\.mu .* is held across a wait for other goroutines`
}

// A lock that fills what it guards at the start of the program.
var (
	cacheMu sync.Mutex
	cache   = map[string]int{}
)

func InitCacheAudit() {
	cacheMu.Lock()
	defer cacheMu.Unlock()
	http.Get(peer) // want `cacheMu .* is held across an outbound call`
	cache["a"] = 1
}

func cached(k string) int {
	cacheMu.Lock()
	defer cacheMu.Unlock()
	return cache[k]
}

// A channel that a call hands out: who fills it is not known.
type alerts struct {
	mu   sync.RWMutex
	seen map[string]bool
}

type source interface{ Next() <-chan string }

func (a *alerts) listAudit(src source) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for name := range src.Next() { // want `a\.mu .* is held across a channel receive`
		a.seen[name] = true
	}
}

// A lock named after what its holder does.
type subscriber struct {
	sending sync.Mutex
	out     chan int
	closing chan struct{}
}

func (s *subscriber) sendAudit(n int) {
	s.sending.Lock()
	defer s.sending.Unlock()
	select { // want `s\.sending .* is held across a select`
	case s.out <- n:
	case <-s.closing:
	}
}

// A lock beside a wait group is there for whoever waits, and guards no data.
type workers struct {
	running     sync.WaitGroup
	runningLock sync.Mutex
}

func (w *workers) add() {
	w.runningLock.Lock()
	w.running.Add(1)
	w.runningLock.Unlock()
}

func (w *workers) waitAudit() {
	w.runningLock.Lock()
	defer w.runningLock.Unlock()
	w.running.Wait() // want `w\.runningLock .* is held across a wait for other goroutines`
}

// A deadline on the connection bounds what is read from it.
type greeter struct {
	mu    sync.Mutex
	conn  net.Conn
	names map[string]bool
}

func (s *greeter) greetAudit(name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.names[name] = true
	if err := s.conn.SetDeadline(time.Now().Add(5 * time.Second)); err != nil {
		return err
	}
	_, err := s.conn.Write([]byte(name)) // want `s\.mu .* is held across an outbound call`
	return err
}

// Nobody else has the object before it has started.
func (s *greeter) start() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.names["start"] = true
	http.Get(peer) // want `s\.mu .* is held across an outbound call`
}

// The last value, in a channel that is always made with room for one.
type loop struct {
	mu     sync.Mutex
	quit   chan int
	closed bool
}

func newLoop() *loop { return &loop{quit: make(chan int, 1)} }

func (l *loop) run() {
	l.mu.Lock()
	l.closed = false
	l.mu.Unlock()
	<-l.quit
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
}

func (l *loop) CloseAudit() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return
	}
	l.closed = true
	l.quit <- 1 // want `l\.mu .* is held across a channel send`
}
