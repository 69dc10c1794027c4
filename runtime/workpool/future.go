package workpool

import (
	"context"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// A Future is a result that a task of [Go] will have.
type Future[T any] struct {
	future
	fn  func(context.Context) (T, error)
	val T
}

// Go has f run, and waits for room like [Pool.Submit]. ctx bounds that wait and
// f: f gets a context that ends with ctx and with the pool, and if ctx ends
// before f was started, f is not run and the future has [ErrExpired]. The
// context must not be used after f has returned.
func Go[T any](ctx context.Context, p *Pool, f func(context.Context) (T, error)) (*Future[T], error) {
	fu := newFuture(ctx, p, f)
	if err := p.submit(ctx, fu); err != nil {
		return nil, err
	}
	return fu, nil
}

// TryGo is Go, except that it returns [ErrQueueFull] where Go would wait.
func TryGo[T any](ctx context.Context, p *Pool, f func(context.Context) (T, error)) (*Future[T], error) {
	if p.full.Load() {
		p.rejected.add()
		return nil, ErrQueueFull
	}
	fu := newFuture(ctx, p, f)
	if err := p.try(fu); err != nil {
		return nil, err
	}
	return fu, nil
}

func newFuture[T any](ctx context.Context, p *Pool, f func(context.Context) (T, error)) *Future[T] {
	if f == nil {
		panic("workpool: the task is nil")
	}
	fu := &Future[T]{fn: f}
	fu.pool = p
	fu.ctx.Context, fu.ctx.pool = ctx, p.ctx
	return fu
}

// Wait waits for the result, at most until ctx ends. The task is not cancelled
// by that. A task that waits for a task of the same pool which has not started
// runs it instead. If that one calls runtime.Goexit, both end.
//
// The error is what the function returned, a [*PanicError], [ErrGoexit],
// [ErrExpired] with the cause, or [ErrDropped].
func (f *Future[T]) Wait(ctx context.Context) (T, error) {
	if !f.settled.Load() {
		if err := f.await(ctx, f); err != nil {
			var zero T
			return zero, err
		}
	}
	return f.val, f.err
}

// Done is closed when there is a result.
func (f *Future[T]) Done() <-chan struct{} { return f.future.done() }

// Cancel takes the task out of the queue. It returns true if the task had not
// started; then it never will, and Wait returns [ErrDropped]. To cancel a task
// that runs, end the context it was given to Go with.
func (f *Future[T]) Cancel() bool {
	if !f.leaveQueue(func(p *Pool) { p.count.dropped++ }) {
		return false
	}
	f.drop(ErrDropped)
	return true
}

func (f *Future[T]) core() *future { return &f.future }

func (f *Future[T]) run(w *worker) (worth bool) {
	if f.ctx.Context.Err() != nil {
		f.drop(&expiredError{ended(f.ctx.Context)})
		return false
	}
	f.ctx.w, worth = w, true
	defer f.finish(w)
	f.val, f.err = f.fn(&f.ctx)
	f.returned = true
	return true
}

// finish settles the future of a task, however that has ended.
func (f *Future[T]) finish(w *worker) {
	if !f.returned {
		if r := recover(); r != nil {
			w.panics++
			f.err = &PanicError{r, debug.Stack()}
		} else {
			w.goexits++
			f.err = ErrGoexit
		}
	}
	f.ctx.end()
	f.fn = nil
	f.settle()
}

func (f *Future[T]) drop(err error) {
	f.fn = nil
	f.err = err
	f.settle()
}

// future is what a Future is without its type.
type future struct {
	pool *Pool
	ctx  taskCtx

	// Under the lock of the pool.
	inQueue bool
	pos     uint32 // there

	returned bool
	err      error

	settled atomic.Bool // err and the value are there
	mu      sync.Mutex
	ready   chan struct{} // closed when settled; made when first asked for
}

var closedChan = func() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

func (f *future) done() <-chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ready == nil {
		if f.settled.Load() {
			return closedChan
		}
		f.ready = make(chan struct{})
	}
	return f.ready
}

func (f *future) settle() {
	f.mu.Lock()
	f.settled.Store(true)
	ready := f.ready
	f.mu.Unlock()
	if ready != nil {
		close(ready)
	}
}

// await waits until f is settled, or ctx ends.
func (f *future) await(ctx context.Context, j job) error {
	var helper chan<- struct{}
	caller, _ := ctx.Value(workerKey{f.pool}).(*worker)
	if caller != nil {
		helper = caller.helper
	}
	for {
		var shrunk <-chan struct{}
		if caller == nil {
			switch waits, starving := f.turn(); {
			case waits && starving:
				if onStack(f.pool.id) && f.help(j) {
					return nil
				}
			case waits:
				shrunk = f.pool.shrunk
			}
		}
		select {
		case <-f.done():
			return nil
		case helper <- struct{}{}:
			// One goroutine at a time helps in the place of the task that
			// waits, so that no more tasks run than there are workers.
			if f.helpFor(caller, j) {
				return nil
			}
			helper = nil
		case <-shrunk: // look again
		case <-ctx.Done():
			if f.settled.Load() {
				return nil
			}
			return ended(ctx)
		}
	}
}

// turn reports whether f waits in the queue, and if so, whether it may depend
// on the caller that it is run: not if there is a free worker for every task
// that is queued, and the pool does not shrink.
func (f *future) turn() (waits, starving bool) {
	p := f.pool
	p.mu.Lock()
	defer p.mu.Unlock()
	return f.inQueue, p.load > p.max || p.hasShrunk
}

func (f *future) helpFor(w *worker, j job) bool {
	defer func() { <-w.helper }()
	return f.help(j)
}

// help takes the task out of the queue, if it is still there, and runs it.
func (f *future) help(j job) bool {
	if !f.leaveQueue(func(p *Pool) { p.count.inlined++ }) {
		return false
	}
	f.pool.runInline(j)
	return true
}

// leaveQueue takes the task out of the queue and counts that. It returns false
// if it is not in the queue.
func (f *future) leaveQueue(count func(*Pool)) bool {
	p := f.pool
	p.mu.Lock()
	if !f.inQueue {
		p.mu.Unlock()
		return false
	}
	p.queue.remove(f)
	count(p)
	p.leave()
	p.hush()
	w := p.rouse()
	p.mu.Unlock()
	w.start()
	return true
}

// runInline runs a task that is counted as submitted and not in the queue, on
// this goroutine, in the place of the task that waits for it.
func (p *Pool) runInline(j job) {
	w := newWorker(p)
	defer func() {
		p.mu.Lock()
		p.count.inlineDone++
		p.countEnd(w)
		p.mu.Unlock()
	}()
	w.exec(j)
}

// runNow accepts a task of a task and runs it.
func (p *Pool) runNow(j job) error {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return ErrClosed
	}
	p.count.submitted++
	p.count.inlined++
	p.mu.Unlock()
	p.runInline(j)
	return nil
}

// An expiredError is ErrExpired because of the end of a context.
type expiredError struct{ cause error }

func (e *expiredError) Error() string   { return ErrExpired.Error() + ": " + e.cause.Error() }
func (e *expiredError) Unwrap() []error { return []error{ErrExpired, e.cause} }
