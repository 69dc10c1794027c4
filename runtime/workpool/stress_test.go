package workpool

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestMain holds that no test leaves a goroutine behind.
func TestMain(m *testing.M) {
	before := runtime.NumGoroutine()
	code := m.Run()
	deadline := time.Now().Add(5 * time.Second)
	for runtime.NumGoroutine() > before && time.Now().Before(deadline) {
		time.Sleep(10 * time.Millisecond)
	}
	if n := runtime.NumGoroutine() - before; n > 0 && code == 0 {
		buf := make([]byte, 1<<20)
		fmt.Fprintf(os.Stderr, "%d goroutines are left:\n%s\n", n, buf[:runtime.Stack(buf, true)])
		code = 1
	}
	os.Exit(code)
}

// consistent checks that every accepted task is accounted for.
func consistent(t *testing.T, p *Pool) {
	t.Helper()
	s := p.Stats()
	if s.Submitted != s.Done+s.Expired+s.Dropped+uint64(s.QueueLen+s.Active) {
		t.Errorf("%d accepted tasks are %d done, %d expired, %d dropped, %d queued and %d running",
			s.Submitted, s.Done, s.Expired, s.Dropped, s.QueueLen, s.Active)
	}
}

// race has submitters of all four kinds race the shutdown of a pool, and checks
// that what was accepted has run or was handed back.
func race(t *testing.T, submitters, each int, opts ...Option) (submits int) {
	p := New(1+rand.IntN(4), rand.IntN(16), opts...)
	var accepted, ran, expired, dropped atomic.Int64
	var futures sync.WaitGroup
	plain := func(context.Context) { ran.Add(1) }
	withResult := func(context.Context) (int, error) { ran.Add(1); return 1, nil }
	var wg sync.WaitGroup
	var tried atomic.Int64
	for range submitters {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(rand.Uint64(), 0))
			for range each {
				tried.Add(1)
				var err error
				switch kind := rng.IntN(10); {
				case kind < 5:
					err = p.TrySubmit(plain)
				case kind < 7:
					ctx, cancel := context.WithTimeout(background, time.Duration(rng.IntN(50))*time.Microsecond)
					err = p.Submit(ctx, plain)
					cancel()
				default:
					ctx, cancel := background, context.CancelFunc(func() {})
					if rng.IntN(2) == 0 {
						ctx, cancel = context.WithCancel(background)
					}
					var f *Future[int]
					if kind == 7 {
						f, err = Go(ctx, p, withResult)
					} else {
						f, err = TryGo(ctx, p, withResult)
					}
					if err != nil {
						cancel()
						break
					}
					if rng.IntN(4) == 0 {
						f.Cancel()
					}
					if rng.IntN(4) == 0 {
						cancel()
					}
					futures.Go(func() {
						defer cancel()
						switch v, err := f.Wait(background); {
						case err == nil && v == 1:
						case errors.Is(err, ErrExpired):
							expired.Add(1)
						case errors.Is(err, ErrDropped):
							dropped.Add(1)
						default:
							t.Errorf("a future has %v, %v", v, err)
						}
					})
				}
				switch {
				case err == nil:
					accepted.Add(1)
				case errors.Is(err, ErrClosed):
					return
				case !errors.Is(err, ErrQueueFull) && !errors.Is(err, context.DeadlineExceeded):
					t.Errorf("%v", err)
				}
				if rng.IntN(64) == 0 {
					p.SetWorkers(1 + rng.IntN(4))
				}
			}
		})
	}
	time.Sleep(time.Duration(rand.IntN(1000)) * time.Microsecond)
	ctx, cancel := context.WithTimeout(background, time.Duration(rand.IntN(200))*time.Microsecond)
	err := p.Shutdown(ctx)
	cancel()
	handedBack := 0
	var se *ShutdownError
	if errors.As(err, &se) {
		handedBack = len(se.Queued)
	} else if err != nil {
		t.Errorf("Shutdown: %v", err)
	}
	wg.Wait()
	<-p.Done()
	futures.Wait()
	if got := ran.Load() + expired.Load() + dropped.Load() + int64(handedBack); got != accepted.Load() {
		t.Errorf("%d accepted: %d ran, %d expired, %d dropped, %d handed back", accepted.Load(), ran.Load(), expired.Load(), dropped.Load(), handedBack)
	}
	consistent(t, p)
	if s := p.Stats(); s.Submitted != uint64(accepted.Load()) || s.Dropped != uint64(dropped.Load())+uint64(handedBack) || s.Expired != uint64(expired.Load()) || s.Workers != 0 {
		t.Errorf("the pool counts %+v", s)
	}
	return int(tried.Load())
}

