package bad

import (
	"iter"
	"net/http"
	"time"
)

// The body of a loop over an iterator function is a part of the loop around it.

type chatRooms struct {
	join, leave chan *guest
	say         chan string
	members     map[*guest]bool
	done        chan struct{}
}

type guest struct {
	room string
	url  string
}

func (h *chatRooms) in(room string) iter.Seq[*guest] {
	return func(yield func(*guest) bool) {
		for m := range h.members {
			if m.room == room && !yield(m) {
				return
			}
		}
	}
}

func (h *chatRooms) bodyBad() {
	for {
		select {
		case m := <-h.join:
			h.members[m] = true
		case m := <-h.leave:
			delete(h.members, m)
		case room := <-h.say:
			for m := range h.in(room) {
				http.Get(m.url) // want `^an outbound call \(http\.Get\) in an event loop, which also serves h\.join and h\.leave: they are late meanwhile \[blockinloop/event-loop\]$`
			}
		}
	}
}

func (h *chatRooms) tell(room string) {
	for m := range h.in(room) {
		http.Get(m.url)
	}
}

func (h *chatRooms) helperBad() {
	for {
		select {
		case m := <-h.join:
			h.members[m] = true
		case m := <-h.leave:
			delete(h.members, m)
		case room := <-h.say:
			h.tell(room) // want `an outbound call \(http\.Get via \(\*chatRooms\)\.tell\) in an event loop`
		}
	}
}

func (h *chatRooms) sleepBad(rooms iter.Seq[string]) {
	for {
		select {
		case <-h.done:
			return
		case m := <-h.join:
			h.members[m] = true
			for range rooms {
				time.Sleep(time.Second) // want `a sleep .* in a loop that ends with h\.done`
			}
		}
	}
}
