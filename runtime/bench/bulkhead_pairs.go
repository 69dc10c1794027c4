package bench

import (
	"context"
	"runtime"
	"sync"
	"testing"

	"github.com/failsafe-go/failsafe-go"
	fsbulkhead "github.com/failsafe-go/failsafe-go/bulkhead"
	"golang.org/x/sync/semaphore"

	"github.com/concvet/concvet/runtime/bulkhead"
)

// permits is the limit of the bulkheads that are compared: more than the cores,
// so that the price of a permit is measured and not that of a wait.
const permits = 64

func init() {
	for _, shape := range []struct {
		name string
		run  func(*testing.B, func(n int))
	}{{"1-caller", serial}, {"parallel", parallel}} {
		against := func(op, peer string, goal float64, ours, theirs func(context.Context) func(n int)) {
			register(Pair{
				Name: "bulkhead/" + op + "-" + shape.name, Peer: peer, Goal: goal,
				Ours:   func(b *testing.B) { withContext(b, shape.run, ours) },
				Theirs: func(b *testing.B) { withContext(b, shape.run, theirs) },
			})
		}
		against("acquire-release", "x/sync Acquire", 0.6, acquireOurs, acquireWeighted)
		against("acquire-release", "channel and context", 0, acquireOurs, acquireChannel)
		against("acquire-release", "failsafe AcquirePermit", 0, acquireOurs, acquireFailsafe)
		against("try-release", "x/sync TryAcquire", 0.6, tryOurs, tryWeighted)
		against("try-release", "channel", 0, tryOurs, tryChannel)
		against("try-release", "failsafe TryAcquirePermit", 0, tryOurs, tryFailsafe)
		against("refuse", "x/sync TryAcquire", 0, refuseOurs, refuseWeighted)
		against("do", "failsafe Get", 0, doOurs, doFailsafe)
		against("hand-over", "x/sync Acquire", 0, handOverOurs, handOverWeighted)
	}
}

// withContext measures an operation, which start returns as a function that
// does it n times, with a context that can end, as that of a request can.
func withContext(b *testing.B, run func(*testing.B, func(n int)), start func(context.Context) func(n int)) {
	ctx, cancel := context.WithCancel(background)
	defer cancel()
	op := start(ctx)
	b.ReportAllocs()
	b.ResetTimer()
	run(b, op)
}

func serial(b *testing.B, op func(n int)) { op(b.N) }

// parallel divides the work among as many goroutines as can run at once.
func parallel(b *testing.B, op func(n int)) {
	procs := runtime.GOMAXPROCS(0)
	var wg sync.WaitGroup
	for i := range procs {
		n := b.N / procs
		if i < b.N%procs {
			n++
		}
		wg.Go(func() { op(n) })
	}
	wg.Wait()
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func mustBe(got, want bool) {
	if got != want {
		panic("not as it should be")
	}
}

func acquireOurs(ctx context.Context) func(n int) {
	bh := bulkhead.New(permits)
	return func(n int) {
		for range n {
			must(bh.Acquire(ctx))
			bh.Release()
		}
	}
}

func acquireWeighted(ctx context.Context) func(n int) {
	s := semaphore.NewWeighted(permits)
	return func(n int) {
		for range n {
			must(s.Acquire(ctx, 1))
			s.Release(1)
		}
	}
}

func acquireChannel(ctx context.Context) func(n int) {
	c := make(chan struct{}, permits)
	return func(n int) {
		for range n {
			select {
			case c <- struct{}{}:
			case <-ctx.Done():
				panic(ctx.Err())
			}
			<-c
		}
	}
}

func acquireFailsafe(ctx context.Context) func(n int) {
	bh := fsbulkhead.New[int](permits)
	return func(n int) {
		for range n {
			must(bh.AcquirePermit(ctx))
			bh.ReleasePermit()
		}
	}
}

func tryOurs(context.Context) func(n int) {
	bh := bulkhead.New(permits)
	return func(n int) {
		for range n {
			mustBe(bh.TryAcquire(), true)
			bh.Release()
		}
	}
}

func tryWeighted(context.Context) func(n int) {
	s := semaphore.NewWeighted(permits)
	return func(n int) {
		for range n {
			mustBe(s.TryAcquire(1), true)
			s.Release(1)
		}
	}
}

func tryChannel(context.Context) func(n int) {
	c := make(chan struct{}, permits)
	return func(n int) {
		for range n {
			select {
			case c <- struct{}{}:
			default:
				panic("full")
			}
			<-c
		}
	}
}

func tryFailsafe(context.Context) func(n int) {
	bh := fsbulkhead.New[int](permits)
	return func(n int) {
		for range n {
			mustBe(bh.TryAcquirePermit(), true)
			bh.ReleasePermit()
		}
	}
}

func refuseOurs(context.Context) func(n int) {
	bh := bulkhead.New(1)
	bh.TryAcquire()
	return func(n int) {
		for range n {
			mustBe(bh.TryAcquire(), false)
		}
	}
}

func refuseWeighted(context.Context) func(n int) {
	s := semaphore.NewWeighted(1)
	s.TryAcquire(1)
	return func(n int) {
		for range n {
			mustBe(s.TryAcquire(1), false)
		}
	}
}

func doOurs(ctx context.Context) func(n int) {
	bh := bulkhead.New(permits)
	f := func(context.Context) (int, error) { return 1, nil }
	return func(n int) {
		for range n {
			_, err := bulkhead.Do(ctx, bh, f)
			must(err)
		}
	}
}

func doFailsafe(ctx context.Context) func(n int) {
	e := failsafe.With(fsbulkhead.New[int](permits)).WithContext(ctx)
	f := func() (int, error) { return 1, nil }
	return func(n int) {
		for range n {
			_, err := e.Get(f)
			must(err)
		}
	}
}

// The one permit changes hands: with one caller it is always free, in parallel
// there is a queue for it.
func handOverOurs(ctx context.Context) func(n int) {
	bh := bulkhead.New(1, bulkhead.WithWaiters(1000))
	return func(n int) {
		for range n {
			must(bh.Acquire(ctx))
			bh.Release()
		}
	}
}

func handOverWeighted(ctx context.Context) func(n int) {
	s := semaphore.NewWeighted(1)
	return func(n int) {
		for range n {
			must(s.Acquire(ctx, 1))
			s.Release(1)
		}
	}
}
