// Package limits pins what selfsubmit does not see, with the reasons.
package limits

import (
	"sync"

	"golang.org/x/sync/errgroup"
)

// A Run method that is called through an interface of several types is not
// followed: which of them the group belongs to is not known.
type step interface{ run(g *errgroup.Group) }

type one struct{}
type two struct{ next step }

func (one) run(*errgroup.Group) {}
func (t two) run(g *errgroup.Group) {
	g.Go(func() error { t.next.run(g); return nil })
}

func interfaceMissed(s step) error {
	var g errgroup.Group
	g.SetLimit(2)
	g.Go(func() error { s.run(&g); return nil })
	return g.Wait()
}

// Two names of one group: the struct's field is set from a variable that is
// assigned twice, so that the paths differ.
type holder struct{ g *errgroup.Group }

func twoNamesMissed(h *holder, other bool, do func() error) {
	g := new(errgroup.Group)
	if other {
		g = new(errgroup.Group)
	}
	g.SetLimit(2)
	h.g = g
	g.Go(func() error {
		h.g.Go(do)
		return nil
	})
}

// Handlers that are copied under the lock before they are called: what is in a
// copied slice has no path.
type bus struct {
	mu       sync.Mutex
	events   chan string
	handlers []func(string)
}

func (b *bus) run() {
	for e := range b.events {
		b.mu.Lock()
		list := append([]func(string){}, b.handlers...)
		b.mu.Unlock()
		for _, h := range list {
			h(e)
		}
	}
}

func (b *bus) Subscribe(h func(string)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.handlers = append(b.handlers, h)
}

func (b *bus) Publish(e string) { b.events <- e }

func copiedHandlerMissed(b *bus) {
	b.Subscribe(func(e string) { b.Publish(e) })
}

// Objects with a method: which object is received, is not known, so that the
// channel of the object's own field has no path.
type runnable interface{ Run() }

type pool struct{ in chan runnable }

func (p *pool) loop() {
	for r := range p.in {
		r.Run()
	}
}

type task struct{ p *pool }

func (t *task) Run() { t.p.objectMissed() }

func (p *pool) objectMissed() { p.in <- &task{p} }
