package bad

import (
	"net/http"
	"sync"
)

// Each of those who call it waits for something of his own.
type images struct {
	mu   sync.Mutex
	have map[string]*http.Response
}

func (s *images) GetBad(name string) (*http.Response, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r := s.have[name]; r != nil {
		return r, nil
	}
	r, err := http.Get(name) // want `s\.mu .* is held across an outbound call.*holdacross/lock-blocking`
	if err == nil {
		s.have[name] = r
	}
	return r, err
}

// A slow listener keeps the others waiting, though only this method takes the lock.
type audience struct {
	mu        sync.Mutex
	listeners []chan string
}

func (a *audience) tellBad(s string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, l := range a.listeners {
		l <- s // want `a\.mu .* is held across a channel send.*holdacross/lock-blocking`
	}
}

// The other constant comes to the wait.
type worker struct {
	mu      sync.Mutex
	n       int
	stopped chan struct{}
}

func (w *worker) count() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.n
}

func (w *worker) giveUpBad() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.leave(false) // want `w\.mu .* is held across a channel receive.*holdacross/lock-blocking`
}

func (w *worker) leave(now bool) {
	if !now {
		<-w.stopped
	}
	w.n = 0
}

// A method of what is embedded takes the same lock.
type core struct {
	mu sync.Mutex
	n  int
}

func (c *core) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.n
}

type shell struct{ core }

func (s *shell) loadBad() {
	s.mu.Lock()
	defer s.mu.Unlock()
	http.Get(peer) // want `s\.core\.mu .* is held across an outbound call.*holdacross/lock-blocking`
}

// Who asks for another key waits, although the only other function that takes the
// lock waits under it as well.
type prices struct {
	mu    sync.Mutex
	known map[string]*http.Response
	gone  chan string
}

func (p *prices) GetBad(key string) *http.Response {
	p.mu.Lock()
	defer p.mu.Unlock()
	if r := p.known[key]; r != nil {
		return r
	}
	r, _ := http.Get(key) // want `p\.mu .* is held across an outbound call.*holdacross/lock-blocking`
	p.known[key] = r
	return r
}

func (p *prices) drop(key string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.known, key)
	p.gone <- key
}
