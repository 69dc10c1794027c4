package bqueue

import (
	"context"
	"sync"

	"github.com/concvet/concvet/runtime/internal/waitq"
)

// A Queue is a first-in, first-out queue of bounded length. It must not be
// copied.
type Queue[T any] struct {
	mu      sync.Mutex
	closed  bool
	policy  Policy
	lane    lane[T]
	poppers waitq.List[T] // consumers wait only while the ring is empty
	blocked uint64        // consumers that had to wait
	name    string
}

// New returns a queue for exactly capacity items. It panics if capacity is less
// than 1.
func New[T any](capacity int, p Policy, opts ...Option) *Queue[T] {
	if p > DropNewest {
		panic("bqueue: unknown " + p.String())
	}
	o := collect(opts)
	if o.of != 0 {
		panic("bqueue: WithBulkShare is for NewLanes")
	}
	q := &Queue[T]{policy: p, name: o.name}
	q.lane.init(capacity, o)
	return q
}

// Push puts v into the queue. Where it is full, the policy decides: Block waits
// for room, until ctx ends. It fails with ErrClosed, with ErrFull (Reject), or
// with ctx.Err() if ctx has ended or ends first, and then v is not queued.
func (q *Queue[T]) Push(ctx context.Context, v T) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	q.mu.Lock()
	if q.open() {
		q.lane.put(v)
		q.mu.Unlock()
		return nil
	}
	if !q.closed && q.policy == Block && q.lane.full() {
		w := q.lane.pushers.Push(v)
		q.lane.blocked++
		q.mu.Unlock()
		_, err := await(ctx, &q.mu, &q.lane.pushers, w)
		return err
	}
	return q.place(v)
}

// TryPush is Push without a wait: with the policy Block it fails with ErrFull
// where Push would wait.
func (q *Queue[T]) TryPush(v T) error {
	q.mu.Lock()
	if q.open() {
		q.lane.put(v)
		q.mu.Unlock()
		return nil
	}
	return q.place(v)
}

// open reports whether an item only needs to be put into the ring. The lock is
// held.
func (q *Queue[T]) open() bool {
	return !q.closed && !q.lane.full() && q.poppers.Len() == 0
}

// place puts v where it belongs if the queue is not open: into the hands of a
// consumer, or where the policy says. It is called with the lock held, and gives
// it up.
func (q *Queue[T]) place(v T) error {
	if q.closed {
		q.mu.Unlock()
		return ErrClosed
	}
	if w := q.poppers.Front(); w != nil {
		q.poppers.Remove(w)
		w.Value = v
		q.lane.handed++
		q.mu.Unlock()
		w.Wake()
		return nil
	}
	switch q.policy {
	case DropOldest:
		old := q.lane.evict()
		q.lane.put(v)
		q.mu.Unlock()
		q.lane.report(old, Evicted)
		return nil
	case DropNewest:
		q.lane.dropped[Refused]++
		q.mu.Unlock()
		q.lane.report(v, Refused)
		return nil
	}
	q.lane.rejected++
	q.mu.Unlock()
	return ErrFull
}

// Pop takes the next item out. Where there is none it waits for one, until ctx
// ends. It fails with ErrClosed when the queue is closed and nothing is left, or
// with ctx.Err() if ctx has ended or ends first.
func (q *Queue[T]) Pop(ctx context.Context) (T, error) {
	if err := ctx.Err(); err != nil {
		var zero T
		return zero, err
	}
	for {
		q.mu.Lock()
		if q.lane.plain() {
			v := q.lane.removeFront()
			q.mu.Unlock()
			return v, nil
		}
		if q.lane.n == 0 {
			var zero T
			if q.closed {
				q.mu.Unlock()
				return zero, ErrClosed
			}
			w := q.poppers.Push(zero)
			q.blocked++
			q.mu.Unlock()
			return await(ctx, &q.mu, &q.poppers, w)
		}
		if v, ok := q.pop(); ok {
			return v, nil
		}
	}
}

// TryPop takes the next item out if there is one. It never blocks.
func (q *Queue[T]) TryPop() (T, bool) {
	for {
		q.mu.Lock()
		if q.lane.plain() {
			v := q.lane.removeFront()
			q.mu.Unlock()
			return v, true
		}
		if q.lane.n == 0 {
			q.mu.Unlock()
			var zero T
			return zero, false
		}
		if v, ok := q.pop(); ok {
			return v, true
		}
	}
}

// pop takes one of the items that are there, and returns false if it had to be
// dropped. It is called with the lock held, and gives it up.
func (q *Queue[T]) pop() (T, bool) {
	v, overdue, w := q.lane.take()
	q.mu.Unlock()
	if w != nil {
		w.Wake()
	}
	if overdue {
		q.lane.report(v, Overdue)
	}
	return v, !overdue
}

// PopN waits for one item like Pop, and takes out as many as there are then, up
// to len(buf). It returns how many, 0 only with an error or for an empty buf.
func (q *Queue[T]) PopN(ctx context.Context, buf []T) (int, error) {
	if len(buf) == 0 {
		return 0, ctx.Err()
	}
	v, err := q.Pop(ctx)
	if err != nil {
		return 0, err
	}
	buf[0] = v
	n := 1
	var late []T
	q.mu.Lock()
	for n < len(buf) && q.lane.n > 0 {
		v, overdue, w := q.lane.take()
		if w != nil {
			w.Wake()
		}
		if overdue {
			late = append(late, v)
			continue
		}
		buf[n] = v
		n++
	}
	q.mu.Unlock()
	for _, v := range late {
		q.lane.report(v, Overdue)
	}
	return n, nil
}

// Close ends the intake. Every Push that is blocked or comes later fails with
// ErrClosed, and so does every Pop when nothing is left. It never blocks, and
// may be called more than once.
func (q *Queue[T]) Close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	refuse(&q.lane.pushers)
	refuse(&q.poppers)
}

// Len returns the number of items in the queue. Those of blocked producers do
// not count.
func (q *Queue[T]) Len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.lane.n
}

// Cap returns the capacity.
func (q *Queue[T]) Cap() int { return len(q.lane.buf) }

// Name returns the name of WithName.
func (q *Queue[T]) Name() string { return q.name }

// await waits until w is woken or ctx ends, and returns what w was given. If it
// returns ctx.Err(), w was taken from the list before anybody gave it anything.
func await[V any](ctx context.Context, mu *sync.Mutex, l *waitq.List[V], w *waitq.Waiter[V]) (V, error) {
	select {
	case <-w.Ready():
		mu.Lock()
	case <-ctx.Done():
		mu.Lock()
		if l.Remove(w) {
			w.Err = ctx.Err()
			break
		}
		// Somebody was faster and wakes it in this moment: that counts.
		mu.Unlock()
		<-w.Ready()
		mu.Lock()
	}
	v, err := w.Value, w.Err
	l.Free(w)
	mu.Unlock()
	return v, err
}

// refuse ends the wait of all with ErrClosed. The lock is held.
func refuse[V any](l *waitq.List[V]) {
	for w := l.Front(); w != nil; w = l.Front() {
		l.Remove(w)
		w.Err = ErrClosed
		w.Wake()
	}
}
