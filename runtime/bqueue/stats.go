package bqueue

import (
	"github.com/concvet/concvet/runtime/bulkhead"
	"github.com/concvet/concvet/runtime/internal/hist"
)

// A Dist is a distribution of durations in buckets that double.
type Dist = hist.Dist

// LaneStats is what went through one queue, or one lane, so far.
type LaneStats struct {
	Len, Cap int
	Pushers  int // producers that wait for room

	Pushed   uint64 // items that were queued or handed to a consumer
	Popped   uint64 // items that a consumer got
	Rejected uint64 // ErrFull
	Evicted  uint64 // dropped for a newer item
	Refused  uint64 // dropped for want of room
	Overdue  uint64 // dropped for having waited too long
	Blocked  uint64 // pushes that had to wait

	// Wait is how long items were in the queue: one in 64 of those that were
	// popped in order, or all of them with WithCoDel or WithAdaptiveLIFO. Items
	// that were handed to a waiting consumer are not counted.
	Wait Dist
}

// Stats is what a queue has done so far, and how it stands.
type Stats struct {
	Name   string
	Policy Policy
	Closed bool
	LaneStats
	Poppers     int    // consumers that wait for an item
	BlockedPops uint64 // pops that had to wait
}

// LanesStats is what the lanes have done so far, and how they stand.
type LanesStats struct {
	Name              string
	Closed            bool
	Interactive, Bulk LaneStats
	Poppers           int    // consumers that wait for an item
	BlockedPops       uint64 // pops that had to wait
}

// Stats returns the present figures.
func (q *Queue[T]) Stats() Stats {
	q.mu.Lock()
	defer q.mu.Unlock()
	return Stats{
		Name:        q.name,
		Policy:      q.policy,
		Closed:      q.closed,
		LaneStats:   q.lane.stats(),
		Poppers:     q.poppers.Len(),
		BlockedPops: q.blocked,
	}
}

// Stats returns the present figures.
func (l *Lanes[T]) Stats() LanesStats {
	l.mu.Lock()
	defer l.mu.Unlock()
	return LanesStats{
		Name:        l.name,
		Closed:      l.closed,
		Interactive: l.lanes[bulkhead.Interactive].stats(),
		Bulk:        l.lanes[bulkhead.Bulk].stats(),
		Poppers:     l.poppers.Len(),
		BlockedPops: l.blocked,
	}
}

func (l *lane[T]) stats() LaneStats {
	return LaneStats{
		Len:      l.n,
		Cap:      len(l.buf),
		Pushers:  l.pushers.Len(),
		Pushed:   l.in + l.handed,
		Popped:   l.out + l.handed - l.dropped[Evicted] - l.dropped[Overdue],
		Rejected: l.rejected,
		Evicted:  l.dropped[Evicted],
		Refused:  l.dropped[Refused],
		Overdue:  l.dropped[Overdue],
		Blocked:  l.blocked,
		Wait:     l.waits,
	}
}
