package workpool

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestShutdownHandsBackWhatIsLeftInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := New(1, 10)
		ended := make(chan error, 1)
		submit(t, p, func(ctx context.Context) {
			<-ctx.Done()
			ended <- context.Cause(ctx)
		})
		synctest.Wait()
		var order []int
		for i := range 3 {
			submit(t, p, func(context.Context) { order = append(order, i) })
		}
		f, err := Go(background, p, func(context.Context) (int, error) { t.Error("ran"); return 0, nil })
		if err != nil {
			t.Fatal(err)
		}
		cause := errors.New("the machine goes down")
		ctx, cancel := context.WithTimeoutCause(background, 100*time.Millisecond, cause)
		defer cancel()
		start := time.Now()
		var se *ShutdownError
		err = p.Shutdown(ctx)
		since(start, 100*time.Millisecond, t, "Shutdown")
		if !errors.As(err, &se) || !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, cause) {
			t.Fatalf("%v", err)
		}
		if len(se.Queued) != 3 || se.Futures != 1 || se.Running != 1 {
			t.Errorf("%d queued, %d futures, %d running", len(se.Queued), se.Futures, se.Running)
		}
		if err := <-ended; err != ErrClosed {
			t.Errorf("the running task was cancelled because of %v", err)
		}
		if _, err := f.Wait(background); err != ErrDropped {
			t.Errorf("the future: %v", err)
		}
		<-p.Done()
		retry := New(1, 10)
		for _, f := range se.Queued {
			submit(t, retry, f)
		}
		shutdown(t, retry)
		if len(order) != 3 || order[0] != 0 || order[1] != 1 || order[2] != 2 {
			t.Errorf("retried in the order %v", order)
		}
		if err := p.Shutdown(background); err != nil {
			t.Errorf("a second Shutdown: %v", err)
		}
	})
}

func TestCloseOfAnIdlePoolIsNoError(t *testing.T) {
	for _, started := range []bool{false, true} {
		p := New(4, 4)
		if started {
			f, err := Go(background, p, func(context.Context) (int, error) { return 1, nil })
			if err != nil {
				t.Fatal(err)
			}
			if _, err := f.Wait(background); err != nil {
				t.Fatal(err)
			}
			for p.Stats().Active > 0 {
				time.Sleep(time.Millisecond)
			}
		}
		if err := p.Close(); err != nil {
			t.Errorf("started %v: %v", started, err)
		}
	}
}

func TestSubmitWithAnEndedContextAcceptsNothing(t *testing.T) {
	p := New(1, 1)
	ctx, cancel := context.WithCancel(background)
	cancel()
	if err := p.Submit(ctx, func(context.Context) { t.Error("ran") }); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	shutdown(t, p)
	if s := p.Stats(); s.Submitted != 0 || s.Rejected != 1 {
		t.Errorf("%+v", s)
	}
}

func TestSetWorkers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := New(1, 0)
		task := func(context.Context) { time.Sleep(time.Second) }
		for range 8 {
			go func() {
				if err := p.Submit(background, task); err != nil {
					t.Error(err)
				}
			}()
		}
		synctest.Wait()
		p.SetWorkers(4) // those who wait are let in at once
		synctest.Wait()
		if s := p.Stats(); s.Active != 4 || s.Waiters != 4 || s.MaxWorkers != 4 {
			t.Errorf("after growing: %d active, %d wait", s.Active, s.Waiters)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if s := p.Stats(); s.Active != 4 || s.Waiters != 0 || s.Done != 4 {
			t.Errorf("a second later: %d active, %d wait, %d done", s.Active, s.Waiters, s.Done)
		}
		p.SetWorkers(2) // those who run may finish
		if err := p.TrySubmit(task); err != ErrQueueFull {
			t.Errorf("with more tasks than workers: %v", err)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if s := p.Stats(); s.Workers != 2 || s.Active != 0 {
			t.Errorf("after shrinking: %d workers, %d active", s.Workers, s.Active)
		}
		p.SetWorkers(1)
		synctest.Wait()
		if n := p.Stats().Workers; n != 1 {
			t.Errorf("%d idle workers are left of 1", n)
		}
		submit(t, p, task)
		if err := p.TrySubmit(task); err != ErrQueueFull {
			t.Errorf("the second task on one worker: %v", err)
		}
		shutdown(t, p)
	})
}

func TestIdleTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := New(4, 0, WithIdleTimeout(time.Minute))
		release := occupy(t, p, 4, 0)
		synctest.Wait()
		release()
		synctest.Wait()
		if n := p.Stats().Workers; n != 4 {
			t.Fatalf("%d workers", n)
		}
		// One task every half minute: the worker that was busy last gets it,
		// and stays. The others have nothing to do.
		for range 4 {
			time.Sleep(30 * time.Second)
			submit(t, p, func(context.Context) {})
		}
		synctest.Wait()
		if n := p.Stats().Workers; n != 1 {
			t.Errorf("%d workers are kept for one task at a time", n)
		}
		time.Sleep(2 * time.Minute)
		if n := p.Stats().Workers; n != 0 {
			t.Errorf("%d workers are kept for none", n)
		}
		submit(t, p, func(context.Context) {})
		shutdown(t, p)
	})
}

func TestCancelFreesThePlaceAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := New(1, 3)
		release := occupy(t, p, 1, 0)
		task := func(context.Context) (int, error) { return 1, nil }
		for range 1000 {
			var fs []*Future[int]
			for range 3 {
				f, err := TryGo(background, p, task)
				if err != nil {
					t.Fatal(err)
				}
				fs = append(fs, f)
			}
			if _, err := TryGo(background, p, task); err != ErrQueueFull {
				t.Fatalf("a fourth: %v", err)
			}
			for _, i := range []int{1, 0, 2} {
				if !fs[i].Cancel() {
					t.Fatal("not cancelled")
				}
				if fs[i].Cancel() {
					t.Fatal("cancelled twice")
				}
				<-fs[i].Done()
				if _, err := fs[i].Wait(background); err != ErrDropped {
					t.Fatal(err)
				}
			}
		}
		// One that waits gets the place of one that is cancelled.
		var fs []*Future[int]
		for range 3 {
			f, err := Go(background, p, task)
			if err != nil {
				t.Fatal(err)
			}
			fs = append(fs, f)
		}
		accepted := make(chan error)
		go func() { accepted <- p.Submit(background, func(context.Context) {}) }()
		synctest.Wait()
		fs[1].Cancel()
		if err := <-accepted; err != nil {
			t.Error(err)
		}
		release()
		if v, err := fs[2].Wait(background); v != 1 || err != nil {
			t.Errorf("%v, %v", v, err)
		}
		if fs[2].Cancel() {
			t.Error("a task was cancelled that has run")
		}
		shutdown(t, p)
		consistent(t, p)
	})
}

// Gaps in the queue cost no capacity, and those around them keep their order.
func TestGapsInTheQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := New(1, 8)
		release := occupy(t, p, 1, 0)
		var order []int
		var keep, drop []*Future[int]
		next := 0
		add := func(list *[]*Future[int]) {
			n := next
			next++
			f, err := TryGo(background, p, func(context.Context) (int, error) { order = append(order, n); return n, nil })
			if err != nil {
				t.Fatal(err)
			}
			*list = append(*list, f)
		}
		add(&keep)
		for range 200 {
			add(&drop)
			add(&drop)
			if len(keep) < 6 {
				add(&keep)
			}
			for _, f := range drop {
				if !f.Cancel() {
					t.Fatal("not cancelled")
				}
			}
			drop = drop[:0]
		}
		release()
		shutdown(t, p)
		if len(order) != 6 {
			t.Fatalf("%v ran", order)
		}
		for i, f := range keep {
			if v, err := f.Wait(background); v != order[i] || err != nil {
				t.Errorf("future %d: %v, %v, and the order is %v", i, v, err, order)
			}
		}
	})
}

func TestStats(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := New(1, 2, WithName("photos"))
		for range 3 {
			submit(t, p, func(context.Context) { time.Sleep(time.Second) })
		}
		time.Sleep(1500 * time.Millisecond)
		s := p.Stats()
		if s.Name != "photos" || s.Workers != 1 || s.Active != 1 || s.QueueLen != 1 || s.QueueCap != 2 || s.LongestRunning != 500*time.Millisecond {
			t.Errorf("%+v", s)
		}
		shutdown(t, p)
		s = p.Stats()
		if s.QueueWait.Count != 3 || s.QueueWait.Sum != 3*time.Second || s.QueueWait.Max != 2*time.Second || s.QueueWait.Mean() != time.Second {
			t.Errorf("waits of 0, 1 and 2 s: %+v", s.QueueWait)
		}
		if s.RunTime.Count != 3 || s.RunTime.Mean() != time.Second || s.LongestRunning != 0 || s.Done != 3 {
			t.Errorf("3 tasks of 1 s: %+v", s)
		}
	})
}

