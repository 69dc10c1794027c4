package ok

import (
	"iter"
	"net/http"
)

type chatRooms struct {
	join, leave chan *guest
	say         chan string
	members     map[*guest]bool
}

type guest struct {
	room string
	url  string
	out  chan string
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

// The body of the inner loop never waits, or starts what does.
func (h *chatRooms) loopOk() {
	for {
		select {
		case m := <-h.join:
			h.members[m] = true
		case m := <-h.leave:
			delete(h.members, m)
		case room := <-h.say:
			for m := range h.in(room) {
				select {
				case m.out <- room:
				default:
				}
				go http.Get(m.url)
			}
		}
	}
}

// No loop serves anybody here.
func (h *chatRooms) oneLoopOk(room string) {
	for m := range h.in(room) {
		http.Get(m.url)
	}
}
