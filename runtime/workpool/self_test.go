package workpool

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// A caller gives a task its context, or takes it away, so that the pool has to
// find out from the stack.
var callers = map[string]func(context.Context) context.Context{
	"context": func(ctx context.Context) context.Context { return ctx },
	"stack":   func(context.Context) context.Context { return background },
}

func TestP8TasksThatWaitForTasksFinishOnOneWorker(t *testing.T) {
	for name, of := range callers {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := New(1, 4)
				var sum func(depth int) func(context.Context) (int, error)
				sum = func(depth int) func(context.Context) (int, error) {
					return func(ctx context.Context) (int, error) {
						ctx = of(ctx)
						if depth == 0 {
							return 1, nil
						}
						total := 0
						for range 3 {
							f, err := Go(ctx, p, sum(depth-1))
							if err != nil {
								return 0, err
							}
							v, err := f.Wait(ctx)
							if err != nil {
								return 0, err
							}
							total += v
						}
						return total, nil
					}
				}
				f, err := Go(background, p, sum(5))
				if err != nil {
					t.Fatal(err)
				}
				if v, err := f.Wait(background); v != 243 || err != nil {
					t.Errorf("%v, %v", v, err)
				}
				shutdown(t, p)
				if s := p.Stats(); s.Inlined == 0 || s.Submitted != 364 || s.Done != 364 {
					t.Errorf("%d submitted, %d done, %d of them inlined", s.Submitted, s.Done, s.Inlined)
				}
			})
		})
	}
}

func TestP8ATaskThatWaitsForManyAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := New(2, 1000)
		var running, peak atomic.Int64
		leaf := func(context.Context) (int, error) {
			n := running.Add(1)
			defer running.Add(-1)
			for m := peak.Load(); n > m && !peak.CompareAndSwap(m, n); m = peak.Load() {
			}
			time.Sleep(time.Millisecond)
			return 1, nil
		}
		parent := func(ctx context.Context) (int, error) {
			var leaves []*Future[int]
			for range 100 {
				f, err := Go(ctx, p, leaf)
				if err != nil {
					return 0, err
				}
				leaves = append(leaves, f)
			}
			n := 0
			for _, f := range leaves {
				v, err := f.Wait(ctx)
				if err != nil {
					return 0, err
				}
				n += v
			}
			return n, nil
		}
		var parents []*Future[int]
		for range 5 {
			f, err := Go(background, p, parent)
			if err != nil {
				t.Fatal(err)
			}
			parents = append(parents, f)
		}
		for _, f := range parents {
			if v, err := f.Wait(background); v != 100 || err != nil {
				t.Errorf("%v, %v", v, err)
			}
		}
		if peak.Load() > 2 {
			t.Errorf("%d tasks ran at a time on 2 workers", peak.Load())
		}
		shutdown(t, p)
	})
}

// The goroutines of a task wait in its place, one at a time.
func TestP8ATaskWhoseGoroutinesWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := New(1, 100)
		var running, peak atomic.Int64
		f, err := Go(background, p, func(ctx context.Context) (int, error) {
			var total atomic.Int64
			var wg sync.WaitGroup
			for range 10 {
				wg.Go(func() {
					f, err := Go(ctx, p, func(ctx context.Context) (int, error) {
						peak.Store(max(peak.Load(), running.Add(1)))
						defer running.Add(-1)
						time.Sleep(time.Millisecond)
						f, err := Go(ctx, p, func(context.Context) (int, error) { return 1, nil })
						if err != nil {
							return 0, err
						}
						return f.Wait(ctx)
					})
					if err != nil {
						t.Error(err)
						return
					}
					v, err := f.Wait(ctx)
					if err != nil {
						t.Error(err)
					}
					total.Add(int64(v))
				})
			}
			wg.Wait()
			return int(total.Load()), nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if v, err := f.Wait(background); v != 10 || err != nil {
			t.Errorf("%v, %v", v, err)
		}
		if peak.Load() != 1 {
			t.Errorf("%d of the tasks of one task ran at a time on one worker", peak.Load())
		}
		shutdown(t, p)
	})
}

