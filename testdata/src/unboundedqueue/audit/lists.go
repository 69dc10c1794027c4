package audit

import (
	"context"
	"net/http"
	"os"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"
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

// Each takes a slot before it asks: the list may be long, the work is limited.
func slotsInGroup(ctx context.Context, urls []string) error {
	sem := semaphore.NewWeighted(4)
	g, ctx := errgroup.WithContext(ctx)
	for _, url := range urls {
		g.Go(func() error { // want `errgroup-nolimit`
			if err := sem.Acquire(ctx, 1); err != nil {
				return err
			}
			defer sem.Release(1)
			get(url)
			return nil
		})
	}
	return g.Wait()
}

// Which of two lists of the configuration it is, the caller says.
type policy struct{ first, last []stream }

func (p *policy) submit(first bool) {
	logs := p.last
	if first {
		logs = p.first
	}
	for _, l := range logs {
		go func() { // want `go-per-item`
			http.Get(l.dir)
		}()
	}
}

// The caller has loaded them to work on each.
func recheck(list []*stream) []error {
	results := make(chan error, len(list))
	for _, s := range list {
		go func() { // want `go-per-item`
			_, err := http.Get(s.dir)
			results <- err
		}()
	}
	errs := make([]error, len(list))
	for i := range list {
		errs[i] = <-results
	}
	return errs
}

// They are told that it stops, whichever list they are on.
func shutdown(first, last []string, all bool) {
	hosts := first
	if all {
		hosts = last
	}
	for _, h := range hosts {
		go http.Get(h) // want `go-per-item`
	}
}
