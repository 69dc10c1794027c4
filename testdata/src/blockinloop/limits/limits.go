// Package limits pins what is not found, and what is reported though it is
// right.
package limits

import (
	"net/http"

	"blockinloop/thirdparty/wrap"

	"github.com/nats-io/nats.go"
)

// The select stands in a function that the loop calls: a round is not seen to
// come again.
type server struct {
	jobs, other chan string
	client      *http.Client
	quit        chan struct{}
}

func (s *server) MISS_loopAroundAStep() {
	for s.step() {
	}
}

func (s *server) step() bool {
	select {
	case j := <-s.jobs:
		s.client.Get(j)
	case <-s.other:
	}
	return true
}

// What the handlers in a table do is not known if it comes as a parameter.
func (s *server) MISS_table(handlers map[string]func(string)) {
	for {
		select {
		case j := <-s.jobs:
			handlers[j](j)
		case <-s.other:
		}
	}
}

func (s *server) table() map[string]func(string) {
	return map[string]func(string){"get": func(j string) { s.client.Get(j) }}
}

// The kinds of event are told apart by a value, and none keeps what only this
// goroutine may touch: such loops are workers more often than not.
type event struct {
	kind int
	url  string
}

func (s *server) MISS_switchOnValue(events <-chan event) {
	for e := range events {
		switch e.kind {
		case 1:
			s.client.Get(e.url)
		case 2:
			println(e.url)
		}
	}
}

// The peer is in this process and answers at once, which nothing says.
func (s *server) FP_quickPeer() {
	n := 0
	for {
		select {
		case <-s.jobs:
			s.client.Get("http://127.0.0.1:1/") // want `an outbound call`
		case <-s.other:
			n++
		}
	}
}

// The function is made in another package, which does not know where it will run.
func MISS_madeElsewhere(nc *nats.Conn) { nc.Subscribe("a", wrap.Handler()) }

// The first select is left only when a request has come, and its handling ends in
// the second: that some are late for it, as they are for any worker, is not told
// from a loop that serves them.
func (s *server) MISS_inTurn() {
	n := 0
	for {
		select {
		case j := <-s.jobs:
			s.client.Get(j)
		case <-s.quit:
			return
		}
		select {
		case <-s.other:
			n++
		case <-s.quit:
			return
		}
	}
}
