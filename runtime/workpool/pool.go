package workpool

import (
	"context"
	"math"
	"sync/atomic"
	"time"

	"github.com/concvet/concvet/runtime/internal/codel"
	"github.com/concvet/concvet/runtime/internal/hist"
	"github.com/concvet/concvet/runtime/internal/spin"
	"github.com/concvet/concvet/runtime/internal/waitq"
)

// A Pool runs tasks on a fixed number of workers. Use [New].
//
// One short lock guards all of it, and nobody waits while holding it: a blocked
// Submit is an entry in a list, with its task. Whoever makes room moves the
// first entry into the queue in the same critical section, so nobody overtakes,
// no wake-up is lost, and Shutdown has only to empty the list.
type Pool struct {
	name        string
	capacity    int // of the queue
	onPanic     func(*PanicError)
	idleTimeout time.Duration
	callerRuns  bool
	id          uint32 // on the stack of its workers
	ctx         context.Context
	cancel      context.CancelCauseFunc
	done        chan struct{} // closed when it is shut down and has no workers

	_ [64]byte
	// full says that nothing can be accepted: who only tries needs no lock to
	// be refused. It changes under the lock, so it is exact there.
	full     atomic.Bool
	_        [63]byte
	rejected counter

	mu      spin.Mutex
	queue   queue
	load    int // tasks that wait or run
	limit   int // of load: workers and the capacity of the queue
	busy    int // workers with a task
	live    int // workers that have a goroutine, or are about to have one
	waking  int // workers that were told to look at the queue and have not yet
	max     int // workers
	closed  bool
	idle    []*worker // the one that was busy last stands at the end
	workers []*worker
	waiters waitq.List[job]
	shed    codel.Controller // no Target: nothing is shed

	hasShrunk bool          // SetWorkers has
	shrunk    chan struct{} // closed then

	inside int           // workers whose task waits in Shutdown
	quiet  chan struct{} // closed when no other task is left; nil unless somebody waits for that

	count struct {
		submitted, inlineDone, expired, dropped, panics, goexits, selfSubmits, inlined uint64
	}
	sampling
	queueWait, runTime hist.Dist
}

// New returns a pool of at most workers workers that run tasks, with a queue
// for at most capacity more. It starts no goroutine before the first task. New
// panics if workers < 1 or queue < 0.
//
// The place for the whole queue is allocated at once, about 48 bytes a task.
func New(workers, queue int, opts ...Option) *Pool {
	if workers < 1 || workers > math.MaxInt32/4 {
		panic("workpool: a pool needs at least one worker")
	}
	if queue < 0 || queue > math.MaxInt32/4 {
		panic("workpool: the capacity of the queue must not be negative")
	}
	p := &Pool{capacity: queue, max: workers, limit: workers + queue, id: newID(), done: make(chan struct{}), shrunk: make(chan struct{})}
	p.ctx, p.cancel = context.WithCancelCause(context.Background())
	p.queue.reserve(p.limit)
	p.sampling.init()
	for _, o := range opts {
		o(p)
	}
	return p
}

// TrySubmit has f run, or returns [ErrQueueFull] or [ErrClosed]. It never waits
// and allocates nothing. The context of f ends when Shutdown gives up.
func (p *Pool) TrySubmit(f func(context.Context)) error {
	if f == nil {
		panic("workpool: the task is nil")
	}
	if p.full.Load() {
		p.rejected.add()
		return ErrQueueFull
	}
	return p.try(plain(f))
}

// Submit has f run. Where the pool is full it waits for room, at most until ctx
// ends: ctx bounds the wait, not f. If it returns nil, f runs exactly once, or
// is among the Queued of a [ShutdownError], or was shed, with
// [WithMaxQueueWait]; otherwise f never runs. It returns
// [ErrClosed] as soon as the pool is shut down, the error of ctx if that ends
// first, and [ErrSelfSubmit] where it would wait in a task of this pool.
func (p *Pool) Submit(ctx context.Context, f func(context.Context)) error {
	if f == nil {
		panic("workpool: the task is nil")
	}
	return p.submit(ctx, plain(f))
}

func (p *Pool) try(j job) error {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return ErrClosed
	}
	if p.load >= p.limit {
		p.mu.Unlock()
		p.rejected.add()
		return ErrQueueFull
	}
	p.admit(j)
	w := p.rouse()
	p.mu.Unlock()
	w.start()
	return nil
}

func (p *Pool) submit(ctx context.Context, j job) error {
	if ctx.Err() != nil {
		p.rejected.add()
		return ended(ctx)
	}
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return ErrClosed
	}
	if p.load < p.limit {
		p.admit(j)
		w := p.rouse()
		p.mu.Unlock()
		w.start()
		return nil
	}
	p.mu.Unlock()

	// Only here, where it is about to wait, is it worth to ask who calls.
	_, self := p.caller(ctx)
	if self && p.callerRuns {
		return p.runNow(j)
	}

	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return ErrClosed
	}
	if p.load < p.limit {
		p.admit(j)
		w := p.rouse()
		p.mu.Unlock()
		w.start()
		return nil
	}
	if self {
		p.count.selfSubmits++
		p.mu.Unlock()
		p.rejected.add()
		return ErrSelfSubmit
	}
	wt := p.waiters.Push(j)
	p.mu.Unlock()

	select {
	case <-wt.Ready():
	case <-ctx.Done():
		p.mu.Lock()
		if p.waiters.Remove(wt) {
			p.waiters.Free(wt)
			p.mu.Unlock()
			p.rejected.add()
			return ended(ctx)
		}
		p.mu.Unlock()
		<-wt.Ready() // it was decided before ctx ended
	}
	p.mu.Lock()
	err := wt.Err
	p.waiters.Free(wt)
	p.mu.Unlock()
	return err
}

// admit accepts a task. There is room, and the caller rouses a worker.
func (p *Pool) admit(j job) {
	p.queue.push(j, p.stamp())
	p.count.submitted++
	if p.load++; p.load == p.limit {
		p.full.Store(true)
	}
}

// leave makes room: a task has finished, or has left the queue.
func (p *Pool) leave() {
	p.load--
	if p.waiters.Len() > 0 {
		p.refill()
	} else if p.load == p.limit-1 {
		p.full.Store(false)
	}
}

// refill accepts the tasks of those who wait, while there is room, and sets
// full. The caller rouses a worker.
func (p *Pool) refill() {
	for p.load < p.limit {
		wt := p.waiters.Front()
		if wt == nil {
			break
		}
		p.waiters.Remove(wt)
		p.admit(wt.Value)
		wt.Wake()
	}
	if full := p.load >= p.limit && !p.closed; full != p.full.Load() {
		p.full.Store(full)
	}
}

// SetWorkers changes the number of workers. Surplus workers end when they have
// finished their task. It panics if n < 1.
func (p *Pool) SetWorkers(n int) {
	if n < 1 || n > math.MaxInt32/4 {
		panic("workpool: a pool needs at least one worker")
	}
	p.mu.Lock()
	if n < p.max && !p.hasShrunk {
		p.hasShrunk = true
		close(p.shrunk)
	}
	p.max = n
	p.limit = n + p.capacity
	p.queue.reserve(p.limit)
	p.refill()
	w := p.rouse()
	var surplus []*worker
	for len(p.idle) > 0 && p.live-len(surplus) > p.max {
		surplus = append(surplus, p.takeIdle())
	}
	p.mu.Unlock()
	w.start()
	for _, w := range surplus {
		w.start()
	}
}

// Done is closed when the pool was shut down and its last worker is gone.
func (p *Pool) Done() <-chan struct{} { return p.done }
