package bulkhead

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func sleep(d time.Duration) func(context.Context) (struct{}, error) {
	return func(context.Context) (struct{}, error) { time.Sleep(d); return struct{}{}, nil }
}

// TestAFastCallDoesNotQueueBehindASlowBatch is S12: a call of 5 ms that comes
// behind 40 calls of 500 ms on 18 permits, and the same with a bulkhead of its
// own for the slow ones.
func TestAFastCallDoesNotQueueBehindASlowBatch(t *testing.T) {
	fastCall := func(slow, fast *Bulkhead) (took time.Duration) {
		var wg sync.WaitGroup
		for range 40 {
			wg.Go(func() { Do(context.Background(), slow, sleep(500*time.Millisecond)) })
		}
		synctest.Wait()
		start := time.Now()
		if _, err := Do(context.Background(), fast, sleep(5*time.Millisecond)); err != nil {
			t.Error(err)
		}
		took = time.Since(start)
		wg.Wait()
		return took
	}
	synctest.Test(t, func(t *testing.T) {
		shared := New(18, WithWaiters(100))
		if d := fastCall(shared, shared); d != 1005*time.Millisecond {
			t.Errorf("on the shared bulkhead the fast call took %v, want two batches and its own 5ms", d)
		}
		if d := fastCall(New(18, WithWaiters(100)), New(4)); d != 5*time.Millisecond {
			t.Errorf("beside the bulkhead of the slow calls it took %v", d)
		}
	})
}

// TestTheBatchTakesAsLongAsThePermitsSay is the other half of S12: 100 calls of
// 100 ms on 18 permits are six rounds.
func TestTheBatchTakesAsLongAsThePermitsSay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := New(18, WithWaiters(100))
		start := time.Now()
		var wg sync.WaitGroup
		for range 100 {
			wg.Go(func() {
				if _, err := Do(context.Background(), b, sleep(100*time.Millisecond)); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if d := time.Since(start); d != 600*time.Millisecond {
			t.Errorf("it took %v", d)
		}
	})
}

// TestEachKindOfWorkHasItsOwnLimit is S14: work for the processor and work that
// waits, each behind a bulkhead of the size of its resource. When the waiting
// kind hangs, the other does not notice.
func TestEachKindOfWorkHasItsOwnLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cpu, remote := New(7), New(16, WithWaiters(8), WithMaxWait(100*time.Millisecond))
		var wg sync.WaitGroup
		refused := 0
		var mu sync.Mutex
		for range 100 {
			wg.Go(func() {
				if _, err := Do(context.Background(), remote, sleep(3*time.Second)); err == ErrFull {
					mu.Lock()
					refused++
					mu.Unlock()
				}
			})
		}
		synctest.Wait()
		for range 7 {
			if !cpu.TryAcquire() {
				t.Error("the work for the processor is refused because the remote hangs")
			}
		}
		start := time.Now()
		wg.Wait()
		if refused != 84 || time.Since(start) != 3*time.Second {
			t.Errorf("%d were refused after %v, want 76 at once and 8 after 100ms", refused, time.Since(start))
		}
	})
}
