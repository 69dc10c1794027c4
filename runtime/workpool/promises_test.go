package workpool

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

var background = context.Background()

func shutdown(t *testing.T, p *Pool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(background, 10*time.Second)
	defer cancel()
	if err := p.Shutdown(ctx); err != nil {
		t.Errorf("Shutdown: %v", err)
	}
}

func submit(t *testing.T, p *Pool, f func(context.Context)) {
	t.Helper()
	if err := p.Submit(background, f); err != nil {
		t.Errorf("Submit: %v", err)
	}
}

// occupy fills a pool: every worker has a task that ends with release, and
// queued empty tasks wait.
func occupy(t *testing.T, p *Pool, workers, queued int) (release func()) {
	t.Helper()
	block := make(chan struct{})
	for range workers {
		submit(t, p, func(context.Context) { <-block })
	}
	for range queued {
		submit(t, p, func(context.Context) {})
	}
	return sync.OnceFunc(func() { close(block) })
}

func since(start time.Time, want time.Duration, t *testing.T, what string) {
	t.Helper()
	if got := time.Since(start); got != want {
		t.Errorf("%s took %v, want %v", what, got, want)
	}
}

func TestP1ABlockedSubmitDelaysNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := New(1, 1)
		submit(t, p, func(context.Context) { time.Sleep(400 * time.Millisecond) })
		submit(t, p, func(context.Context) {})
		go func() {
			ctx, cancel := context.WithTimeout(background, 10*time.Second)
			defer cancel()
			if err := p.Submit(ctx, func(context.Context) {}); err != ErrClosed {
				t.Errorf("the blocked Submit returned %v", err)
			}
		}()
		synctest.Wait()

		start := time.Now()
		if err := p.TrySubmit(func(context.Context) {}); err != ErrQueueFull {
			t.Errorf("TrySubmit beside a blocked Submit: %v", err)
		}
		since(start, 0, t, "TrySubmit")
		ctx, cancel := context.WithTimeout(background, 50*time.Millisecond)
		defer cancel()
		if err := p.Submit(ctx, func(context.Context) {}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the second Submit: %v", err)
		}
		since(start, 50*time.Millisecond, t, "the second Submit")

		stopped := make(chan error)
		go func() { stopped <- p.Shutdown(background) }()
		synctest.Wait()
		if err := p.TrySubmit(func(context.Context) {}); err != ErrClosed {
			t.Errorf("TrySubmit while Shutdown drains: %v", err)
		}
		since(start, 50*time.Millisecond, t, "TrySubmit while Shutdown drains")
		if err := <-stopped; err != nil {
			t.Error(err)
		}
		since(start, 400*time.Millisecond, t, "Shutdown")
	})
}

func TestP2ShutdownReleasesEveryBlockedSubmitAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := New(1, 1)
		release := occupy(t, p, 1, 1)
		results := make(chan error, 100)
		for i := range 100 {
			go func() {
				if i%2 == 0 {
					results <- p.Submit(background, func(context.Context) {})
					return
				}
				_, err := Go(background, p, func(context.Context) (int, error) { return 0, nil })
				results <- err
			}()
		}
		synctest.Wait()
		if n := p.Stats().Waiters; n != 100 {
			t.Fatalf("%d wait, want 100", n)
		}
		start := time.Now()
		go p.Shutdown(background)
		for range 100 {
			if err := <-results; err != ErrClosed {
				t.Errorf("a blocked call returned %v, want ErrClosed", err)
			}
		}
		since(start, 0, t, "the release of 100 blocked calls")
		release()
		shutdown(t, p)
		if s := p.Stats(); s.Submitted != 2 || s.Done != 2 {
			t.Errorf("%d accepted and %d done, want 2", s.Submitted, s.Done)
		}
	})
}

func TestP3NothingIsAcceptedAfterShutdownBegan(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := New(2, 4)
		release := occupy(t, p, 2, 0)
		go p.Shutdown(background)
		synctest.Wait() // it waits for the two tasks
		f := func(context.Context) { t.Error("ran") }
		if err := p.TrySubmit(f); err != ErrClosed {
			t.Errorf("TrySubmit: %v", err)
		}
		if err := p.Submit(background, f); err != ErrClosed {
			t.Errorf("Submit: %v", err)
		}
		if _, err := Go(background, p, func(ctx context.Context) (int, error) { f(ctx); return 0, nil }); err != ErrClosed {
			t.Errorf("Go: %v", err)
		}
		if _, err := TryGo(background, p, func(ctx context.Context) (int, error) { f(ctx); return 0, nil }); err != ErrClosed {
			t.Errorf("TryGo: %v", err)
		}
		release()
		shutdown(t, p)
	})
}

func TestP5TrySubmitOnAFullPoolTakesNoLockAndAllocatesNothing(t *testing.T) {
	p := New(1, 1)
	release := occupy(t, p, 1, 1)
	f := func(context.Context) {}
	p.mu.Lock()
	refused := make(chan error, 1)
	go func() { refused <- p.TrySubmit(f) }()
	select {
	case err := <-refused:
		if err != ErrQueueFull {
			t.Errorf("it returned %v", err)
		}
	case <-time.After(10 * time.Second):
		t.Error("it waits for the lock")
	}
	p.mu.Unlock()
	before := p.Stats().Rejected
	if n := testing.AllocsPerRun(1000, func() { p.TrySubmit(f) }); n != 0 {
		t.Errorf("%v allocations to be refused", n)
	}
	if got := p.Stats().Rejected - before; got != 1001 {
		t.Errorf("%d of 1001 refusals are counted", got)
	}
	release()
	shutdown(t, p)
}

