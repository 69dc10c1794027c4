package limits

import "time"

// That a channel has room for several slots is written where it is made. A
// constructor that does nothing else has no effect, so its SSA is not built and
// the make is not seen: taken and given back in two methods, the channel is
// not known to be a semaphore.
type semaphore struct{ slots chan struct{} }

func newSemaphore(n int) *semaphore { return &semaphore{slots: make(chan struct{}, n)} }

func (s *semaphore) acquire() { s.slots <- struct{}{} }
func (s *semaphore) release() { <-s.slots }

func (s *semaphore) FN_slotTakenInMethod() {
	s.acquire()
	defer s.release()
	time.Sleep(time.Second)
}
