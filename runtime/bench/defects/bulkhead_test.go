package defects

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	fsbulkhead "github.com/failsafe-go/failsafe-go/bulkhead"
	"golang.org/x/sync/semaphore"

	"github.com/concvet/concvet/runtime/bulkhead"
)

// More permits than there are: x/sync waits for what cannot come.
func TestMorePermitsThanThereAre(t *testing.T) {
	t.Parallel()
	mustHang(t, "x/sync Acquire of 5 of 4", func() {
		_ = semaphore.NewWeighted(4).Acquire(background, 5)
	})
	mustEnd(t, "bulkhead AcquireN of 5 of 4", func() {
		b := bulkhead.New(4, bulkhead.WithWaiters(10))
		if err := b.AcquireN(background, 5, bulkhead.Bulk); err != bulkhead.ErrTooLarge {
			t.Errorf("bulkhead: %v, want ErrTooLarge", err)
		}
	})
}

// A permit that is given back twice: failsafe blocks the one who does it, so
// that a slip in an error path is a goroutine that never ends.
func TestAPermitGivenBackTwice(t *testing.T) {
	t.Parallel()
	mustHang(t, "failsafe ReleasePermit without a permit", func() {
		fsbulkhead.New[int](4).ReleasePermit()
	})
	mustEnd(t, "bulkhead Release without a permit", func() {
		defer func() {
			if msg := fmt.Sprint(recover()); !strings.Contains(msg, "released more permits than were acquired") {
				t.Errorf("bulkhead: panic %q", msg)
			}
		}()
		bulkhead.New(4).Release()
	})
}

// A dependency hangs and a thousand calls come: those that wait for a permit
// are not bounded by x/sync and failsafe, so that each keeps its goroutine and
// its request until its own time is up.
func TestAThousandCallsOfADependencyThatHangs(t *testing.T) {
	t.Parallel()
	const calls = 1000
	waiting := func(acquire func(context.Context) error) int {
		ctx, cancel := context.WithCancel(background)
		var refused atomic.Int64
		var wg sync.WaitGroup
		for range calls {
			wg.Go(func() {
				if acquire(ctx) != nil && ctx.Err() == nil {
					refused.Add(1)
				}
			})
		}
		time.Sleep(longEnough)
		n := calls - int(refused.Load())
		cancel()
		wg.Wait()
		return n
	}
	s := semaphore.NewWeighted(1)
	if n := waiting(func(ctx context.Context) error { return s.Acquire(ctx, 1) }); n != calls {
		t.Errorf("x/sync: %d wait, this page says that all %d do", n, calls)
	}
	f := fsbulkhead.New[int](1)
	if n := waiting(f.AcquirePermit); n != calls {
		t.Errorf("failsafe: %d wait, this page says that all %d do", n, calls)
	}
	b := bulkhead.New(1, bulkhead.WithWaiters(10))
	if n := waiting(b.Acquire); n != 11 {
		t.Errorf("bulkhead: %d wait or have the permit, want 1 + 10", n)
	}
}
