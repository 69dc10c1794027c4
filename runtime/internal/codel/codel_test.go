package codel

import (
	"testing"
	"time"
)

const ms = time.Millisecond

// serve lets items through that are taken every 10 ms after waits that f gives,
// and returns how many were dropped.
func serve(c *Controller, from, n int, f func(i int) time.Duration) (dropped int) {
	for i := from; i < from+n; i++ {
		if c.Overdue(time.Duration(i)*10*ms, f(i)) {
			dropped++
		}
	}
	return dropped
}

func TestABurstIsAbsorbed(t *testing.T) {
	c := Controller{Target: 20 * ms, Interval: 100 * ms}
	// Waits up to a second, but once in every interval the queue is short.
	if n := serve(&c, 0, 1000, func(i int) time.Duration { return time.Duration(i%10) * 100 * ms }); n != 0 {
		t.Errorf("%d items of a burst are dropped", n)
	}
}

func TestAStandingQueueIsShed(t *testing.T) {
	c := Controller{Target: 20 * ms, Interval: 100 * ms}
	if n := serve(&c, 0, 10, func(int) time.Duration { return 50 * ms }); n != 0 {
		t.Errorf("%d items are dropped in the first interval, when nothing is known", n)
	}
	n := serve(&c, 11, 110, func(int) time.Duration { return 50 * ms })
	if n < 95 || n > 105 {
		t.Errorf("%d of 110 are dropped, want all but the first of each interval", n)
	}
	if n := serve(&c, 200, 100, func(int) time.Duration { return 39 * ms }); n != 0 {
		t.Errorf("%d items that waited less than twice the target are dropped", n)
	}
	// One short wait, and the next interval is no overload.
	c.Overdue(4000*ms, ms)
	c.Overdue(4101*ms, 50*ms)
	if c.Overdue(4102*ms, 500*ms) {
		t.Error("an item is dropped after an interval with a short wait")
	}
}
