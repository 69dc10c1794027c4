package libraries

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/Jeffail/tunny"
	pond1 "github.com/alitto/pond"
	"github.com/alitto/pond/v2"
	"github.com/concvet/concvet/runtime/workpool"
	"github.com/gammazero/workerpool"
	"github.com/panjf2000/ants/v2"
	"github.com/sourcegraph/conc"
	"github.com/sourcegraph/conc/pool"
	"github.com/sourcegraph/conc/stream"
	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"
)

// limit is the size of every pool here: so many tasks that wait for their own
// pool are what selfsubmit says stops it.
const limit = 2

// hangs are the shapes that selfsubmit reports, one for each row that says that
// a call waits for its pool, beside the same work done right. Each returns when
// its work is done.
var hangs = []struct {
	name      string
	bad, good func(together func())
}{
	{"errgroup: Go in a task", func(together func()) {
		var g errgroup.Group
		g.SetLimit(limit)
		for range limit {
			g.Go(func() error {
				together()
				g.Go(func() error { return nil })
				return nil
			})
		}
		_ = g.Wait()
	}, func(together func()) {
		var g errgroup.Group
		g.SetLimit(limit)
		work := func() error { return nil }
		for range limit {
			g.Go(func() error {
				together()
				if !g.TryGo(work) {
					return work()
				}
				return nil
			})
		}
		_ = g.Wait()
	}},
	{"errgroup: Wait in a task", func(func()) {
		var g errgroup.Group
		g.Go(func() error { return g.Wait() })
		_ = g.Wait()
	}, func(func()) {
		var g errgroup.Group
		g.Go(func() error {
			var own errgroup.Group
			own.Go(func() error { return nil })
			return own.Wait()
		})
		_ = g.Wait()
	}},
	{"WaitGroup: Wait in a task", func(func()) {
		var wg sync.WaitGroup
		wg.Go(func() { wg.Wait() })
		wg.Wait()
	}, func(func()) {
		var wg sync.WaitGroup
		wg.Go(func() {
			var own sync.WaitGroup
			own.Go(func() {})
			own.Wait()
		})
		wg.Wait()
	}},
	{"semaphore: a second slot", func(together func()) {
		s := semaphore.NewWeighted(limit)
		var wg sync.WaitGroup
		for range limit {
			wg.Go(func() {
				_ = s.Acquire(context.Background(), 1)
				defer s.Release(1)
				together()
				_ = s.Acquire(context.Background(), 1)
				s.Release(1)
			})
		}
		wg.Wait()
	}, func(together func()) {
		s := semaphore.NewWeighted(limit)
		var wg sync.WaitGroup
		for range limit {
			wg.Go(func() {
				_ = s.Acquire(context.Background(), 1)
				together()
				s.Release(1)
				_ = s.Acquire(context.Background(), 1)
				s.Release(1)
			})
		}
		wg.Wait()
	}},
	{"ants: Submit in a task", func(together func()) {
		p, _ := ants.NewPool(limit)
		var wg sync.WaitGroup
		for range limit {
			wg.Add(2)
			_ = p.Submit(func() {
				defer wg.Done()
				together()
				_ = p.Submit(wg.Done)
			})
		}
		wg.Wait()
	}, func(together func()) {
		p, _ := ants.NewPool(limit, ants.WithNonblocking(true))
		var wg sync.WaitGroup
		for range limit {
			wg.Add(2)
			_ = p.Submit(func() {
				defer wg.Done()
				together()
				if p.Submit(wg.Done) != nil {
					wg.Done()
				}
			})
		}
		wg.Wait()
	}},
	{"ants: without a limit", nil, func(together func()) {
		p, _ := ants.NewPool(-1)
		var wg sync.WaitGroup
		for range limit {
			wg.Add(2)
			_ = p.Submit(func() {
				defer wg.Done()
				together()
				_ = p.Submit(wg.Done)
			})
		}
		wg.Wait()
	}},
	{"ants: Invoke in the function of the pool", func(together func()) {
		var wg sync.WaitGroup
		var p *ants.PoolWithFunc
		p, _ = ants.NewPoolWithFunc(limit, func(v any) {
			defer wg.Done()
			if v == true {
				together()
				_ = p.Invoke(false)
			}
		})
		wg.Add(2 * limit)
		for range limit {
			_ = p.Invoke(true)
		}
		wg.Wait()
	}, nil},
	{"ants: Submit to a MultiPool in a task", func(together func()) {
		p, _ := ants.NewMultiPool(1, limit, ants.RoundRobin)
		var wg sync.WaitGroup
		for range limit {
			wg.Add(2)
			_ = p.Submit(func() {
				defer wg.Done()
				together()
				_ = p.Submit(wg.Done)
			})
		}
		wg.Wait()
	}, nil},
	{"pond: a group of the pool in a task", func(together func()) {
		p := pond.NewPool(limit)
		outer := p.NewGroup()
		for range limit {
			outer.Submit(func() {
				together()
				g := p.NewGroup()
				g.Submit(func() {})
				_ = g.Wait()
			})
		}
		_ = outer.Wait()
	}, func(together func()) {
		p, parts := pond.NewPool(limit), pond.NewPool(limit)
		outer := p.NewGroup()
		for range limit {
			outer.Submit(func() {
				together()
				g := parts.NewGroup()
				g.Submit(func() {})
				_ = g.Wait()
			})
		}
		_ = outer.Wait()
	}},
	{"pond: a task's Wait in a task", func(together func()) {
		p := pond.NewPool(limit)
		outer := p.NewGroup()
		for range limit {
			outer.Submit(func() {
				together()
				_ = p.Submit(func() {}).Wait()
			})
		}
		_ = outer.Wait()
	}, func(together func()) {
		p := pond.NewPool(limit)
		outer := p.NewGroup()
		for range limit {
			outer.Submit(func() {
				together()
				p.Submit(func() {})
			})
		}
		_ = outer.Wait()
	}},
	{"pond v1: Submit in a task", func(together func()) {
		p := pond1.New(limit, 0)
		var wg sync.WaitGroup
		for range limit {
			wg.Add(2)
			p.Submit(func() {
				defer wg.Done()
				together()
				p.Submit(wg.Done)
			})
		}
		wg.Wait()
	}, func(together func()) {
		p := pond1.New(limit, 0)
		var wg sync.WaitGroup
		for range limit {
			wg.Add(2)
			p.Submit(func() {
				defer wg.Done()
				together()
				if !p.TrySubmit(wg.Done) {
					wg.Done()
				}
			})
		}
		wg.Wait()
	}},
	{"pond v1: SubmitAndWait in a task", func(together func()) {
		p := pond1.New(limit, 100)
		g := p.Group()
		for range limit {
			g.Submit(func() {
				together()
				p.SubmitAndWait(func() {})
			})
		}
		g.Wait()
	}, nil},
	{"conc: Go in a task", func(together func()) { // Wait meanwhile would make it panic instead
		p := pool.New().WithMaxGoroutines(limit)
		var wg sync.WaitGroup
		for range limit {
			wg.Add(1)
			p.Go(func() {
				defer wg.Done()
				together()
				p.Go(func() {})
			})
		}
		wg.Wait()
	}, func(together func()) {
		p, parts := pool.New().WithMaxGoroutines(limit), pool.New().WithMaxGoroutines(limit)
		for range limit {
			p.Go(func() {
				together()
				parts.Go(func() {})
			})
		}
		p.Wait()
		parts.Wait()
	}},
	{"conc: Wait in a task", func(func()) {
		var wg conc.WaitGroup
		wg.Go(func() { wg.Wait() })
		wg.Wait()
	}, func(func()) {
		var wg conc.WaitGroup
		wg.Go(func() {
			var own conc.WaitGroup
			own.Go(func() {})
			own.Wait()
		})
		wg.Wait()
	}},
	{"conc: Go of a stream in a task", func(together func()) {
		s := stream.New().WithMaxGoroutines(limit)
		var wg sync.WaitGroup
		for range limit {
			wg.Add(1)
			s.Go(func() stream.Callback {
				defer wg.Done()
				together()
				s.Go(func() stream.Callback { return func() {} })
				return func() {}
			})
		}
		wg.Wait()
	}, nil},
	{"workerpool: SubmitWait in a task", func(together func()) {
		p := workerpool.New(limit)
		var wg sync.WaitGroup
		for range limit {
			wg.Add(1)
			p.Submit(func() {
				defer wg.Done()
				together()
				p.SubmitWait(func() {})
			})
		}
		wg.Wait()
	}, func(together func()) {
		p := workerpool.New(limit)
		var wg sync.WaitGroup
		for range limit {
			wg.Add(2)
			p.Submit(func() {
				defer wg.Done()
				together()
				p.Submit(wg.Done)
			})
		}
		wg.Wait()
	}},
	{"workerpool: a result of the pool in a task", func(together func()) {
		p := workerpool.New(limit)
		var wg sync.WaitGroup
		for range limit {
			wg.Add(1)
			p.Submit(func() {
				defer wg.Done()
				together()
				out := make(chan int, 1)
				p.Submit(func() { out <- 1 })
				<-out
			})
		}
		wg.Wait()
	}, nil},
	{"concvet: a task that waits for its own pool is refused, or runs what it waits for", nil, func(together func()) {
		p := workpool.New(limit, 100)
		var wg sync.WaitGroup
		for range limit {
			wg.Add(1)
			_ = p.Submit(context.Background(), func(ctx context.Context) {
				defer wg.Done()
				together()
				if f, err := workpool.Go(ctx, p, func(context.Context) (int, error) { return 1, nil }); err == nil {
					_, _ = f.Wait(ctx)
				}
			})
		}
		wg.Wait()
	}},
	{"tunny: Process in the function of the pool", func(together func()) {
		var p *tunny.Pool
		p = tunny.NewFunc(limit, func(v any) any {
			if v == true {
				together()
				return p.Process(false)
			}
			return nil
		})
		var wg sync.WaitGroup
		for range limit {
			wg.Go(func() { p.Process(true) })
		}
		wg.Wait()
	}, func(together func()) {
		parts := tunny.NewFunc(limit, func(any) any { return nil })
		p := tunny.NewFunc(limit, func(any) any {
			together()
			return parts.Process(false)
		})
		var wg sync.WaitGroup
		for range limit {
			wg.Go(func() { p.Process(true) })
		}
		wg.Wait()
	}},
}

// TestHang shows that what selfsubmit reports of a library stops for good with
// as many tasks as the pool has workers, and that what it does not report ends.
// What hangs is left hanging: the test binary ends without it.
func TestHang(t *testing.T) {
	for _, h := range hangs {
		t.Run(h.name, func(t *testing.T) {
			t.Parallel()
			if h.bad != nil && ends(h.bad, 300*time.Millisecond) {
				t.Error("the wrong shape has ended")
			}
			if h.good != nil && !ends(h.good, 30*time.Second) {
				t.Error("the right shape has not ended")
			}
		})
	}
}

// ends reports whether f returns in time. It hands f a function that returns
// when it has been called by as many tasks as a pool here runs at once.
func ends(f func(together func()), in time.Duration) bool {
	var all sync.WaitGroup
	all.Add(limit)
	done := make(chan struct{})
	go func() {
		defer close(done)
		f(func() { all.Done(); all.Wait() })
	}()
	select {
	case <-done:
		return true
	case <-time.After(in):
		return false
	}
}
