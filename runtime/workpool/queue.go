package workpool

import (
	"context"
	"time"
)

// A job is a task: a function of Submit, or a function of Go with its future.
type job interface {
	// run runs it and reports whether it was worth running.
	run(w *worker) bool
	// drop settles its future without running it.
	drop(err error)
	// core is the part of its future that has no type, nil if it has none.
	core() *future
}

// A plain is a function of Submit. It has no future: a panic is not its to
// handle, and it cannot leave the queue.
type plain func(context.Context)

func (f plain) run(w *worker) bool { f(w.ctx); return true }
func (plain) drop(error)           {}
func (plain) core() *future        { return nil }

// A queue is a ring of jobs. One that leaves from the middle is a gap, which
// takes no part of the capacity: the pool counts what it accepts, and the ring
// is larger than that, so it is closed up only after many have left.
type queue struct {
	ring       []entry // the size is a power of two
	head, tail uint32  // positions, of the first job and after the last
	n          int     // jobs, without the gaps
}

type entry struct {
	job job           // nil: a gap
	at  time.Duration // when it was queued, 0 if that was not read
}

// reserve makes room for n jobs at a time.
func (q *queue) reserve(n int) {
	size := 8
	for size < n+n/4 {
		size *= 2
	}
	if size <= len(q.ring) {
		return
	}
	old := *q
	q.ring, q.head, q.tail, q.n = make([]entry, size), 0, 0, 0
	for old.n > 0 {
		q.push(old.pop())
	}
}

func (q *queue) slot(pos uint32) *entry { return &q.ring[pos&uint32(len(q.ring)-1)] }

// push appends a job. There are fewer than was reserved for.
func (q *queue) push(j job, at time.Duration) {
	if int(q.tail-q.head) == len(q.ring) {
		q.closeUp()
	}
	q.place(q.tail, entry{j, at})
	q.tail++
	q.n++
}

func (q *queue) place(pos uint32, e entry) {
	*q.slot(pos) = e
	if _, ok := e.job.(plain); !ok {
		f := e.job.core()
		f.inQueue, f.pos = true, pos
	}
}

// pop takes the first job. There is one.
func (q *queue) pop() (job, time.Duration) {
	e := q.slot(q.head)
	for e.job == nil {
		q.head++
		e = q.slot(q.head)
	}
	j, at := e.job, e.at
	e.job = nil
	q.head++
	q.n--
	if _, ok := j.(plain); !ok {
		j.core().inQueue = false
	}
	return j, at
}

// remove takes out the job of f, which is in the queue.
func (q *queue) remove(f *future) {
	q.slot(f.pos).job = nil
	f.inQueue = false
	q.n--
	// The usual one to leave is the last: a task that waits for the one it
	// has just submitted.
	for q.tail != q.head && q.slot(q.tail-1).job == nil {
		q.tail--
	}
}

// closeUp moves the jobs together.
func (q *queue) closeUp() {
	to := q.head
	for pos := q.head; pos != q.tail; pos++ {
		if e := q.slot(pos); e.job != nil {
			moved := *e
			e.job = nil
			q.place(to, moved)
			to++
		}
	}
	q.tail = to
}