// A worker that has its task, and has not read the clock yet, has not run for
// as long as there is time.
func TestLongestRunningOfATaskThatHasJustStarted(t *testing.T) {
	p := New(1, 1)
	submit(t, p, func(context.Context) {})
	for s := p.Stats(); s.Done == 0 || s.Active > 0; s = p.Stats() {
		time.Sleep(time.Millisecond)
	}
	p.mu.Lock()
	p.workers[0].running = true
	p.mu.Unlock()
	if d := p.Stats().LongestRunning; d != 0 {
		t.Errorf("%v", d)
	}
	p.mu.Lock()
	p.workers[0].running = false
	p.mu.Unlock()
	shutdown(t, p)
}

// After a thousand short tasks only one in 64 is measured. A task that gets
// stuck then still shows.
func TestLongestRunningShowsAStuckTaskAfterShortOnes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := New(2, 2000)
		for range 10 {
			for range 100 {
				submit(t, p, func(context.Context) {})
			}
			synctest.Wait()
		}
		if n := p.Stats().RunTime.Count; n == 0 || n > 500 {
			t.Errorf("%d of 1000 short tasks are measured", n)
		}
		time.Sleep(time.Hour)
		submit(t, p, func(context.Context) { time.Sleep(9 * time.Second) })
		time.Sleep(5 * time.Second)
		if d := p.Stats().LongestRunning; d != 5*time.Second {
			t.Errorf("the longest task has run for %v, want 5 s", d)
		}
		shutdown(t, p)
	})
}

func TestMaxQueueWait(t *testing.T) {
	// 1 worker of 100/s under 200/s for a minute, in a queue for 5 s. Answers
	// later than 100 ms are of no use.
	good := func(opts ...Option) (n int, s Stats) {
		synctest.Test(t, func(t *testing.T) {
			p := New(1, 500, opts...)
			for range 12000 {
				start := time.Now()
				p.TrySubmit(func(context.Context) {
					time.Sleep(10 * time.Millisecond)
					if time.Since(start) <= 100*time.Millisecond {
						n++
					}
				})
				time.Sleep(5 * time.Millisecond)
			}
			shutdown(t, p)
			consistent(t, p)
			s = p.Stats()
		})
		return n, s
	}
	without, s := good()
	if without > 50 || s.Expired != 0 {
		t.Errorf("without shedding %d of 6000 answers are in time, %d were shed: this is no overload", without, s.Expired)
	}
	with, s := good(WithMaxQueueWait(20 * time.Millisecond))
	if with < 5000 || s.Expired == 0 {
		t.Errorf("with shedding %d of 6000 answers are in time, %d were shed", with, s.Expired)
	}
}

func TestAShedFutureHasExpired(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := New(1, 100, WithMaxQueueWait(time.Millisecond))
		var last *Future[int]
		for range 100 {
			f, err := Go(background, p, func(context.Context) (int, error) { time.Sleep(50 * time.Millisecond); return 1, nil })
			if err != nil {
				t.Fatal(err)
			}
			last = f
		}
		if _, err := last.Wait(background); err != ErrExpired {
			t.Errorf("%v", err)
		}
		shutdown(t, p)
		consistent(t, p)
	})
}

func TestMisusePanics(t *testing.T) {
	p := New(1, 1)
	for name, f := range map[string]func(){
		"no workers":            func() { New(0, 1) },
		"negative queue":        func() { New(1, -1) },
		"no workers later":      func() { p.SetWorkers(0) },
		"nil Submit":            func() { p.Submit(background, nil) },
		"nil TrySubmit":         func() { p.TrySubmit(nil) },
		"nil Go":                func() { Go[int](background, p, nil) },
		"idle timeout of zero":  func() { WithIdleTimeout(0) },
		"longest wait of minus": func() { WithMaxQueueWait(-1) },
	} {
		func() {
			defer func() {
				if r, _ := recover().(string); !strings.HasPrefix(r, "workpool: ") {
					t.Errorf("%s: %q", name, r)
				}
			}()
			f()
		}()
	}
	shutdown(t, p)
}

// A panic that nobody handles ends the program, and its trace leads to the
// statement that panicked.
func TestAPanicThatNobodyHandlesEndsTheProgram(t *testing.T) {
	if os.Getenv("WORKPOOL_CRASH") != "" {
		p := New(1, 1)
		p.Submit(background, func(context.Context) { faultyTask() })
		time.Sleep(time.Minute)
		return
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(background, 30*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, exe, "-test.run=^TestAPanicThatNobodyHandlesEndsTheProgram$")
	cmd.Env = append(os.Environ(), "WORKPOOL_CRASH=1")
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 2 {
		t.Fatalf("it ended with %v\n%s", err, out)
	}
	for _, want := range []string{"panic: the task is faulty\n", "workpool.faultyTask("} {
		if !bytes.Contains(out, []byte(want)) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}

//go:noinline
func faultyTask() { panic("the task is faulty") }
