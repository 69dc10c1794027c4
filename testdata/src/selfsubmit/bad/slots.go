package bad

import (
	"context"
	"sync"

	"golang.org/x/sync/semaphore"
)

// A pool by hand, behind an interface with one implementation in sight.
type spawner interface{ Spawn(job func()) }

type boundedSpawner struct{ room chan struct{} }

func (b *boundedSpawner) Spawn(job func()) {
	b.room <- struct{}{}
	go func() {
		defer func() { <-b.room }()
		job()
	}()
}

type copier struct {
	by   spawner
	list func(string) []string
}

func newCopier(list func(string) []string) *copier {
	return &copier{by: &boundedSpawner{room: make(chan struct{}, 12)}, list: list}
}

func (c *copier) copyTree(dir string) {
	for _, d := range c.list(dir) {
		c.by.Spawn(func() { c.copyTree(d) }) // want `task of .*room \(line \d+\) → send on .*room via \(\*boundedSpawner\).Spawn → waits until a task of .* ends: 12 tasks .*pool-submit`
	}
}

// The same with a semaphore, and a helper between.
type weighted struct {
	sem *semaphore.Weighted
	wg  sync.WaitGroup
}

func newWeighted() *weighted { return &weighted{sem: semaphore.NewWeighted(5)} }

func (w *weighted) start(ctx context.Context, job func(context.Context)) error {
	if err := w.sem.Acquire(ctx, 1); err != nil {
		return err
	}
	w.wg.Go(func() {
		defer w.sem.Release(1)
		job(ctx)
	})
	return nil
}

func (w *weighted) startBad(ctx context.Context, job func(context.Context)) {
	_ = w.start(ctx, func(ctx context.Context) {
		_ = w.start(ctx, job) // want `task of w.sem .*Acquire via \(\*weighted\).start → waits until a task of w.sem ends: 5 tasks .*pool-submit`
	})
}

// The wait keeps the slot that the goroutines need.
type sizer struct {
	slots *semaphore.Weighted
	under func(string) []string
}

func newSizer() *sizer { return &sizer{slots: semaphore.NewWeighted(9)} }

func (s *sizer) sizeBad(ctx context.Context, dir string) {
	if s.slots.Acquire(ctx, 1) != nil {
		return
	}
	defer s.slots.Release(1)
	var wg sync.WaitGroup
	for _, d := range s.under(dir) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			s.sizeBad(ctx, d)
		}()
	}
	wg.Wait() // want `a slot of s.slots is held \(taken at line \d+\) while \(\*sync.WaitGroup\).Wait waits for goroutines \(line \d+\) that need one, too: when all 9 slots .*token-nested`
}

// Results that only the goroutines bring.
type summer struct {
	gate  chan struct{}
	under func(int) []int
}

func newSummer() *summer { return &summer{gate: make(chan struct{}, 2)} }

func (s *summer) sumBad(n int) int {
	s.gate <- struct{}{}
	defer func() { <-s.gate }()
	parts := s.under(n)
	out := make(chan int)
	for _, p := range parts {
		go func() { out <- s.sumBad(p) }()
	}
	total := n
	for range parts {
		total += <-out // want `a slot of s.gate is held .* while receive from out waits for goroutines .* when all 2 slots .*token-nested`
	}
	return total
}
