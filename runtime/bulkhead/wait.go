package bulkhead

import (
	"context"
	"time"

	"github.com/concvet/concvet/runtime/internal/mono"
	"github.com/concvet/concvet/runtime/internal/waitq"
)

// acquire is AcquireN where the permits were not there for the taking.
func (b *Bulkhead) acquire(ctx context.Context, n uint64, c Class) error {
	b.mu.Lock()
	w, err := b.enqueue(n, c)
	b.mu.Unlock()
	if w == nil {
		return err
	}

	var expired <-chan time.Time
	if b.maxWait > 0 {
		timer := time.NewTimer(b.maxWait)
		defer timer.Stop()
		expired = timer.C
	}
	var counter *uint64
	select {
	case <-w.Ready():
		b.mu.Lock()
		defer b.mu.Unlock()
		return b.leave(w, c)
	case <-ctx.Done():
		err, counter = ctx.Err(), &b.canceled
	case <-expired:
		err, counter = ErrFull, &b.timeouts
	}

	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.unlink(w, c) {
		// Somebody was faster: the permits are ours, or the request was
		// refused, which is what counts.
		<-w.Ready()
		return b.leave(w, c)
	}
	w.Err = err
	*counter++
	// A large request may have kept smaller ones behind it from permits that
	// are free.
	b.grant()
	return b.leave(w, c)
}

// enqueue takes n permits, in which case it returns nothing, or returns a new
// waiter, or the error that refuses it. The lock is held.
func (b *Bulkhead) enqueue(n uint64, c Class) (*waitq.Waiter[request], error) {
	if n > b.limit(c) {
		b.rejected.Add(1)
		return nil, ErrTooLarge
	}
	if b.try(n, c) {
		return nil, nil
	}
	if b.waiting[Bulk].Len()+b.waiting[Interactive].Len() >= b.maxQueue {
		last := b.waiting[Bulk].Back()
		if c != Interactive || last == nil {
			b.rejected.Add(1)
			return nil, ErrFull
		}
		b.refuse(last, Bulk, ErrFull)
	}
	w := b.waiting[c].Push(request{n: n, since: mono.Now()})
	b.waited++
	if b.waiting[c].Len() == 1 {
		b.state.Add(c.flag())
	}
	// A Release that came after the try and before the flag has not seen it.
	b.grant()
	return w, nil
}

// grant hands permits to those who wait, in their order, as long as there are
// enough for the first. The lock is held.
func (b *Bulkhead) grant() {
	for {
		c := Interactive
		w := b.waiting[c].Front()
		if w == nil {
			c = Bulk
			if w = b.waiting[c].Front(); w == nil {
				return
			}
		}
		s := b.state.Load()
		if s&inUse+w.Value.n > b.limit(c) {
			return
		}
		if b.state.CompareAndSwap(s, s+w.Value.n+one) {
			b.count(s)
			b.waits.Record(mono.Now() - w.Value.since)
			b.unlink(w, c)
			w.Wake()
		}
	}
}

// expel refuses the waiters that want more than the limit. The lock is held.
func (b *Bulkhead) expel() {
	for c := range Class(len(b.waiting)) {
		limit := b.limit(c)
		for w := b.waiting[c].Front(); w != nil; {
			next := w.Next()
			if w.Value.n > limit {
				b.refuse(w, c, ErrTooLarge)
			}
			w = next
		}
	}
}

// refuse ends the wait of w with an error. The lock is held.
func (b *Bulkhead) refuse(w *waitq.Waiter[request], c Class, err error) {
	b.unlink(w, c)
	b.rejected.Add(1)
	w.Err = err
	w.Wake()
}

// unlink takes w out of its list and reports whether it was still there. The
// lock is held.
func (b *Bulkhead) unlink(w *waitq.Waiter[request], c Class) bool {
	if !b.waiting[c].Remove(w) {
		return false
	}
	if b.waiting[c].Len() == 0 {
		b.state.Add(-c.flag())
	}
	return true
}

// leave gives w back and returns its error. The lock is held.
func (b *Bulkhead) leave(w *waitq.Waiter[request], c Class) error {
	err := w.Err
	b.waiting[c].Free(w)
	return err
}
