package ok

import (
	"context"
	"time"
)

func timerOk(ctx context.Context, every time.Duration, work func()) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(every):
			work()
		}
	}
}

// Nothing ends this loop early, so nothing is ignored.
func endlessOk(every time.Duration, work func()) {
	for {
		work()
		time.Sleep(every)
	}
}

func shortSleepOk(ctx context.Context, ready func() bool) {
	for !ready() {
		if ctx.Err() != nil {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// The channel is closed at the end.
func drainOk(ctx context.Context, in <-chan int, work func(int)) {
	for {
		select {
		case <-ctx.Done():
			return
		default:
		}
		v, ok := <-in
		if !ok {
			return
		}
		work(v)
	}
}

func sleepUntilOk(ctx context.Context, every time.Duration, work func()) {
	for {
		select {
		case <-ctx.Done():
			return
		default:
		}
		work()
		if !pause(ctx, every) {
			return
		}
	}
}

func pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// Somebody who leaves tells it, and is waited for after the loop.
type worker struct{ quit, done chan struct{} }

func (w *worker) run(jobs <-chan int) {
	defer close(w.done)
	for {
		select {
		case <-w.quit:
			return
		case <-jobs:
		}
	}
}

func (w *worker) stopOk() {
	close(w.quit)
	<-w.done
}
