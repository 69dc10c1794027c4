package audit

import (
	"net/http"
	"os"
)

type stream struct{ dir string }

// Something is cleaned up in the background for each thing that ends.
func (s *stream) remove() { go os.RemoveAll(s.dir) }

func removeAudit(streams []*stream) {
	for _, s := range streams {
		s.remove() // want `go-per-item`
	}
}

// Far away from the loop, the list is seldom the reason.
func (s *stream) report() { go http.Get(s.dir) }
func (s *stream) finish() { s.report() }

func finishAudit(list []*stream) {
	for _, s := range list {
		s.finish() // want `go-per-item`
	}
}

// Each round does as much itself.
func (s *stream) note() { go http.Get("https://peer.example/" + s.dir) }

func uploadsAudit(list []*stream) {
	for _, s := range list {
		if os.WriteFile(s.dir, nil, 0o600) != nil {
			return
		}
		s.note() // want `every element of list .*go-per-item`
	}
}
