package workpool

import "context"

// Shutdown stops the pool: from now on nothing is accepted, and everyone who
// waits in Submit or Go gets [ErrClosed] at once. It then waits until all
// accepted tasks have run and the workers are gone, and returns nil.
//
// If ctx ends before that, Shutdown cancels the context of the tasks that run,
// takes back those that are queued, and returns a [*ShutdownError] with them
// without waiting any longer. [Pool.Done] tells when the last task has ended.
// Several calls may wait at a time; one of them gets what is taken back.
//
// A task may call Shutdown: it then runs what is queued itself, if nobody else
// does, and waits for all tasks but those that have called Shutdown too.
func (p *Pool) Shutdown(ctx context.Context) error {
	p.stop()
	select {
	case <-p.done:
		return nil
	default:
	}
	if w, inside := p.caller(ctx); inside {
		return p.shutdownInside(ctx, w)
	}
	select {
	case <-p.done:
		return nil
	case <-ctx.Done():
		return p.abandon(ctx)
	}
}

// Close is Shutdown with a context that has ended: it waits for no task.
func (p *Pool) Close() error {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return p.Shutdown(ctx)
}

// stop closes admission.
func (p *Pool) stop() {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return
	}
	p.closed = true
	p.full.Store(false) // so that who tries learns why
	for wt := p.waiters.Front(); wt != nil; wt = p.waiters.Front() {
		p.waiters.Remove(wt)
		wt.Err = ErrClosed
		wt.Wake()
	}
	var idle []*worker
	for len(p.idle) > 0 {
		idle = append(idle, p.takeIdle())
	}
	if p.live == 0 {
		close(p.done)
		p.cancel(ErrClosed)
	}
	p.mu.Unlock()
	for _, w := range idle {
		w.start()
	}
}

// abandon gives up at the end of ctx.
func (p *Pool) abandon(ctx context.Context) error {
	err := &ShutdownError{cause: ended(ctx)}
	var jobs []job
	p.mu.Lock()
	for p.queue.n > 0 {
		j, _ := p.queue.pop()
		if f, ok := j.(plain); ok {
			err.Queued = append(err.Queued, f)
		} else {
			jobs = append(jobs, j)
		}
		p.count.dropped++
		p.load--
	}
	err.Futures = len(jobs)
	err.Running = p.busy
	p.hush()
	p.mu.Unlock()
	if len(jobs) == 0 && len(err.Queued) == 0 && err.Running == 0 {
		<-p.done // the workers are on their way out
		return nil
	}
	p.cancel(ErrClosed)
	for _, j := range jobs {
		j.drop(ErrDropped)
	}
	return err
}

// shutdownInside is Shutdown in a task of p, of worker w if that is known.
func (p *Pool) shutdownInside(ctx context.Context, w *worker) error {
	for {
		p.mu.Lock()
		if ctx.Err() != nil {
			p.mu.Unlock()
			return p.abandon(ctx)
		}
		if p.queue.n == 0 {
			break
		}
		j, _ := p.queue.pop()
		p.load--
		p.count.inlined++
		p.mu.Unlock()
		p.runInline(j)
	}
	if p.quiet == nil {
		p.quiet = make(chan struct{})
	}
	quiet := p.quiet
	p.enterShutdown(w, 1)
	p.hush()
	p.mu.Unlock()
	defer func() {
		p.mu.Lock()
		p.enterShutdown(w, -1)
		p.mu.Unlock()
	}()
	select {
	case <-quiet:
		return nil
	case <-ctx.Done():
		return p.abandon(ctx)
	}
}

// enterShutdown counts the tasks that wait in Shutdown, each once.
func (p *Pool) enterShutdown(w *worker, n int) {
	if w == nil {
		p.inside += n
		return
	}
	before := w.shutdown
	w.shutdown += n
	if before == 0 || w.shutdown == 0 {
		p.inside += n
	}
}

// hush wakes those who wait for all other tasks.
func (p *Pool) hush() {
	if p.quiet != nil && p.queue.n == 0 && p.busy <= p.inside {
		close(p.quiet)
		p.quiet = nil
	}
}