func TestTrySubmitAllocatesNothingToAcceptATask(t *testing.T) {
	p := New(2, 2000)
	defer shutdown(t, p)
	f := func(context.Context) {}
	for range 100 { // start the workers
		submit(t, p, f)
	}
	n := testing.AllocsPerRun(1000, func() {
		if err := p.TrySubmit(f); err != nil {
			t.Error(err)
		}
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestP6TasksAndBlockedSubmittersKeepTheirOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := New(1, 3)
		var mu sync.Mutex
		var order []int
		task := func(i int) func(context.Context) {
			return func(context.Context) {
				mu.Lock()
				order = append(order, i)
				mu.Unlock()
				time.Sleep(time.Millisecond)
				// Room has just been made, and somebody has waited for
				// it for longer than we.
				if p.Stats().Waiters > 0 {
					if err := p.TrySubmit(func(context.Context) { t.Error("a barger ran") }); err != ErrQueueFull {
						t.Errorf("a submit overtook those who wait: %v", err)
					}
				}
			}
		}
		for i := range 20 {
			go func() {
				if err := p.Submit(background, task(i)); err != nil {
					t.Error(err)
				}
			}()
			synctest.Wait() // accepted, or in the list of those who wait
		}
		if n := p.Stats().Waiters; n != 16 {
			t.Errorf("%d wait, want 16", n)
		}
		time.Sleep(time.Second)
		shutdown(t, p)
		if len(order) != 20 || !slices.IsSorted(order) {
			t.Errorf("tasks ran in the order %v", order)
		}
	})
}

func TestP7NothingATaskDoesShrinksThePoolOrStrandsAFuture(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var handled atomic.Int64
		p := New(2, 8, WithOnPanic(func(e *PanicError) {
			if e.Value != "plain" || len(e.Stack) == 0 {
				t.Errorf("the handler got %v", e.Value)
			}
			handled.Add(1)
		}))
		cause := errors.New("cause")
		for i := range 100 {
			submit(t, p, func(context.Context) { panic("plain") })
			submit(t, p, func(context.Context) { runtime.Goexit() })
			f, err := Go(background, p, func(context.Context) (int, error) { panic(cause) })
			if err != nil {
				t.Fatal(err)
			}
			var pe *PanicError
			if _, err := f.Wait(background); !errors.As(err, &pe) || !errors.Is(err, cause) {
				t.Fatalf("round %d: a panic became %v", i, err)
			}
			f, err = Go(background, p, func(context.Context) (int, error) { runtime.Goexit(); return 0, nil })
			if err != nil {
				t.Fatal(err)
			}
			if _, err := f.Wait(background); err != ErrGoexit {
				t.Fatalf("round %d: Goexit became %v", i, err)
			}
		}
		// Both workers are there: each task waits for the other.
		a, b := make(chan struct{}), make(chan struct{})
		submit(t, p, func(context.Context) { close(a); <-b })
		submit(t, p, func(context.Context) { close(b); <-a })
		shutdown(t, p)
		s := p.Stats()
		if handled.Load() != 100 || s.Panics != 200 || s.Goexits != 200 || s.Done != 402 {
			t.Errorf("%d handled, %d panics, %d goexits, %d done", handled.Load(), s.Panics, s.Goexits, s.Done)
		}
	})
}

func TestP9NoGoroutineBeforeTheFirstTaskAndNoneAfterDone(t *testing.T) {
	before := runtime.NumGoroutine()
	p := New(8, 8)
	if n := runtime.NumGoroutine(); n != before {
		t.Errorf("%d goroutines came with New", n-before)
	}
	var wg sync.WaitGroup
	for range 100 {
		wg.Add(1)
		submit(t, p, func(context.Context) { wg.Done() })
	}
	wg.Wait()
	shutdown(t, p)
	select {
	case <-p.Done():
	default:
		t.Error("Done is not closed after Shutdown returned nil")
	}
	for range 100 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond) // a goroutine ends a little after its last statement
	}
	t.Errorf("%d goroutines are left", runtime.NumGoroutine()-before)
}

func TestP10ATaskWhoseContextEndedInTheQueueIsNotRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := New(1, 8)
		release := occupy(t, p, 1, 0)
		cause := errors.New("the client is gone")
		ctx, cancel := context.WithCancelCause(background)
		cancelled, err := Go(ctx, p, func(context.Context) (int, error) { t.Error("ran"); return 1, nil })
		if err != nil {
			t.Fatal(err)
		}
		ctx2, cancel2 := context.WithTimeout(background, time.Second)
		defer cancel2()
		late, err := TryGo(ctx2, p, func(context.Context) (int, error) { t.Error("ran"); return 1, nil })
		if err != nil {
			t.Fatal(err)
		}
		live, err := Go(background, p, func(context.Context) (int, error) { return 7, nil })
		if err != nil {
			t.Fatal(err)
		}
		cancel(cause)
		time.Sleep(2 * time.Second)
		release()
		if _, err := cancelled.Wait(background); !errors.Is(err, ErrExpired) || !errors.Is(err, cause) || !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled in the queue: %v", err)
		}
		if _, err := late.Wait(background); !errors.Is(err, ErrExpired) || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("late in the queue: %v", err)
		}
		if v, err := live.Wait(background); v != 7 || err != nil {
			t.Errorf("the one behind: %v, %v", v, err)
		}
		shutdown(t, p)
		if s := p.Stats(); s.Expired != 2 || s.Done != 2 || s.Submitted != 4 {
			t.Errorf("%d expired, %d done of %d", s.Expired, s.Done, s.Submitted)
		}
	})
}
