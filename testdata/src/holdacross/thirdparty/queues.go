package thirdparty

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/concvet/concvet/runtime/bqueue"
	"github.com/concvet/concvet/runtime/bulkhead"
	"github.com/concvet/concvet/runtime/rtstat"
)

type intake struct {
	mu      sync.Mutex
	n       int
	remote  *bulkhead.Bulkhead
	hosts   *bulkhead.Keyed[string]
	queue   *bqueue.Queue[int]
	lanes   *bqueue.Lanes[int]
	backlog []int
}

func (s *intake) acquireBad(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.remote.Acquire(ctx); err != nil { // want `lock-blocking`
		return err
	}
	s.n++
	s.remote.Release()
	return nil
}

func (s *intake) tryAcquireOk() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n++
	return s.remote.TryAcquire()
}

func (s *intake) releaseOk() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n--
	s.remote.Release()
	s.remote.SetLimit(10)
}

func (s *intake) sleepWithPermitBad(ctx context.Context) error {
	if err := s.remote.AcquireN(ctx, 2, bulkhead.Interactive); err != nil {
		return err
	}
	defer s.remote.ReleaseN(2)
	time.Sleep(time.Second) // want `slot-sleep`
	return nil
}

func (s *intake) sleepInDoBad(ctx context.Context) (int, error) {
	return bulkhead.Do(ctx, s.remote, func(context.Context) (int, error) {
		time.Sleep(time.Second) // want `slot-sleep`
		return 1, nil
	})
}

// A permit is there to be held across the call that it limits.
func (s *intake) callWithPermitOk(ctx context.Context, c *http.Client, req *http.Request) (*http.Response, error) {
	return bulkhead.Do(ctx, s.remote, func(ctx context.Context) (*http.Response, error) {
		return c.Do(req.WithContext(ctx))
	})
}

// Two keys have two bulkheads.
func (s *intake) twoHostsOk(ctx context.Context) error {
	a, b := s.hosts.Get("a"), s.hosts.Get("b")
	if err := a.Acquire(ctx); err != nil {
		return err
	}
	defer a.Release()
	if !b.TryAcquire() {
		return bulkhead.ErrFull
	}
	b.Release()
	return nil
}

func (s *intake) pushBad(ctx context.Context, v int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n++
	return s.queue.Push(ctx, v) // want `lock-blocking`
}

func (s *intake) tryPushOk(v int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n++
	return s.queue.TryPush(v)
}

func (s *intake) popBad(ctx context.Context) (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n, err = s.queue.Pop(ctx) // want `lock-blocking`
	return err
}

func (s *intake) popNBad(ctx context.Context) (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n, err = s.queue.PopN(ctx, s.backlog) // want `lock-blocking`
	return err
}

func (s *intake) lanesPushBad(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n++
	return s.lanes.Push(ctx, bulkhead.Bulk, s.n) // want `lock-blocking`
}

func (s *intake) lanesPopBad(ctx context.Context) (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n, _, err = s.lanes.Pop(ctx) // want `lock-blocking`
	return err
}

func (s *intake) lanesTryOk() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n, _, _ = s.lanes.TryPop()
	return s.lanes.TryPush(bulkhead.Interactive, s.n)
}

func (s *intake) statsOk() []rtstat.Entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.queue.Close()
	return rtstat.Snapshot()
}
