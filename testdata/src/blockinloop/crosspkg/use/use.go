// Package use has loops that wait in other packages.
package use

import (
	"context"

	"blockinloop/crosspkg/dep"
	"blockinloop/crosspkg/mid"
)

type server struct {
	jobs, other chan string
	urls        []string
	n           int
}

func (s *server) runBad() {
	for {
		select {
		case <-s.jobs:
			s.refresh() // want `an outbound call \(http\.Get via \(\*server\)\.refresh, mid\.Refresh, dep\.Fetch\) in an event loop, which also serves s\.other`
		case <-s.other:
			s.n++
		}
	}
}

func (s *server) refresh() { mid.Refresh(s.urls) }

func (s *server) pauseBad(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		default:
			dep.Pause() // want `a sleep \(time\.Sleep via dep\.Pause\) in a loop that ends with ctx\.Done\(\)`
		}
	}
}

func (s *server) quickOk() {
	for {
		select {
		case <-s.jobs:
			dep.Quick()
		case <-s.other:
			go mid.Refresh(s.urls)
		}
	}
}

// Somebody in the other package holds the lock while he asks a peer.
func (s *server) lockBad(r *dep.Registry) {
	for {
		select {
		case j := <-s.jobs:
			r.Put(j) // want `a wait for a lock \(\(\*sync\.Mutex\)\.Lock via \(\*dep\.Registry\)\.Put\), held by \(\*Registry\)\.Refresh across http\.Get, in an event loop, which also serves s\.other`
		case <-s.other:
			s.n++
		}
	}
}

func (s *server) lockOk(c *dep.Counter) {
	for {
		select {
		case <-s.jobs:
			c.Add()
		case <-s.other:
			s.n++
		}
	}
}
