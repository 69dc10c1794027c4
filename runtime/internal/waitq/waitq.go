// Package waitq is a first-in, first-out list of goroutines that wait. All of
// it but [Waiter.Ready] and [Waiter.Wake] needs the lock of its owner.
//
// Waiters are reused by the list they belong to and by no other: their channels
// must not leave the testing/synctest bubble that made them.
package waitq

// A Waiter is one goroutine that waits. Value is what it brought, and what it
// is given.
type Waiter[T any] struct {
	Value      T
	Err        error
	ready      chan struct{} // of one slot: Wake never blocks
	prev, next *Waiter[T]
	linked     bool
}

// A List is a list of waiters. The zero List is empty.
type List[T any] struct {
	front, back *Waiter[T]
	n           int
	free        *Waiter[T]
	nfree       int
}

// maxFree is how many waiters a list keeps for reuse.
const maxFree = 64

// Len returns the number of waiters.
func (l *List[T]) Len() int { return l.n }

// Front returns the waiter that came first, or nil.
func (l *List[T]) Front() *Waiter[T] { return l.front }

// Back returns the waiter that came last, or nil.
func (l *List[T]) Back() *Waiter[T] { return l.back }

// Next returns the waiter that came after w, or nil.
func (w *Waiter[T]) Next() *Waiter[T] { return w.next }

// Push appends a waiter.
func (l *List[T]) Push(v T) *Waiter[T] {
	w := l.free
	if w == nil {
		w = &Waiter[T]{ready: make(chan struct{}, 1)}
	} else {
		l.free, w.next = w.next, nil
		l.nfree--
	}
	w.Value = v
	w.prev = l.back
	if l.back == nil {
		l.front = w
	} else {
		l.back.next = w
	}
	l.back = w
	w.linked = true
	l.n++
	return w
}

// Remove takes w from the list and reports whether it was still there. Whoever
// gets true must wake it, or be it.
func (l *List[T]) Remove(w *Waiter[T]) bool {
	if !w.linked {
		return false
	}
	if w.prev == nil {
		l.front = w.next
	} else {
		w.prev.next = w.next
	}
	if w.next == nil {
		l.back = w.prev
	} else {
		w.next.prev = w.prev
	}
	w.prev, w.next, w.linked = nil, nil, false
	l.n--
	return true
}

// Free gives back a waiter that is not in the list and whose wake-up, if there
// was one, has been received.
func (l *List[T]) Free(w *Waiter[T]) {
	var zero T
	w.Value, w.Err = zero, nil
	if l.nfree < maxFree {
		w.next, l.free = l.free, w
		l.nfree++
	}
}

// Ready receives once after w was woken.
func (w *Waiter[T]) Ready() <-chan struct{} { return w.ready }

// Wake wakes the goroutine of a waiter that was removed. It is called once a
// waiter, with or without the lock.
func (w *Waiter[T]) Wake() { w.ready <- struct{}{} }
