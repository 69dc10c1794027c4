package workpool

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"testing/synctest"
	"time"
)

type key struct{}

func TestTheContextOfATask(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := New(1, 1)
		run := func(ctx context.Context, f func(context.Context)) {
			t.Helper()
			fu, err := Go(ctx, p, func(ctx context.Context) (int, error) { f(ctx); return 0, nil })
			if err != nil {
				t.Fatal(err)
			}
			if _, err := fu.Wait(background); err != nil {
				t.Fatal(err)
			}
		}

		parent, cancel := context.WithTimeout(context.WithValue(background, key{}, "value"), time.Minute)
		defer cancel()
		run(parent, func(ctx context.Context) {
			if ctx.Value(key{}) != "value" {
				t.Error("the value of the caller is lost")
			}
			want, _ := parent.Deadline()
			if d, ok := ctx.Deadline(); !ok || d != want {
				t.Errorf("the deadline is %v, %v", d, ok)
			}
			if err := ctx.Err(); err != nil {
				t.Errorf("it has ended with %v", err)
			}
		})

		cause := errors.New("cause")
		parent, cancelCause := context.WithCancelCause(background)
		var after context.Context
		run(parent, func(ctx context.Context) {
			after = ctx
			child, cancel := context.WithCancel(ctx)
			defer cancel()
			cancelCause(cause)
			<-ctx.Done()
			<-child.Done()
			if ctx.Err() != context.Canceled || context.Cause(ctx) != cause || context.Cause(child) != cause {
				t.Errorf("it ended with %v because of %v", ctx.Err(), context.Cause(ctx))
			}
		})
		if after.Value(workerKey{p}) != nil {
			t.Error("a context still counts as of a task after that has returned")
		}
		shutdown(t, p)
	})
}

func TestTheContextOfATaskEndsWithThePool(t *testing.T) {
	callerCtx, cancelCaller := context.WithCancel(background)
	defer cancelCaller()
	for name, ctx := range map[string]context.Context{
		"a caller without end":   background,
		"a caller with an end":   callerCtx,
		"a caller cut off":       context.WithoutCancel(callerCtx),
		"a caller with a value":  context.WithValue(background, key{}, 1),
		"an end behind a value":  context.WithValue(callerCtx, key{}, 1),
		"a task of another pool": &workerCtx{background, &worker{p: New(1, 1)}},
	} {
		t.Run(name, func(t *testing.T) {
			p := New(1, 1)
			started := make(chan struct{})
			f, err := Go(ctx, p, func(ctx context.Context) (int, error) {
				before := runtime.NumGoroutine()
				child, cancel := context.WithCancel(ctx)
				defer cancel()
				if n := runtime.NumGoroutine(); n > before {
					t.Errorf("a child context costs a goroutine")
				}
				close(started)
				<-child.Done()
				<-ctx.Done()
				if ctx.Err() != context.Canceled || context.Cause(ctx) != ErrClosed || context.Cause(child) != ErrClosed {
					t.Errorf("it ended with %v because of %v", ctx.Err(), context.Cause(ctx))
				}
				return 0, nil
			})
			if err != nil {
				t.Fatal(err)
			}
			<-started
			if err := p.Close(); err == nil {
				t.Error("no error")
			}
			if _, err := f.Wait(background); err != nil {
				t.Error(err)
			}
			<-p.Done()
		})
	}
}

func TestWaitEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := New(1, 1)
		f, err := Go(background, p, func(context.Context) (int, error) { time.Sleep(time.Second); return 4, nil })
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(background, time.Millisecond)
		defer cancel()
		if _, err := f.Wait(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v", err)
		}
		select {
		case <-f.Done():
			t.Error("Done is closed")
		default:
		}
		if v, err := f.Wait(background); v != 4 || err != nil {
			t.Errorf("%v, %v", v, err)
		}
		<-f.Done()
		if v, err := f.Wait(ctx); v != 4 || err != nil {
			t.Errorf("a result that is there, with an ended context: %v, %v", v, err)
		}
		shutdown(t, p)
	})
}
