// Package dep has pools that other packages use.
package dep

import (
	"context"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"
)

// Workers run functions.
type Workers struct{ tasks chan func() }

func New(n int) *Workers {
	w := &Workers{tasks: make(chan func(), 4)}
	for range n {
		go w.loop()
	}
	return w
}

func (w *Workers) loop() {
	for f := range w.tasks {
		f()
	}
}

// Submit waits for room.
func (w *Workers) Submit(f func()) { w.tasks <- f }

// TrySubmit does not.
func (w *Workers) TrySubmit(f func()) bool {
	select {
	case w.tasks <- f:
		return true
	default:
		return false
	}
}

// Bus calls its handlers one after the other.
type Bus struct {
	events   chan string
	handlers map[string][]func(string)
}

func (b *Bus) Run() {
	for e := range b.events {
		b.dispatch(e)
	}
}

func (b *Bus) dispatch(e string) {
	for _, h := range b.handlers[e] {
		h(e)
	}
}

func (b *Bus) Subscribe(topic string, h func(string)) {
	b.handlers[topic] = append(b.handlers[topic], h)
}

func (b *Bus) Publish(e string) { b.events <- e }

// Spawn adds a task to a group.
func Spawn(g *errgroup.Group, f func() error) { g.Go(f) }

// Limited is a group that starts at most n goroutines.
func Limited(n int) *errgroup.Group {
	g := new(errgroup.Group)
	g.SetLimit(n)
	return g
}

// DB has few slots.
type DB struct{ slots *semaphore.Weighted }

type Tx struct{ DB *DB }

func (d *DB) Begin(ctx context.Context) (*Tx, error) {
	if err := d.slots.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	return &Tx{d}, nil
}

func (t *Tx) Rollback() { t.DB.slots.Release(1) }

// Spawner is a pool by hand: as many goroutines as it has slots.
type Spawner struct {
	slots chan struct{}
	sem   *semaphore.Weighted
}

func NewSpawner() *Spawner {
	return &Spawner{slots: make(chan struct{}, 3), sem: semaphore.NewWeighted(3)}
}

// Go waits for a slot.
func (s *Spawner) Go(f func()) {
	s.slots <- struct{}{}
	go func() {
		defer func() { <-s.slots }()
		f()
	}()
}

// GoContext does so until ctx ends.
func (s *Spawner) GoContext(ctx context.Context, f func()) error {
	if err := s.sem.Acquire(ctx, 1); err != nil {
		return err
	}
	go func() {
		defer s.sem.Release(1)
		f()
	}()
	return nil
}

// Early gives the slot back before it calls f.
func (s *Spawner) Early(f func()) {
	s.slots <- struct{}{}
	go func() {
		<-s.slots
		f()
	}()
}
