// Package notify tells others what happens to orders: browsers that watch the
// shop, and customers by webhook.
package notify

import "sync"

// An Event is a change of one order.
type Event struct {
	Order int64  `json:"order"`
	State string `json:"state"`
}

// A Hub hands every event to all who subscribed.
type Hub struct {
	mu   sync.Mutex
	next int
	subs map[int]chan Event
}

// NewHub returns a hub without subscribers.
func NewHub() *Hub {
	return &Hub{subs: make(map[int]chan Event)}
}

// Subscribe returns a channel of events, which is closed by cancel.
func (h *Hub) Subscribe() (events <-chan Event, cancel func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	id, ch := h.next, make(chan Event, 16)
	h.next++
	h.subs[id] = ch
	return ch, func() { h.remove(id) }
}

func (h *Hub) remove(id int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if ch, ok := h.subs[id]; ok {
		delete(h.subs, id)
		close(ch)
	}
}

// Publish hands an event to every subscriber.
func (h *Hub) Publish(e Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, ch := range h.subs {
		deliver(ch, e)
	}
}

func deliver(ch chan<- Event, e Event) {
	ch <- e
}
