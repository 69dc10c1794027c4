// Package codel decides at the front of a queue which items have waited too
// long to be worth serving.
package codel

import "time"

// A Controller is the variant of CoDel that folly uses for request queues
// (folly/executors/Codel.cpp). A queue that was once short enough within an
// interval only absorbs a burst; in one that never was, everybody is late,
// whatever its length. It is not safe for concurrent use.
type Controller struct {
	Target, Interval time.Duration

	end        time.Duration // of the interval
	least      time.Duration // the shortest wait in it
	started    bool
	overloaded bool // the last interval had no wait of at most Target
}

// Overdue says what to do with the item at the front, which has waited for
// wait: true to drop it.
func (c *Controller) Overdue(now, wait time.Duration) bool {
	if now > c.end || !c.started {
		c.overloaded = c.started && c.least > c.Target
		c.started = true
		c.end = now + c.Interval
		c.least = wait
		// The first item of an interval is let through, so that a consumer that
		// comes back after a long pause finds something.
		return false
	}
	c.least = min(c.least, wait)
	return c.overloaded && wait > 2*c.Target
}
