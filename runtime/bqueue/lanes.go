package bqueue

import (
	"context"
	"sync"

	"github.com/concvet/concvet/runtime/bulkhead"
	"github.com/concvet/concvet/runtime/internal/waitq"
)

// Lanes are two queues with one end: an interactive item is popped before any
// bulk item, save for the share of WithBulkShare. Each has its own capacity, so
// that bulk work that comes faster than it is done fills its own lane only. To
// keep bulk work from all consumers at once, which no order of the queue can,
// let the consumers take a permit of a bulkhead that has a reserve.
//
// It must not be copied.
type Lanes[T any] struct {
	mu      sync.Mutex
	closed  bool
	lanes   [2]lane[T]
	poppers waitq.List[classed[T]]
	blocked uint64
	name    string

	bulk, of int // the share of the bulk lane
	owed     int // what the share has summed up to, in parts of `of`
}

type classed[T any] struct {
	v T
	c bulkhead.Class
}

// NewLanes returns lanes for exactly that many items each. WithCoDel and
// WithAdaptiveLIFO hold for each lane by itself. It panics if a capacity is less
// than 1.
func NewLanes[T any](interactive, bulk int, opts ...Option) *Lanes[T] {
	o := collect(opts)
	if o.of == 0 {
		o.bulk, o.of = 1, 16
	}
	l := &Lanes[T]{name: o.name, bulk: o.bulk, of: o.of}
	l.lanes[bulkhead.Interactive].init(interactive, o)
	l.lanes[bulkhead.Bulk].init(bulk, o)
	return l
}

func (l *Lanes[T]) lane(c bulkhead.Class) *lane[T] {
	if int(c) >= len(l.lanes) {
		panic("bqueue: unknown " + c.String())
	}
	return &l.lanes[c]
}

// Push puts v into the lane of the class. Where that is full it waits for room,
// until ctx ends. It fails with ErrClosed, or with ctx.Err() if ctx has ended or
// ends first, and then v is not queued.
func (l *Lanes[T]) Push(ctx context.Context, c bulkhead.Class, v T) error {
	lane := l.lane(c)
	if err := ctx.Err(); err != nil {
		return err
	}
	l.mu.Lock()
	if !l.closed && lane.full() {
		w := lane.pushers.Push(v)
		lane.blocked++
		l.mu.Unlock()
		_, err := await(ctx, &l.mu, &lane.pushers, w)
		return err
	}
	return l.place(lane, c, v)
}

// TryPush puts v into the lane of the class, or fails with ErrFull or ErrClosed.
// It never blocks.
func (l *Lanes[T]) TryPush(c bulkhead.Class, v T) error {
	lane := l.lane(c)
	l.mu.Lock()
	return l.place(lane, c, v)
}

// place puts v into the hands of a consumer or into the lane. It is called with
// the lock held, and gives it up.
func (l *Lanes[T]) place(lane *lane[T], c bulkhead.Class, v T) error {
	if l.closed {
		l.mu.Unlock()
		return ErrClosed
	}
	if w := l.poppers.Front(); w != nil {
		l.poppers.Remove(w)
		w.Value = classed[T]{v, c}
		lane.handed++
		l.mu.Unlock()
		w.Wake()
		return nil
	}
	defer l.mu.Unlock()
	if lane.full() {
		lane.rejected++
		return ErrFull
	}
	lane.put(v)
	return nil
}

// Pop takes the next item out and says which lane it was in. Where there is none
// it waits for one, until ctx ends. It fails with ErrClosed when the lanes are
// closed and nothing is left, or with ctx.Err() if ctx has ended or ends first.
func (l *Lanes[T]) Pop(ctx context.Context) (T, bulkhead.Class, error) {
	if err := ctx.Err(); err != nil {
		var zero T
		return zero, 0, err
	}
	for {
		l.mu.Lock()
		if l.empty() {
			var none classed[T]
			if l.closed {
				l.mu.Unlock()
				return none.v, none.c, ErrClosed
			}
			w := l.poppers.Push(none)
			l.blocked++
			l.mu.Unlock()
			got, err := await(ctx, &l.mu, &l.poppers, w)
			return got.v, got.c, err
		}
		if v, c, ok := l.pop(); ok {
			return v, c, nil
		}
	}
}

// TryPop takes the next item out if there is one. It never blocks.
func (l *Lanes[T]) TryPop() (T, bulkhead.Class, bool) {
	for {
		l.mu.Lock()
		if l.empty() {
			l.mu.Unlock()
			var zero T
			return zero, 0, false
		}
		if v, c, ok := l.pop(); ok {
			return v, c, true
		}
	}
}

func (l *Lanes[T]) empty() bool { return l.lanes[0].n == 0 && l.lanes[1].n == 0 }

// pop takes one of the items that are there, and returns false if it had to be
// dropped. It is called with the lock held, and gives it up.
func (l *Lanes[T]) pop() (T, bulkhead.Class, bool) {
	c := l.next()
	lane := &l.lanes[c]
	v, overdue, w := lane.take()
	l.mu.Unlock()
	if w != nil {
		w.Wake()
	}
	if overdue {
		lane.report(v, Overdue)
	}
	return v, c, !overdue
}

// next returns the lane whose turn it is. One of them has an item.
func (l *Lanes[T]) next() bulkhead.Class {
	switch {
	case l.lanes[bulkhead.Bulk].n == 0:
		return bulkhead.Interactive
	case l.lanes[bulkhead.Interactive].n == 0:
		return bulkhead.Bulk
	}
	if l.owed += l.bulk; l.owed >= l.of {
		l.owed -= l.of
		return bulkhead.Bulk
	}
	return bulkhead.Interactive
}

// Close ends the intake. Every Push that is blocked or comes later fails with
// ErrClosed, and so does every Pop when nothing is left. It never blocks, and
// may be called more than once.
func (l *Lanes[T]) Close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	refuse(&l.lanes[0].pushers)
	refuse(&l.lanes[1].pushers)
	refuse(&l.poppers)
}

// Len returns the number of items in the lane of the class.
func (l *Lanes[T]) Len(c bulkhead.Class) int {
	lane := l.lane(c)
	l.mu.Lock()
	defer l.mu.Unlock()
	return lane.n
}

// Cap returns the capacity of the lane of the class.
func (l *Lanes[T]) Cap(c bulkhead.Class) int { return len(l.lane(c).buf) }

// Name returns the name of WithName.
func (l *Lanes[T]) Name() string { return l.name }
