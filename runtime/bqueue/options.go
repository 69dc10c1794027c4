package bqueue

import (
	"errors"
	"fmt"
	"time"
)

var (
	// ErrFull says that the item found no room and was not queued.
	ErrFull = errors.New("bqueue: full")

	// ErrClosed says that Close was called: of a Push that the item was not
	// queued, of a Pop that nothing is left.
	ErrClosed = errors.New("bqueue: closed")
)

// A Policy says what happens to an item that finds the queue full.
type Policy uint8

const (
	Block      Policy = iota // Push waits; TryPush fails with ErrFull
	Reject                   // Push and TryPush fail with ErrFull
	DropOldest               // the oldest item of the queue is dropped
	DropNewest               // the item itself is dropped
)

// String returns the name of the policy.
func (p Policy) String() string {
	switch p {
	case Block:
		return "Block"
	case Reject:
		return "Reject"
	case DropOldest:
		return "DropOldest"
	case DropNewest:
		return "DropNewest"
	}
	return fmt.Sprintf("Policy(%d)", uint8(p))
}

// A Reason says why an item was dropped.
type Reason uint8

const (
	Evicted Reason = iota // by DropOldest: a newer one took its place
	Refused               // by DropNewest: there was no room
	Overdue               // by WithCoDel: it had waited too long
)

// String returns the name of the reason in lower case.
func (r Reason) String() string {
	switch r {
	case Evicted:
		return "evicted"
	case Refused:
		return "refused"
	case Overdue:
		return "overdue"
	}
	return fmt.Sprintf("Reason(%d)", uint8(r))
}

// An Option is an argument of New and NewLanes.
type Option func(*options)

type options struct {
	name             string
	target, interval time.Duration
	lifo             int
	onDrop           any // func(T, Reason)
	bulk, of         int
}

// WithName names the queue in its statistics.
func WithName(name string) Option {
	return func(o *options) { o.name = name }
}

// WithCoDel drops items that have waited too long, while the queue is
// overloaded: while no item of the last interval has waited for less than
// target, those that have waited for more than twice the target are dropped when
// their turn comes. A burst that the consumers work off within an interval loses
// nothing. It is the variant of CoDel that folly uses for its executors; 5 ms and
// 100 ms are its defaults. It reads the clock on every push and pop.
func WithCoDel(target, interval time.Duration) Option {
	if target <= 0 || interval <= 0 {
		panic("bqueue: the target and the interval of CoDel must be positive")
	}
	return func(o *options) { o.target, o.interval = target, interval }
}

// WithAdaptiveLIFO pops the newest item first while more than threshold are
// queued: under overload some are answered in time instead of all too late. The
// oldest ones then wait until the overload is over, so that it wants deadlines on
// the items, or WithCoDel. It reads the clock on every push and pop.
func WithAdaptiveLIFO(threshold int) Option {
	if threshold < 1 {
		panic("bqueue: the threshold of adaptive LIFO must be at least 1")
	}
	return func(o *options) { o.lifo = threshold }
}

// WithOnDrop calls f for every item that is dropped, in the goroutine whose call
// dropped it and outside the lock. T is the type of the items.
func WithOnDrop[T any](f func(item T, why Reason)) Option {
	return func(o *options) { o.onDrop = f }
}

// WithBulkShare gives the bulk lane n of every m pops while both lanes have
// items, so that it never starves. The default of NewLanes is 1 of 16.
func WithBulkShare(n, m int) Option {
	if n < 0 || m < 1 || n > m {
		panic("bqueue: the share of the bulk lane must be n of m with 0 ≤ n ≤ m")
	}
	return func(o *options) { o.bulk, o.of = n, m }
}

func collect(opts []Option) options {
	var o options
	for _, opt := range opts {
		opt(&o)
	}
	return o
}