// A waits for a queued task while B waits for A: no cycle, and both workers
// are taken.
func TestP8AChainOfWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := New(2, 10)
		go1 := make(chan *Future[int])
		a, err := Go(background, p, func(ctx context.Context) (int, error) { return (<-go1).Wait(ctx) })
		if err != nil {
			t.Fatal(err)
		}
		b, err := Go(background, p, func(ctx context.Context) (int, error) { return a.Wait(ctx) })
		if err != nil {
			t.Fatal(err)
		}
		c, err := Go(background, p, func(context.Context) (int, error) { return 9, nil })
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		go1 <- c
		if v, err := b.Wait(background); v != 9 || err != nil {
			t.Errorf("%v, %v", v, err)
		}
		shutdown(t, p)
	})
}

// Two pools whose tasks wait for each other's.
func TestP8AcrossTwoPools(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, q := New(1, 10), New(1, 10)
		f, err := Go(background, p, func(ctx context.Context) (int, error) {
			g, err := Go(ctx, q, func(ctx context.Context) (int, error) {
				h, err := Go(ctx, p, func(context.Context) (int, error) { return 3, nil })
				if err != nil {
					return 0, err
				}
				return h.Wait(ctx) // p's only worker waits for this task
			})
			if err != nil {
				return 0, err
			}
			return g.Wait(ctx)
		})
		if err != nil {
			t.Fatal(err)
		}
		if v, err := f.Wait(background); v != 3 || err != nil {
			t.Errorf("%v, %v", v, err)
		}
		shutdown(t, p)
		shutdown(t, q)
	})
}

func TestASubmitThatWouldWaitInItsOwnPoolIsRefused(t *testing.T) {
	for name, of := range callers {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p, other := New(2, 1), New(1, 0)
				release := occupy(t, p, 1, 0)
				f, err := Go(background, p, func(ctx context.Context) (int, error) {
					ctx = of(ctx)
					if err := p.Submit(ctx, func(context.Context) {}); err != nil {
						t.Errorf("with room: %v", err)
					}
					if err := p.Submit(ctx, func(context.Context) { t.Error("ran") }); err != ErrSelfSubmit {
						t.Errorf("without room: %v", err)
					}
					if _, err := Go(ctx, p, func(context.Context) (int, error) { t.Error("ran"); return 0, nil }); err != ErrSelfSubmit {
						t.Errorf("Go without room: %v", err)
					}
					// Another pool may make it wait.
					start := time.Now()
					for range 2 {
						if err := other.Submit(ctx, func(context.Context) { time.Sleep(time.Second) }); err != nil {
							t.Errorf("another pool: %v", err)
						}
					}
					since(start, time.Second, t, "the wait for another pool")
					return 0, nil
				})
				if err != nil {
					t.Fatal(err)
				}
				if _, err := f.Wait(background); err != nil {
					t.Error(err)
				}
				if s := p.Stats(); s.SelfSubmits != 2 || s.Rejected != 2 {
					t.Errorf("%d self-submits of %d rejected", s.SelfSubmits, s.Rejected)
				}
				release()
				shutdown(t, p)
				shutdown(t, other)
			})
		})
	}
}

func TestCallerRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := New(1, 0, WithCallerRuns())
		f, err := Go(background, p, func(ctx context.Context) (int, error) {
			ran := false
			if err := p.Submit(ctx, func(context.Context) { ran = true }); err != nil || !ran {
				t.Errorf("Submit: %v, and ran is %v", err, ran)
			}
			g, err := Go(ctx, p, func(context.Context) (int, error) { return 5, nil })
			if err != nil {
				return 0, err
			}
			if v, err := g.Wait(background); v != 5 || err != nil {
				t.Errorf("%v, %v", v, err)
			}
			h, err := Go(ctx, p, func(context.Context) (int, error) { panic("inner") })
			if err != nil {
				return 0, err
			}
			var pe *PanicError
			if _, err := h.Wait(ctx); !errors.As(err, &pe) {
				t.Errorf("the panic of an inlined task became %v", err)
			}
			return 6, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if v, err := f.Wait(background); v != 6 || err != nil {
			t.Errorf("%v, %v", v, err)
		}
		shutdown(t, p)
		if s := p.Stats(); s.Submitted != 4 || s.Done != 4 || s.Inlined != 3 || s.Rejected != 0 || s.Panics != 1 {
			t.Errorf("%+v", s)
		}
	})
}

