package workpool

import "time"

// A shedder decides at the front of the queue which tasks have waited too long
// to be worth running. It is the variant of CoDel that folly uses for request
// queues (folly/executors/Codel.cpp): a queue that was once empty enough within
// an interval only absorbs a burst; one that never was is longer than the pool
// can serve, and everybody in it is late.
type shedder struct {
	target, interval time.Duration // zero target: nothing is shed

	end        time.Duration // of the current interval
	least      time.Duration // shortest wait in it
	overloaded bool          // the last interval had no wait below target
}

func (s *shedder) shed(now, wait time.Duration) bool {
	if now >= s.end {
		s.overloaded = s.end != 0 && s.least > s.target
		s.end = now + s.interval
		s.least = wait
	}
	s.least = min(s.least, wait)
	return s.overloaded && wait > 2*s.target
}
