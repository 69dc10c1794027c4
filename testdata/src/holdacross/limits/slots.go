package limits

import (
	"sync"
	"time"
)

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

// One finding names one lock. Locks that are no fields have no name that is
// the same in all functions, so three functions with a lock of their own that
// call the same helper are taken for three places of one mistake, and the
// fourth is left out.
func helper() { time.Sleep(time.Second) }

func FN_ownLocks1(mu *sync.Mutex) {
	mu.Lock()
	defer mu.Unlock()
	helper() // want `mu .*holdacross/lock-blocking`
}

func FN_ownLocks2(other *sync.Mutex) {
	other.Lock()
	defer other.Unlock()
	helper() // want `other .*holdacross/lock-blocking`
}

var third sync.Mutex

func FN_ownLocks3() {
	third.Lock()
	defer third.Unlock()
	helper() // want `third .*holdacross/lock-blocking`
}

func FN_ownLocks4() {
	var local sync.Mutex
	local.Lock()
	defer local.Unlock()
	helper()
}
