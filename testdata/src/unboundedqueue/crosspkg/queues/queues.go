// Package queues has queues of other packages in its fields.
package queues

import (
	"sync"

	"unboundedqueue/crosspkg/fifo"
)

type server struct {
	mu      sync.Mutex
	pending fifo.Queue[string]
	events  *fifo.List
	few     fifo.Limited
	locked  fifo.Locked
	checked fifo.Queue[string]
	seen    map[string]bool
	once    fifo.Queue[string]
	calls   fifo.Queue[chan error]
}

func (s *server) EnqueueBad(v string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pending.Push(v)           // want `the fifo\.Queue pending is a queue without a limit: \(\*server\)\.EnqueueBad adds to it, \(\*server\)\.next takes from it.*slice-queue`
	s.events.Add("queued " + v) // want `the fifo\.List events is a queue without a limit.*list-queue`
}

func (s *server) next() (string, any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v, _ := s.pending.Pop()
	return v, s.events.Next()
}

func (s *server) EnqueueOk(v string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.checked.Len() >= 1000 {
		return false
	}
	s.checked.Push(v)
	s.few.Push(v)
	s.locked.Push(v)
	return true
}

func (s *server) onceOk(v string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.seen[v] {
		s.seen[v] = true
		s.once.Push(v)
	}
}

func (s *server) nextOk() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.checked.Pop()
	s.few.Pop()
	s.locked.Pop()
	s.once.Pop()
}

// The callers wait themselves.
func (s *server) callOk() error {
	done := make(chan error, 1)
	s.mu.Lock()
	s.calls.Push(done)
	s.mu.Unlock()
	return <-done
}

func (s *server) answer() {
	s.mu.Lock()
	done, _ := s.calls.Pop()
	s.mu.Unlock()
	done <- nil
}

// Nobody else is there: it lives as long as the call.
type walk struct{ todo fifo.Queue[string] }

func (w *walk) addOk(v string) { w.todo.Push(v) }

func (w *walk) runOk() {
	for w.todo.Len() > 0 {
		v, _ := w.todo.Pop()
		w.addOk(v)
	}
}
