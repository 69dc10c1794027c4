package workpool

import (
	"time"

	"github.com/concvet/concvet/runtime/internal/codel"
)

// An Option changes a pool in [New].
type Option func(*Pool)

// WithName gives the pool a name for its [Stats].
func WithName(name string) Option {
	return func(p *Pool) { p.name = name }
}

// WithOnPanic has f called with every panic of a task of Submit or TrySubmit,
// on the goroutine of the worker, instead of ending the program. Panics of
// tasks of Go are errors of their futures and do not reach f.
func WithOnPanic(f func(*PanicError)) Option {
	return func(p *Pool) { p.onPanic = f }
}

// WithIdleTimeout ends a worker that has had no task for d. Without it, workers
// start when they are first needed and stay.
func WithIdleTimeout(d time.Duration) Option {
	if d <= 0 {
		panic("workpool: the idle timeout must be positive")
	}
	return func(p *Pool) { p.idleTimeout = d }
}

// WithCallerRuns has a task that submits to its own full pool run the new task
// itself, at once, where Submit and Go would return [ErrSelfSubmit].
func WithCallerRuns() Option {
	return func(p *Pool) { p.callerRuns = true }
}

// WithMaxQueueWait sheds load at the front of the queue. When even the shortest
// wait of the last interval, 100 ms or four times target, was longer than
// target, the pool does not keep up; then a task that has waited for more than
// twice target is not run but counted as expired. Its future, if it has one,
// has [ErrExpired]; a task of Submit or TrySubmit has no other trace, so use it
// for work that nobody waits for any more when it is late.
func WithMaxQueueWait(target time.Duration) Option {
	if target <= 0 {
		panic("workpool: the longest wait in the queue must be positive")
	}
	return func(p *Pool) {
		p.shed = codel.Controller{Target: target, Interval: max(100*time.Millisecond, 4*target)}
	}
}
