package workpool

import (
	"context"
	"runtime/debug"
	"slices"
	"sync/atomic"
	"time"

	"github.com/concvet/concvet/runtime/internal/mono"
)

// A worker is a goroutine that runs tasks. Its record survives the goroutine
// where a task ends that with runtime.Goexit.
type worker struct {
	p      *Pool
	ctx    context.Context
	signal chan struct{} // look at the queue; of one slot
	helper chan struct{} // taken by the one goroutine that runs a task for it
	timer  *time.Timer   // of the idle timeout

	// Under the lock of the pool.
	started  bool // has or had a goroutine
	running  bool // has a task
	shutdown int  // calls of Shutdown that wait in its task

	// Of its goroutine.
	rested  bool // has waited since its last task
	sampled bool // the current task is measured
	ran     bool // the last task was worth running
	died    bool // the last task ended the goroutine
	plain   bool // is in a task that nobody recovers
	panics  uint64
	goexits uint64
	wait    time.Duration
	run     time.Duration

	// begun is when the task started; among unmeasured tasks, when one a little
	// before did; 0 from a rest until the clock was read for the next task.
	begun atomic.Int64
}

func newWorker(p *Pool) *worker {
	w := &worker{p: p, signal: make(chan struct{}, 1), helper: make(chan struct{}, 1)}
	w.ctx = &workerCtx{p.ctx, w}
	return w
}

// rouse returns a worker that the caller must start once it has given up the
// lock, or nil. One worker at a time is on its way, and rouses the next one if
// there is more to do: short tasks are run by few workers, which costs less
// than to wake one for each.
//
// While tasks are queued, a worker is on its way or all are busy.
func (p *Pool) rouse() *worker {
	if p.waking > 0 || p.queue.n == 0 {
		return nil
	}
	if len(p.idle) > 0 {
		return p.takeIdle()
	}
	if p.live < p.max {
		w := newWorker(p)
		p.workers = append(p.workers, w)
		p.live++
		p.waking++
		return w
	}
	return nil
}

// takeIdle returns the worker that was busy last, whose memory is warm. Those
// at the other end are the ones that time out.
func (p *Pool) takeIdle() *worker {
	last := len(p.idle) - 1
	w := p.idle[last]
	p.idle[last] = nil
	p.idle = p.idle[:last]
	p.waking++
	return w
}

// start has a worker look at the queue.
func (w *worker) start() {
	switch {
	case w == nil:
	case w.started:
		w.signal <- struct{}{}
	default:
		w.started = true
		w.spawn()
	}
}

func (w *worker) spawn() { go tagged(w.p.id, w.main) }

func (w *worker) main() {
	gone := false
	defer func() {
		if !gone {
			// A task called runtime.Goexit, or panics and nobody
			// handles it. In the first case the worker goes on with
			// another goroutine, in the second the program ends.
			if w.plain {
				w.plain = false
				w.goexits++
			}
			w.died = true
			w.spawn()
		}
	}()
	woken := !w.died
	for {
		j, ok := w.next(woken)
		if !ok {
			break
		}
		woken = false
		w.exec(j)
	}
	gone = true
}

// exec runs a task, and is where a goroutine may end.
func (w *worker) exec(j job) {
	w.ran = true
	f, ok := j.(plain)
	switch {
	case !ok:
		w.ran = j.run(w)
	case w.p.onPanic != nil:
		w.guard(f)
	default:
		w.plain = true
		f(w.ctx) // the trace of a panic stays whole
		w.plain = false
	}
}

func (w *worker) guard(f plain) {
	returned := false
	defer func() {
		if returned {
			return
		}
		if r := recover(); r != nil {
			w.panics++
			w.p.onPanic(&PanicError{r, debug.Stack()})
			return
		}
		w.goexits++
	}()
	f(w.ctx)
	returned = true
}

// next settles the last task and waits for the next one. It returns false when
// the worker must end.
func (w *worker) next(woken bool) (job, bool) {
	p := w.p
	if w.sampled && !w.died {
		w.run = mono.Now() - time.Duration(w.begun.Load())
	}
	p.mu.Lock()
	if woken {
		p.waking--
		w.rested = true
	} else {
		p.finish(w)
	}
	for {
		switch {
		case p.live > p.max:
			w.retire()
			return nil, false
		case p.queue.n > 0:
			j, at := p.queue.pop()
			if p.shed.Target > 0 {
				if now := mono.Now(); p.shed.Overdue(now, now-at) {
					p.expire(j)
					continue
				}
			}
			p.busy++
			w.running = true
			other := p.rouse()
			p.mu.Unlock()
			other.start()
			w.measure(at)
			return j, true
		case p.closed:
			w.retire()
			return nil, false
		}
		w.begun.Store(0)
		p.idle = append(p.idle, w)
		p.mu.Unlock()
		told := w.park()
		p.mu.Lock()
		if !told {
			if i := slices.Index(p.idle, w); i >= 0 {
				p.idle = slices.Delete(p.idle, i, i+1)
				w.retire()
				return nil, false
			}
			p.mu.Unlock()
			<-w.signal // somebody has just taken it from the list
			p.mu.Lock()
		}
		p.waking--
		w.rested = true
	}
}

// park waits for the signal. It returns false if the idle timeout passed.
func (w *worker) park() bool {
	d := w.p.idleTimeout
	if d == 0 {
		<-w.signal
		return true
	}
	if w.timer == nil {
		w.timer = time.NewTimer(d)
	} else {
		w.timer.Reset(d)
	}
	select {
	case <-w.signal:
		w.timer.Stop()
		return true
	case <-w.timer.C:
		return false
	}
}

// measure reads the clock for a task that is measured, and for the first one
// after a rest.
func (w *worker) measure(at time.Duration) {
	w.sampled = at != 0
	if !w.sampled && !w.rested {
		return
	}
	w.rested = false
	now := mono.Now()
	w.begun.Store(int64(now))
	if w.sampled {
		w.wait = now - at
	}
}

// finish counts the task of w and makes room.
func (p *Pool) finish(w *worker) {
	p.countEnd(w)
	if w.sampled && w.ran && !w.died {
		p.queueWait.Record(w.wait)
		p.runTime.Record(w.run)
		p.tookTime(w.run)
	}
	w.sampled, w.died, w.running = false, false, false
	p.busy--
	p.leave()
	p.hush()
}

// countEnd counts how the task of w has ended.
func (p *Pool) countEnd(w *worker) {
	if !w.ran {
		p.count.expired++
	}
	if w.panics|w.goexits != 0 {
		p.count.panics += w.panics
		p.count.goexits += w.goexits
		w.panics, w.goexits = 0, 0
	}
}

// expire settles a task that was taken from the queue too late.
func (p *Pool) expire(j job) {
	p.count.expired++
	j.drop(ErrExpired)
	p.leave()
	p.hush()
}

// retire ends a worker, and with the last one of a closed pool the pool.
func (w *worker) retire() {
	p := w.p
	if w.timer != nil {
		w.timer.Stop()
	}
	p.live--
	i := slices.Index(p.workers, w)
	p.workers = slices.Delete(p.workers, i, i+1)
	other := p.rouse()
	if p.closed && p.live == 0 {
		close(p.done)
		p.cancel(ErrClosed)
	}
	p.mu.Unlock()
	other.start()
}
