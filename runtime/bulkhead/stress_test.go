package bulkhead

import (
	"context"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestStressNoPermitIsLostOrInvented has goroutines of both classes take and
// give back permits in every way, while the limit moves. Whatever happens, the
// permits that are out are those that were acquired and not given back, the
// highest limit that was ever set holds, and at the end none is out and nobody
// waits.
func TestStressNoPermitIsLostOrInvented(t *testing.T) {
	const top = 8
	b := New(top, WithWaiters(16), WithMaxWait(time.Millisecond), WithReserve(2))
	var out, acquired atomic.Int64
	stop := make(chan struct{})
	var wg, setter sync.WaitGroup
	setter.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				b.SetLimit(top)
				return
			default:
				b.SetLimit(1 + i%top)
			}
		}
	})
	for g := range 8 {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(g), 1))
			for range 3000 {
				n, c := 1+rng.IntN(3), Class(rng.IntN(2))
				ok := false
				switch rng.IntN(3) {
				case 0:
					ok = b.TryAcquireN(n, c)
				case 1:
					ok = b.AcquireN(context.Background(), n, c) == nil
				case 2:
					ctx, cancel := context.WithTimeout(context.Background(), time.Duration(rng.IntN(200))*time.Microsecond)
					ok = b.AcquireN(ctx, n, c) == nil
					cancel()
				}
				if ok {
					acquired.Add(1)
					if o := out.Add(int64(n)); o > top {
						t.Errorf("%d permits are out, the limit was never above %d", o, top)
					}
					out.Add(-int64(n))
					b.ReleaseN(n)
				}
			}
		})
	}
	wg.Wait()
	close(stop)
	setter.Wait()
	if s := b.Stats(); s.InUse != 0 || s.Waiters != 0 || s.Acquired != uint64(acquired.Load()) {
		t.Errorf("%d acquired: %+v", acquired.Load(), s)
	}
	if !b.TryAcquireN(top, Interactive) {
		t.Error("not all permits came back")
	}
}

// TestStressNobodyIsForgotten has more waiters than permits and no bound on
// their wait: a lost wake-up would hang it.
func TestStressNobodyIsForgotten(t *testing.T) {
	b := New(2, WithWaiters(64), WithReserve(1))
	var wg sync.WaitGroup
	for g := range 16 {
		wg.Go(func() {
			for i := range 2000 {
				if err := b.AcquireN(context.Background(), 1, Class((g+i)%2)); err != nil {
					t.Error(err)
					return
				}
				b.Release()
			}
		})
	}
	done := make(chan struct{})
	go func() { wg.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatalf("stuck: %+v", b.Stats())
	}
	if s := b.Stats(); s.InUse != 0 || s.Waiters != 0 || s.Acquired != 16*2000 {
		t.Errorf("%+v", s)
	}
}
