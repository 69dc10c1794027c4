package bqueue

import (
	"fmt"
	"time"

	"github.com/concvet/concvet/runtime/internal/codel"
	"github.com/concvet/concvet/runtime/internal/hist"
	"github.com/concvet/concvet/runtime/internal/mono"
	"github.com/concvet/concvet/runtime/internal/waitq"
)

// A lane is a ring of fixed size with those who wait for room in it. All of it
// needs the lock of its owner.
//
// Producers wait only while the ring is full, so that an item that is popped
// makes room for the first of them, and nobody can come between.
type lane[T any] struct {
	buf     []T
	head, n int
	pushers waitq.List[T]

	// With CoDel or adaptive LIFO stamps has the time at which each item came;
	// otherwise the wait of one item in sampleEvery is measured: of the item
	// number sample, which came at since, while sampling.
	stamps   []time.Duration
	in, out  uint64 // items that entered the ring, and left it
	sampling bool
	sample   uint64
	since    time.Duration

	lifo   int
	codel  *codel.Controller
	onDrop func(T, Reason)

	handed            uint64 // items that went from a producer to a consumer that waited
	rejected, blocked uint64
	dropped           [Overdue + 1]uint64
	waits             hist.Dist
}

// sampleEvery is a power of two. A clock is read twice a sample, which is 80 ns
// where a push and a pop cost 20.
const sampleEvery = 64

func (l *lane[T]) init(capacity int, o options) {
	if capacity < 1 {
		panic("bqueue: the capacity must be at least 1")
	}
	l.buf = make([]T, capacity)
	l.lifo = o.lifo
	if o.target > 0 {
		l.codel = &codel.Controller{Target: o.target, Interval: o.interval}
	}
	if l.lifo > 0 || l.codel != nil {
		l.stamps = make([]time.Duration, capacity)
	}
	if o.onDrop != nil {
		f, ok := o.onDrop.(func(T, Reason))
		if !ok {
			var zero T
			panic(fmt.Sprintf("bqueue: the function of WithOnDrop is a %T, the items are of type %T", o.onDrop, zero))
		}
		l.onDrop = f
	}
}

func (l *lane[T]) full() bool { return l.n == len(l.buf) }

// put appends an item. There is room.
func (l *lane[T]) put(v T) {
	i := l.head + l.n
	if i >= len(l.buf) {
		i -= len(l.buf)
	}
	l.buf[i] = v
	l.n++
	if l.in%sampleEvery == 0 || l.stamps != nil {
		l.stamp(i)
	}
	l.in++
}

// stamp notes when the item came that was put at i.
func (l *lane[T]) stamp(i int) {
	if l.stamps != nil {
		l.stamps[i] = mono.Now()
	} else if !l.sampling {
		l.sampling, l.sample, l.since = true, l.in, mono.Now()
	}
}

// plain reports whether the next item can be had by removeFront alone: nobody
// waits for its room, and its wait is not measured.
func (l *lane[T]) plain() bool {
	return l.n > 0 && !l.sampling && l.stamps == nil && l.pushers.Len() == 0
}

// take removes the item whose turn it is and reports whether it has waited too
// long and must be dropped. There is one. The first producer that waits gets the
// room, and is returned to be woken.
func (l *lane[T]) take() (v T, overdue bool, w *waitq.Waiter[T]) {
	switch {
	case l.stamps != nil:
		v, overdue = l.takeStamped()
	default:
		if l.sampling && l.out == l.sample {
			l.sampling = false
			l.waits.Record(mono.Now() - l.since)
		}
		v = l.removeFront()
	}
	if overdue {
		l.dropped[Overdue]++
	}
	if w = l.pushers.Front(); w != nil {
		l.pushers.Remove(w)
		l.put(w.Value)
	}
	return v, overdue, w
}

func (l *lane[T]) takeStamped() (v T, overdue bool) {
	i := l.head
	newest := l.lifo > 0 && l.n > l.lifo
	if newest {
		if i += l.n - 1; i >= len(l.buf) {
			i -= len(l.buf)
		}
	}
	now := mono.Now()
	wait := now - l.stamps[i]
	overdue = l.codel != nil && l.codel.Overdue(now, wait)
	if !overdue {
		l.waits.Record(wait)
	}
	if newest {
		var zero T
		v, l.buf[i] = l.buf[i], zero
		l.n--
		l.out++
		return v, overdue
	}
	return l.removeFront(), overdue
}

func (l *lane[T]) removeFront() T {
	var zero T
	v := l.buf[l.head]
	l.buf[l.head] = zero
	if l.head++; l.head == len(l.buf) {
		l.head = 0
	}
	l.n--
	l.out++
	return v
}

// evict removes the oldest item, for a newer one.
func (l *lane[T]) evict() T {
	if l.sampling && l.out == l.sample {
		l.sampling = false
	}
	l.dropped[Evicted]++
	return l.removeFront()
}

// report tells what was dropped. The lock is not held.
func (l *lane[T]) report(v T, why Reason) {
	if l.onDrop != nil {
		l.onDrop(v, why)
	}
}
