package workpool

import (
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/concvet/concvet/runtime/internal/hist"
	"github.com/concvet/concvet/runtime/internal/mono"
)

// A Dist is a distribution of durations.
type Dist = hist.Dist

// Stats is what a pool has done and does, at one moment.
type Stats struct {
	Name       string
	Workers    int // that have started and not ended
	MaxWorkers int
	Active     int // workers with a task
	QueueLen   int
	QueueCap   int
	Waiters    int // calls of Submit and Go that wait for room

	// Submitted tasks are accepted tasks. Every one is in exactly one of
	// Done, Expired, Dropped, the queue, and those that run.
	Submitted uint64
	Done      uint64 // returned, panicked or called runtime.Goexit
	Rejected  uint64 // not accepted, other than for the pool being closed
	Expired   uint64 // not run: its context ended, or the queue was too slow
	Dropped   uint64 // not run: cancelled, or left at the end of Shutdown

	Panics      uint64 // of those Done that somebody handled
	Goexits     uint64 // of those Done
	SelfSubmits uint64 // of those Rejected: ErrSelfSubmit
	Inlined     uint64 // of those Submitted: run by the goroutine that waited for it

	// QueueWait and RunTime measure every task, or one in 64 while tasks
	// take less than 5 µs. Inlined tasks are not measured.
	QueueWait, RunTime Dist

	// LongestRunning is how long the longest current task has run. A value
	// that grows shows a task that is stuck. While tasks take less than 5 µs
	// it may be too long by the time of 63 tasks.
	LongestRunning time.Duration
}

// Stats returns what the pool has done and does.
func (p *Pool) Stats() Stats {
	now := mono.Now()
	p.mu.Lock()
	defer p.mu.Unlock()
	c := &p.count
	// What left neither for somebody else nor unrun has run here, or is gone
	// for good: there is no counter for the usual end.
	finished := c.submitted - c.inlined - c.dropped - uint64(p.load) + c.inlineDone
	s := Stats{
		Name: p.name, Workers: p.live, MaxWorkers: p.max, Active: p.busy,
		QueueLen: p.queue.n, QueueCap: p.capacity, Waiters: p.waiters.Len(),
		Submitted: c.submitted, Done: finished - c.expired, Rejected: p.rejected.sum(), Expired: c.expired, Dropped: c.dropped,
		Panics: c.panics, Goexits: c.goexits, SelfSubmits: c.selfSubmits, Inlined: c.inlined,
		QueueWait: p.queueWait, RunTime: p.runTime,
	}
	for _, w := range p.workers {
		if begun := w.begun.Load(); w.running && begun != 0 {
			s.LongestRunning = max(s.LongestRunning, now-time.Duration(begun))
		}
	}
	return s
}

// sampling says which tasks are measured. To read the clock three times costs
// more than to queue and run an empty task, and nothing beside a real one.
type sampling struct {
	few  bool // only one in 64
	seq  uint32
	mean time.Duration // of the last tasks that were measured, about eight
}

const short = 5 * time.Microsecond

func (s *sampling) init() { s.mean = 64 * short } // until there is evidence, measure all

func (p *Pool) tookTime(d time.Duration) {
	p.mean += (d - p.mean) / 8
	p.few = p.mean < short && p.shed.Target == 0
}

// stamp returns the time if the next task is to be measured, or else 0.
func (p *Pool) stamp() time.Duration {
	if p.few {
		if p.seq++; p.seq%64 != 0 {
			return 0
		}
	}
	return mono.Now()
}

// A counter counts what many goroutines do at the same time. Each adds to one
// of several cells, which it finds by the address of its stack, so that they
// need not wait for one another's cache line.
type counter struct {
	cells [8]struct {
		n atomic.Uint64
		_ [56]byte
	}
}

func (c *counter) add() {
	var here byte
	a := uintptr(unsafe.Pointer(&here))
	c.cells[(a>>11^a>>14)%uintptr(len(c.cells))].n.Add(1)
}

func (c *counter) sum() uint64 {
	var n uint64
	for i := range c.cells {
		n += c.cells[i].n.Load()
	}
	return n
}
