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
	if !b.unlink(w, c) {
		// Somebody was faster: the permits are ours, or the request was
		// refused, which is what counts.
		b.mu.Unlock()
		<-w.Ready()
		b.mu.Lock()
		defer b.mu.Unlock()
		return b.leave(w, c)
	}
	defer b.mu.Unlock()
	w.Err = err
	*counter++
	// A large request may have kept smaller ones behind it from permits that
	// are free.
	b.settle(0)
	return b.leave(w, c)
}

// enqueue takes n permits, in which case it returns nothing, or returns a new
// waiter, or the error that refuses it. The lock is held.
func (b *Bulkhead) enqueue(n uint64, c Class) (*waitq.Waiter[request], error) {
	if n > b.limit(b.state.Load(), c) {
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
	b.settle(0)
	return w, nil
}

// settle gives the bulkhead a new limit, unless it is 0, and decides on those who
// wait: who wants more than the limit is refused, the others get permits in their
// order, as long as there are enough for the first. All permits are taken in the
// step that changes the limit: nobody sees one without the other. The lock is
// held.
func (b *Bulkhead) settle(limit int) {
	if limit == 0 && b.waiting[Bulk].Len()+b.waiting[Interactive].Len() == 0 {
		return
	}
	var granted [2]int
	var acquisitions, final uint64
	for {
		s := b.state.Load()
		final = s
		if limit > 0 {
			final = withLimit(s, limit)
		}
		granted, acquisitions, final = b.plan(final)
		if b.state.CompareAndSwap(s, final) {
			b.wraps.Add((s>>countShift + acquisitions) / (maxCount + 1))
			break
		}
	}
	now := mono.Now()
	for c := range Class(len(b.waiting)) {
		for w := b.waiting[c].Front(); w != nil && (granted[c] > 0 || limit > 0); {
			next := w.Next()
			switch {
			case w.Value.n > b.limit(final, c):
				b.waiting[c].Remove(w)
				b.rejected.Add(1)
				w.Err = ErrTooLarge
				w.Wake()
			case granted[c] > 0:
				b.waiting[c].Remove(w)
				granted[c]--
				b.waits.Record(now - w.Value.since)
				w.Wake()
			}
			w = next
		}
	}
}

// plan returns how many waiters of each class get permits in the state s, how
// many that are together, and the state after it, with the flags of those who
// stay. The lock is held.
func (b *Bulkhead) plan(s uint64) (granted [2]int, acquisitions, final uint64) {
	blocked := false // somebody stays, whom those behind may not overtake
	for _, c := range []Class{Interactive, Bulk} {
		limit := b.limit(s, c)
		stay := false
		for w := b.waiting[c].Front(); w != nil; w = w.Next() {
			if w.Value.n > limit {
				continue // is refused
			}
			if blocked || s&inUse+w.Value.n > limit {
				stay, blocked = true, true
				break
			}
			s += w.Value.n + one
			granted[c]++
			acquisitions++
		}
		if stay {
			s |= c.flag()
		} else {
			s &^= c.flag()
		}
	}
	return granted, acquisitions, s
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