func TestGoexitOfATaskThatIsHelpedEndsBoth(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := New(1, 4)
		var inner *Future[int]
		outer, err := Go(background, p, func(ctx context.Context) (int, error) {
			var err error
			if inner, err = Go(ctx, p, func(context.Context) (int, error) { runtime.Goexit(); return 0, nil }); err != nil {
				return 0, err
			}
			return inner.Wait(ctx)
		})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := outer.Wait(background); err != ErrGoexit {
			t.Errorf("outer: %v", err)
		}
		if _, err := inner.Wait(background); err != ErrGoexit {
			t.Errorf("inner: %v", err)
		}
		submit(t, p, func(context.Context) {})
		shutdown(t, p)
		if s := p.Stats(); s.Goexits != 2 || s.Done != 3 {
			t.Errorf("%d goexits, %d done", s.Goexits, s.Done)
		}
	})
}

func TestAPoolIsFoundOnADeepStack(t *testing.T) {
	p, other := New(1, 1), New(1, 1)
	var deep func(n int, f func())
	deep = func(n int, f func()) {
		if n == 0 {
			f()
			return
		}
		deep(n-1, f)
	}
	for _, depth := range []int{0, 1, 50, 63, 64, 100, 127, 128, 129, 200, 1000} {
		found, wrong := make(chan bool, 1), make(chan bool, 1)
		submit(t, p, func(context.Context) {
			deep(depth, func() { found <- onStack(p.id); wrong <- onStack(other.id) })
		})
		if !<-found {
			t.Errorf("not found %d calls down", depth)
		}
		if <-wrong {
			t.Errorf("another pool is found %d calls down", depth)
		}
		deep(depth, func() {
			if onStack(p.id) {
				t.Errorf("found outside of the pool, %d calls down", depth)
			}
		})
	}
	shutdown(t, p)
	shutdown(t, other)
}

func TestP11ShutdownInATaskReturns(t *testing.T) {
	for name, of := range callers {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := New(3, 10)
				var ran atomic.Int64
				returned := make(chan error, 2)
				release := occupy(t, p, 1, 0)
				for range 2 {
					submit(t, p, func(ctx context.Context) {
						time.Sleep(time.Second)
						returned <- p.Shutdown(of(ctx))
					})
				}
				for range 5 {
					submit(t, p, func(context.Context) { ran.Add(1) })
				}
				time.Sleep(2 * time.Second)
				if n := ran.Load(); n != 5 {
					t.Errorf("%d of 5 queued tasks ran while two tasks wait in Shutdown", n)
				}
				if len(returned) != 0 {
					t.Error("Shutdown did not wait for the third task")
				}
				release()
				for range 2 {
					if err := <-returned; err != nil {
						t.Error(err)
					}
				}
				<-p.Done()
				if s := p.Stats(); s.Done != 8 || s.Workers != 0 {
					t.Errorf("%d done, %d workers", s.Done, s.Workers)
				}
			})
		})
	}
}

func TestP11ShutdownInATaskEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := New(2, 10)
		submit(t, p, func(ctx context.Context) { <-ctx.Done(); time.Sleep(time.Second) })
		f, err := Go(background, p, func(ctx context.Context) (int, error) {
			ctx, cancel := context.WithTimeout(ctx, time.Minute)
			defer cancel()
			return 0, p.Shutdown(ctx)
		})
		if err != nil {
			t.Fatal(err)
		}
		var se *ShutdownError
		if _, err := f.Wait(background); !errors.As(err, &se) || se.Running != 2 || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v", err)
		}
		<-p.Done()
	})
}

func TestP11CloseInATask(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := New(1, 10)
		got := make(chan error, 1)
		queued := make(chan struct{})
		submit(t, p, func(context.Context) {
			<-queued
			got <- p.Close()
		})
		submit(t, p, func(context.Context) { t.Error("ran") })
		close(queued)
		var se *ShutdownError
		if err := <-got; !errors.As(err, &se) || len(se.Queued) != 1 || !strings.Contains(err.Error(), "1 tasks queued") {
			t.Errorf("%v", err)
		}
		<-p.Done()
	})
}
