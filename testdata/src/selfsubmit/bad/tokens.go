package bad

import (
	"context"
	"sync"

	"golang.org/x/sync/semaphore"
)

type store struct{ slots *semaphore.Weighted }

type snapshot struct{ s *store }

func newStore() *store { return &store{slots: semaphore.NewWeighted(8)} }

func (s *store) open(ctx context.Context) (*snapshot, error) {
	if err := s.slots.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	return &snapshot{s: s}, nil
}

func (p *snapshot) close() { p.s.slots.Release(1) }

func (s *store) count(ctx context.Context) (int, error) {
	p, err := s.open(ctx)
	if err != nil {
		return 0, err
	}
	defer p.close()
	return 1, nil
}

func (s *store) secondBad(ctx context.Context) (int, error) {
	p, err := s.open(ctx)
	if err != nil {
		return 0, err
	}
	defer p.close()
	return s.count(ctx) // want `a slot of s.slots is held \(taken at line \d+\) while .*Acquire via .*count.* waits for a second one: with 8 slots, 8 callers at once each hold one and wait for ever .*token-nested`
}

type limiter struct{ sem chan struct{} }

func newLimiter() *limiter { return &limiter{sem: make(chan struct{}, 4)} }

func (l *limiter) outerBad() {
	l.sem <- struct{}{}
	defer func() { <-l.sem }()
	l.inner() // want `a slot of l.sem is held .* with 4 slots, 4 callers .*token-nested`
}

func (l *limiter) inner() {
	l.sem <- struct{}{}
	<-l.sem
}

// The goroutine has the slot that its starter took, and needs another one.
type tree struct {
	sem chan struct{}
	wg  sync.WaitGroup
	sub func(string) []string
}

func (t *tree) handedOverBad(dir string) {
	for _, s := range t.sub(dir) {
		t.sem <- struct{}{}
		t.wg.Add(1)
		go func() {
			defer t.wg.Done()
			defer func() { <-t.sem }()
			t.handedOverBad(s) // want `a slot of t.sem is held .*token-nested`
		}()
	}
}

// What takes a slot and gives it back leaves the caller's slot alone.
func (l *limiter) loopBad(ids []int) {
	l.sem <- struct{}{}
	defer func() { <-l.sem }()
	for range ids {
		l.inner() // want `a slot of l.sem is held .*token-nested`
	}
}