func TestP3WhatWasAcceptedHasRunOrWasHandedBack(t *testing.T) {
	for range 20 {
		race(t, 8, 300)
	}
}

// Workers that time out while they are woken, and submitters that race the end
// of the pool: nothing is sent on a closed channel, which would panic.
func TestP4NothingIsSentOnAClosedChannel(t *testing.T) {
	for range 20 {
		race(t, 8, 300, WithIdleTimeout(time.Microsecond))
	}
}

func TestP3AMillionSubmitsRacing100Shutdowns(t *testing.T) {
	const shutdowns = 100
	submits := 1_000_000
	if testing.Short() {
		submits /= 10
	}
	total := 0
	for range shutdowns {
		p := New(4, 64)
		var accepted, ran atomic.Int64
		f := func(context.Context) { ran.Add(1) }
		var wg sync.WaitGroup
		var tried atomic.Int64
		for range 4 {
			wg.Go(func() {
				for i := range submits / shutdowns / 4 {
					tried.Add(1)
					err := p.TrySubmit(f)
					if i%64 == 0 && err == ErrQueueFull {
						err = p.Submit(background, f)
					}
					if err == nil {
						accepted.Add(1)
					}
				}
			})
		}
		for tried.Load() < int64(rand.IntN(submits/shutdowns)) {
			runtime.Gosched()
		}
		handedBack := int64(0)
		var se *ShutdownError
		if err := p.Close(); errors.As(err, &se) {
			handedBack = int64(len(se.Queued))
		} else if err != nil {
			t.Fatal(err)
		}
		if err := p.TrySubmit(f); err != ErrClosed {
			t.Fatalf("after Close: %v", err)
		}
		wg.Wait()
		<-p.Done()
		if accepted.Load() != ran.Load()+handedBack {
			t.Fatalf("%d accepted, %d ran, %d handed back", accepted.Load(), ran.Load(), handedBack)
		}
		total += int(tried.Load())
	}
	if total != submits {
		t.Errorf("%d submits, want %d", total, submits)
	}
}

// 16 producers × 2,000 TrySubmit against 4 workers during Shutdown.
func TestS2AcceptedIsRan(t *testing.T) {
	for range 20 {
		p := New(4, 64)
		var accepted, ran atomic.Int64
		var wg sync.WaitGroup
		for range 16 {
			wg.Go(func() {
				for range 2000 {
					if p.TrySubmit(func(context.Context) { ran.Add(1) }) == nil {
						accepted.Add(1)
					}
				}
			})
		}
		time.Sleep(time.Duration(rand.IntN(2000)) * time.Microsecond)
		shutdown(t, p)
		wg.Wait()
		if accepted.Load() != ran.Load() {
			t.Fatalf("%d accepted, %d ran", accepted.Load(), ran.Load())
		}
	}
}

// Trees of tasks that submit to their own pool, wait, panic and exit, on a pool
// whose size changes.
func TestP8RandomTrees(t *testing.T) {
	p := New(2, 32, WithCallerRuns())
	var tree func(depth int) func(context.Context) (int, error)
	tree = func(depth int) func(context.Context) (int, error) {
		return func(ctx context.Context) (int, error) {
			switch rand.IntN(20) {
			case 0:
				panic("a leaf falls")
			case 1:
				p.SetWorkers(1 + rand.IntN(4))
			}
			if depth == 0 {
				return 1, nil
			}
			var children []*Future[int]
			for range rand.IntN(4) {
				f, err := Go(ctx, p, tree(depth-1))
				if err != nil {
					return 0, err
				}
				children = append(children, f)
			}
			for _, f := range children {
				if rand.IntN(10) == 0 {
					f.Cancel()
				}
				var pe *PanicError
				if _, err := f.Wait(ctx); err != nil && !errors.As(err, &pe) && !errors.Is(err, ErrDropped) {
					return 0, err
				}
			}
			return len(children), nil
		}
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 50 {
				f, err := Go(background, p, tree(4))
				if err != nil {
					t.Error(err)
					return
				}
				ctx, cancel := context.WithTimeout(background, 20*time.Second)
				_, err = f.Wait(ctx)
				cancel()
				var pe *PanicError
				if err != nil && !errors.As(err, &pe) {
					t.Errorf("%v", err)
					return
				}
			}
		})
	}
	wg.Wait()
	shutdown(t, p)
	consistent(t, p)
}
