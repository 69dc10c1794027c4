package defects

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/Jeffail/tunny"
	"github.com/alitto/pond/v2"
	"github.com/gammazero/workerpool"
	"github.com/panjf2000/ants/v2"
	"github.com/sourcegraph/conc/pool"
	"golang.org/x/sync/errgroup"

	"github.com/concvet/concvet/runtime/workpool"
)

const (
	// longEnough is far more than any of the calls below needs if it ends.
	longEnough = 300 * time.Millisecond
	// tooLong is when a call that must end has not.
	tooLong = 30 * time.Second
)

var background = context.Background()

func ends(f func(), within time.Duration) bool {
	done := make(chan struct{})
	go func() { defer close(done); f() }()
	select {
	case <-done:
		return true
	case <-time.After(within):
		return false
	}
}

func mustHang(t *testing.T, what string, f func()) {
	t.Helper()
	if ends(f, longEnough) {
		t.Errorf("%s: it ends, and this page says that it hangs", what)
	}
}

func mustEnd(t *testing.T, what string, f func()) {
	t.Helper()
	if !ends(f, tooLong) {
		t.Errorf("%s: it hangs", what)
	}
}

// A task that starts a task of its pool and waits for it, while the pool has no
// free worker.
func TestATaskThatWaitsForATaskOfItsPool(t *testing.T) {
	t.Parallel()
	mustHang(t, "conc Go in Go", func() {
		p := pool.New().WithMaxGoroutines(1)
		done := make(chan struct{})
		p.Go(func() { p.Go(func() {}); close(done) })
		<-done // Wait meanwhile would make the inner Go panic: it closes the channel
	})
	mustHang(t, "errgroup Go in Go", func() {
		var g errgroup.Group
		g.SetLimit(1)
		g.Go(func() error { g.Go(func() error { return nil }); return nil })
		_ = g.Wait()
	})
	mustHang(t, "ants Submit in a task", func() {
		p, err := ants.NewPool(1)
		if err != nil {
			t.Error(err)
			return
		}
		var wg sync.WaitGroup
		wg.Add(1)
		_ = p.Submit(func() { _ = p.Submit(func() {}); wg.Done() })
		wg.Wait()
	})
	mustHang(t, "pond Submit and Wait in a task", func() {
		p := pond.NewPool(1)
		_ = p.Submit(func() { _ = p.Submit(func() {}).Wait() }).Wait()
	})
	mustHang(t, "gammazero DoWait in a task", func() {
		p := workerpool.New(1)
		p.SubmitWait(func() { p.SubmitWait(func() {}) })
	})
	mustHang(t, "tunny Process in a task", func() {
		var p *tunny.Pool
		p = tunny.NewFunc(1, func(v any) any {
			if v == 1 {
				return p.Process(2)
			}
			return v
		})
		p.Process(1)
	})

	mustEnd(t, "ours, Go and Wait in a task", func() {
		p := workpool.New(1, 1)
		f, err := workpool.Go(background, p, func(ctx context.Context) (int, error) {
			g, err := workpool.Go(ctx, p, func(context.Context) (int, error) { return 7, nil })
			if err != nil {
				return 0, err
			}
			return g.Wait(ctx)
		})
		if err != nil {
			t.Error(err)
			return
		}
		if v, err := f.Wait(background); v != 7 || err != nil {
			t.Errorf("ours: %v, %v", v, err)
		}
		if err := p.Shutdown(background); err != nil {
			t.Error(err)
		}
	})
	mustEnd(t, "ours, Submit in a task with no room", func() {
		p := workpool.New(1, 0)
		got := make(chan error, 1)
		_ = p.TrySubmit(func(ctx context.Context) { got <- p.Submit(ctx, func(context.Context) {}) })
		if err := <-got; !errors.Is(err, workpool.ErrSelfSubmit) {
			t.Errorf("ours: %v", err)
		}
		if err := p.Shutdown(background); err != nil {
			t.Error(err)
		}
	})
}

