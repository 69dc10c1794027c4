package leak

import (
	"context"
	"runtime"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/concvet/concvet/runtime/workpool"
)

var background = context.Background()

func TestAPoolThatWasNeverUsed(t *testing.T) {
	defer goleak.VerifyNone(t)
	workpool.New(8, 8)
}

func TestAPoolThatDrained(t *testing.T) {
	defer goleak.VerifyNone(t)
	p := workpool.New(8, 1000)
	for range 1000 {
		if err := p.TrySubmit(func(context.Context) {}); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Shutdown(background); err != nil {
		t.Fatal(err)
	}
}

func TestAPoolThatGaveUp(t *testing.T) {
	defer goleak.VerifyNone(t)
	p := workpool.New(2, 10)
	for range 2 {
		if err := p.TrySubmit(func(ctx context.Context) { <-ctx.Done() }); err != nil {
			t.Fatal(err)
		}
	}
	// Contexts of tasks that were merged, used by a child, and dropped unrun.
	ctx, cancel := context.WithCancel(background)
	defer cancel()
	for range 3 {
		if _, err := workpool.Go(ctx, p, func(context.Context) (int, error) { return 0, nil }); err != nil {
			t.Fatal(err)
		}
	}
	go func() {
		for p.Submit(background, func(context.Context) {}) == nil {
		}
	}()
	time.Sleep(10 * time.Millisecond)
	if err := p.Close(); err == nil {
		t.Error("no error")
	}
	<-p.Done()
}

func TestContextsOfTasks(t *testing.T) {
	defer goleak.VerifyNone(t)
	p := workpool.New(2, 10)
	ctx, cancel := context.WithCancel(background)
	defer cancel()
	f, err := workpool.Go(ctx, p, func(ctx context.Context) (int, error) {
		context.WithoutCancel(ctx)
		child, cancel := context.WithTimeout(ctx, time.Hour)
		defer cancel()
		context.AfterFunc(child, func() {})
		return 0, child.Err()
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Wait(background); err != nil {
		t.Error(err)
	}
	if err := p.Shutdown(background); err != nil {
		t.Error(err)
	}
}

func TestTasksThatPanicAndExit(t *testing.T) {
	defer goleak.VerifyNone(t)
	p := workpool.New(2, 10, workpool.WithOnPanic(func(*workpool.PanicError) {}), workpool.WithIdleTimeout(time.Millisecond))
	for range 100 {
		for _, f := range []func(context.Context){func(context.Context) { panic(1) }, func(context.Context) { runtime.Goexit() }} {
			if err := p.Submit(background, f); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := p.Shutdown(background); err != nil {
		t.Error(err)
	}
}

func TestIdleWorkersEnd(t *testing.T) {
	defer goleak.VerifyNone(t)
	p := workpool.New(8, 8, workpool.WithIdleTimeout(time.Millisecond))
	for range 100 {
		if err := p.Submit(background, func(context.Context) {}); err != nil {
			t.Fatal(err)
		}
	}
	for p.Stats().Workers > 0 {
		time.Sleep(time.Millisecond)
	}
}
