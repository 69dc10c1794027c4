package bad

import (
	"io"
	"net/http"
	"sync"
)

// All is taken at once, but by somebody who is as slow as the peer.
type outbox struct {
	mu    sync.Mutex
	lines []string
	more  chan struct{}
}

func (o *outbox) addBad(s string) {
	o.mu.Lock()
	o.lines = append(o.lines, s) // want `the slice lines is a queue without a limit.*slice-queue`
	o.mu.Unlock()
}

func (o *outbox) swap() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	all := o.lines
	o.lines = nil
	return all
}

type subscriber struct {
	outbox
	w io.Writer
}

func (s *subscriber) write() {
	for range s.more {
		for _, line := range s.swap() {
			if _, err := s.w.Write([]byte(line)); err != nil {
				return
			}
		}
	}
}

// What could not be sent is put back.
type spans struct {
	mu   sync.Mutex
	kept []event
	post func([]event) error
}

func (s *spans) EndBad(e event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept = append(s.kept, e) // want `slice-queue`
}

func (s *spans) flush() {
	s.mu.Lock()
	batch := s.kept
	s.kept = make([]event, 0, len(batch))
	s.mu.Unlock()
	if s.post(batch) != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.kept = append(batch, s.kept...)
	}
}

type visits struct {
	mu   sync.Mutex
	urls []string
}

func (v *visits) NoteBad(url string) {
	v.mu.Lock()
	v.urls = append(v.urls, url) // want `slice-queue`
	v.mu.Unlock()
}

func (v *visits) send() {
	v.mu.Lock()
	batch := v.urls
	v.urls = v.urls[:0:0]
	v.mu.Unlock()
	for _, url := range batch {
		http.Get(url)
	}
}

// Goes on while the source is open.
func elasticBad[T any](in <-chan T, out chan<- T) {
	var held []T
	for len(held) > 0 || in != nil {
		var to chan<- T
		var first T
		if len(held) > 0 {
			to, first = out, held[0]
		}
		select {
		case v, ok := <-in:
			if !ok {
				in = nil
				break
			}
			held = append(held, v) // want `held keeps what cannot be sent yet.*infinite-chan`
		case to <- first:
			held = held[1:]
		}
	}
}

// One queue for each key.
type byTopic struct {
	mu     sync.Mutex
	events map[string][]event
}

func (b *byTopic) PublishBad(topic string, e event) {
	b.mu.Lock()
	b.events[topic] = append(b.events[topic], e) // want `the slice in events is a queue without a limit.*slice-queue`
	b.mu.Unlock()
}

func (b *byTopic) Next(topic string) (e event, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	list := b.events[topic]
	if len(list) == 0 {
		return e, false
	}
	b.events[topic] = list[1:]
	return list[0], true
}

// The loop of an object keeps it in a field.
type hub struct {
	in, out chan event
	backlog []event
}

func (h *hub) loopBad() {
	for {
		var out chan event
		var first event
		if len(h.backlog) > 0 {
			out, first = h.out, h.backlog[0]
		}
		select {
		case e := <-h.in:
			h.backlog = append(h.backlog, e) // want `backlog keeps what cannot be sent yet.*infinite-chan`
		case out <- first:
			h.backlog = h.backlog[1:]
		}
	}
}
