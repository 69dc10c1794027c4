package thirdparty

import (
	"context"
	"sync"

	"github.com/concvet/concvet/runtime/sizing"
	"github.com/concvet/concvet/runtime/workpool"
)

type photos struct {
	mu   sync.Mutex
	pool *workpool.Pool
	n    int
}

func (s *photos) submitBad(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n++
	return s.pool.Submit(ctx, func(context.Context) {}) // want `lock-blocking`
}

func (s *photos) trySubmitOk() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n++
	return s.pool.TrySubmit(func(context.Context) {})
}

func (s *photos) waitBad(ctx context.Context, f *workpool.Future[int]) (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n, err = f.Wait(ctx) // want `lock-blocking`
	return err
}

func (s *photos) goBad(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, err := workpool.Go(ctx, s.pool, func(context.Context) (int, error) { return 0, nil }) // want `lock-blocking`
	return err
}

func (s *photos) retireBad(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.pool.Shutdown(ctx) // want `lock-blocking`
}

func (s *photos) closeOk() (workpool.Stats, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pool.SetWorkers(sizing.InFlight(300, 100))
	return s.pool.Stats(), s.pool.Close()
}
