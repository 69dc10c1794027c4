// Package beside has calls that a goroutine, or a pool of the runtime module, can
// make beside the loop.
package beside

import (
	"log"
	"net/http"
	"sync"
	"time"
)

type server struct {
	client *http.Client
	jobs   chan string
	other  chan string
	names  map[string]bool
	n      int
}

func (s *server) notify(j string) error {
	_, err := s.client.Get("http://peer.example/" + j)
	return err
}

// The next job is not received before the call has returned: nothing is lost, and
// who sends waits as before.
func (s *server) oneJudge() {
	for {
		select {
		case j := <-s.jobs:
			s.notify(j) // want `an outbound call .* in an event loop`
		case <-s.other:
			s.n++
		}
	}
}

// All that is done with the result moves, too.
func (s *server) errorJudge(stop <-chan struct{}) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
loop:
	for {
		select {
		case <-tick.C:
			// Only who is there is asked.
			if err := s.notify("tick"); err != nil { // want `an outbound call .* in an event loop`
				log.Print(err) // never mind
			}

		// What comes from elsewhere.
		case name := <-s.other:
			s.names[name] = true
		case <-stop:
			break loop
		}
	}
	log.Print("end")
}

// The parameter is the source.
func (s *server) paramJudge(jobs <-chan string) {
	for {
		select {
		case j, ok := <-jobs:
			if !ok {
				return
			}
			_ = s.notify(j) // want `an outbound call .* in an event loop`
		case <-s.other:
			s.n++
		}
	}
}

// The second call of a function does without: the names are taken.
func (s *server) twiceJudge(stop <-chan struct{}) {
	for s.n == 0 {
		select {
		case j := <-s.jobs:
			s.notify(j) // want `an outbound call .* in an event loop`
		case <-s.other:
			s.n++
		}
	}
	for {
		select {
		case j := <-s.jobs:
			s.notify(j) // want `an outbound call .* in an event loop`
		case <-s.other:
			s.n++
		}
	}
}

// More follows.
func (s *server) moreJudge() {
	for {
		select {
		case j := <-s.jobs:
			s.notify("more") // want `an outbound call .* in an event loop`
			log.Print(j)
		case <-s.other:
			s.n++
		}
	}
}

// There are several calls for one event.
func (s *server) allJudge() {
	for {
		select {
		case j := <-s.jobs:
			for name := range s.names {
				if err := s.notify(name + j); err != nil { // want `an outbound call .* in an event loop`
					log.Print(err)
				}
			}
		case name := <-s.other:
			s.names[name] = true
		}
	}
}

// The name next is taken, and so is pool.
func (s *server) namesJudge(next, pool chan string) {
	for {
		select {
		case j := <-next:
			s.notify(j) // want `an outbound call .* in an event loop`
		case <-pool:
			s.n++
		}
	}
}

// The channel is another one later: only the operands of the call are safe.
func (s *server) changesJudge(jobs chan string) {
	last := ""
	for {
		select {
		case last = <-jobs:
			s.notify(last) // want `an outbound call .* in an event loop`
		case <-s.other:
			jobs = make(chan string)
		}
	}
}

// What the call changes is its own, or behind a lock; what is sent stays in order,
// since there is one call at a time.
type guarded struct {
	client *http.Client
	jobs   chan string
	other  chan string
	mu     sync.Mutex
	last   string
	asked  int
	n      int
}

func (g *guarded) tell(j string) {
	g.client.Post("http://peer.example/"+j, "", nil)
	g.remember(j)
	g.asked++
}

func (g *guarded) remember(j string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.last = j
}

func (g *guarded) latest() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.last
}

func (g *guarded) orderJudge() {
	for {
		select {
		case j := <-g.jobs:
			g.tell(j) // want `an outbound call .* in an event loop`
		case j := <-g.other:
			if j == g.latest() {
				g.n++
			}
		}
	}
}