// A task that calls runtime.Goexit, as t.FailNow does.
func TestATaskThatCallsGoexit(t *testing.T) {
	t.Parallel()
	mustHang(t, "gammazero: the worker is lost, and StopWait waits for it", func() {
		p := workerpool.New(1)
		p.Submit(func() { runtime.Goexit() })
		p.StopWait()
	})
	mustHang(t, "pond: the future never resolves", func() {
		p := pond.NewPool(1)
		_ = p.Submit(func() { runtime.Goexit() }).Wait()
	})
	var panicked any
	ends(func() {
		defer func() { panicked = recover() }()
		p := tunny.NewFunc(1, func(any) any { runtime.Goexit(); return nil })
		p.Process(1)
	}, longEnough)
	if panicked == nil {
		t.Error("tunny: Process no longer panics when the task ends its goroutine")
	}

	mustEnd(t, "ours", func() {
		p := workpool.New(1, 1)
		f, err := workpool.Go(background, p, func(context.Context) (int, error) { runtime.Goexit(); return 0, nil })
		if err != nil {
			t.Error(err)
			return
		}
		if _, err := f.Wait(background); !errors.Is(err, workpool.ErrGoexit) {
			t.Errorf("ours: %v", err)
		}
		f, err = workpool.Go(background, p, func(context.Context) (int, error) { return 3, nil })
		if err != nil {
			t.Error(err)
			return
		}
		if v, err := f.Wait(background); v != 3 || err != nil {
			t.Errorf("ours: the next task: %v, %v", v, err)
		}
		if err := p.Shutdown(background); err != nil {
			t.Error(err)
		}
	})
}

type logger struct {
	mu    sync.Mutex
	lines []string
}

func (l *logger) Printf(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, fmt.Sprintf(format, args...))
}

// A task that panics, and nobody has said what to do then.
func TestATaskThatPanics(t *testing.T) {
	t.Parallel()
	mustEnd(t, "ants", func() {
		var l logger
		p, err := ants.NewPool(1, ants.WithLogger(&l))
		if err != nil {
			t.Error(err)
			return
		}
		if err := p.Submit(func() { panic("lost") }); err != nil {
			t.Error(err)
		}
		p.Release()
		for p.Running() > 0 {
			time.Sleep(time.Millisecond)
		}
		time.Sleep(10 * time.Millisecond)
		l.mu.Lock()
		defer l.mu.Unlock()
		if len(l.lines) == 0 || !strings.Contains(strings.Join(l.lines, ""), "lost") {
			t.Errorf("ants: the log has %q; we say that a panic is a line there and nothing else", l.lines)
		}
	})
	mustEnd(t, "pond", func() {
		p := pond.NewPool(1)
		if err := p.Go(func() { panic("lost") }); err != nil {
			t.Error(err)
		}
		p.StopAndWait()
		if n := p.FailedTasks(); n != 1 {
			t.Errorf("pond: %d failed tasks; we say that a panic is one and nothing else", n)
		}
	})
	mustEnd(t, "conc", func() {
		p := pool.New().WithMaxGoroutines(1)
		p.Go(func() { panic("late") })
		var ran atomic.Bool
		p.Go(func() { ran.Store(true) })
		time.Sleep(50 * time.Millisecond)
		if !ran.Load() {
			t.Error("conc: nothing runs after a panic; we say that it stays invisible until Wait")
		}
		defer func() {
			if recover() == nil {
				t.Error("conc: Wait does not panic")
			}
		}()
		p.Wait()
	})
	// Ours ends the program, as a plain goroutine does:
	// TestAPanicThatNobodyHandlesEndsTheProgram in package workpool.
}

// One worker is busy for half a second, the queue is full, one submit waits.
// Then the pool is stopped.
func TestASubmitThatWaitsWhileThePoolStops(t *testing.T) {
	t.Parallel()
	const work = 500 * time.Millisecond
	released := func(submit func(func()), stop func()) time.Duration {
		submit(func() { time.Sleep(work) })
		time.Sleep(20 * time.Millisecond)
		submit(func() {})
		done := make(chan struct{})
		go func() { submit(func() {}); close(done) }()
		time.Sleep(20 * time.Millisecond)
		start := time.Now()
		go stop()
		<-done
		return time.Since(start)
	}
	p := pond.NewPool(1, pond.WithQueueSize(1))
	if d := released(func(f func()) { _ = p.Go(f) }, p.StopAndWait); d < work/2 {
		t.Errorf("pond: the blocked Go returned after %v; we say that it waits for the drain", d)
	}
	q := workpool.New(1, 1)
	submit := func(f func()) { _ = q.Submit(background, func(context.Context) { f() }) }
	if d := released(submit, func() { _ = q.Shutdown(background) }); d > work/2 {
		t.Errorf("ours: the blocked Submit returned after %v", d)
	}
	<-q.Done()
}
