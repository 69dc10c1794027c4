package bad

import (
	"time"

	"context"

	"golang.org/x/sync/semaphore"
)

// A slot that sleeps does nothing for anybody.

type crawler struct{ slots chan struct{} }

func newCrawler() *crawler { return &crawler{slots: make(chan struct{}, 8)} }

func (c *crawler) channelSlotBad() {
	c.slots <- struct{}{}
	defer func() { <-c.slots }()
	time.Sleep(time.Second) // want `slot c\.slots \(taken at line \d+\) is held across a sleep of 1s \(time\.Sleep\); the slot does nothing meanwhile \[holdacross/slot-sleep\]`
}

func (c *crawler) selectSlotBad(ctx context.Context) error {
	select {
	case c.slots <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	time.Sleep(time.Second) // want `slot c\.slots .* is held across a sleep of 1s.*holdacross/slot-sleep`
	<-c.slots
	return nil
}

func (c *crawler) selectDefaultSlotBad() bool {
	select {
	case c.slots <- struct{}{}:
		defer func() { <-c.slots }()
		time.Sleep(time.Second) // want `slot c\.slots .* is held across a sleep of 1s.*holdacross/slot-sleep`
		return true
	default:
		return false
	}
}

func localSlotsBad(jobs []string) {
	slots := make(chan struct{}, 4)
	for range jobs {
		slots <- struct{}{}
		time.Sleep(time.Second) // want `slot .* is held across a sleep of 1s.*holdacross/slot-sleep`
		<-slots
	}
}

// The constructor fills the channel: a receive takes a slot.
type filled struct{ free chan struct{} }

func newFilled(n int) *filled {
	f := &filled{free: make(chan struct{}, n)}
	for range n {
		f.free <- struct{}{}
	}
	return f
}

func (f *filled) receiveSlotBad() {
	<-f.free
	time.Sleep(time.Second) // want `slot f\.free .* is held across a sleep of 1s.*holdacross/slot-sleep`
	f.free <- struct{}{}
}

func weightedBad(ctx context.Context, sem *semaphore.Weighted) error {
	if err := sem.Acquire(ctx, 1); err != nil {
		return err
	}
	defer sem.Release(1)
	time.Sleep(time.Second) // want `slot sem .* is held across a sleep of 1s.*holdacross/slot-sleep`
	return nil
}

func tryWeightedBad(sem *semaphore.Weighted) {
	if !sem.TryAcquire(1) {
		return
	}
	defer sem.Release(1)
	backoff(3) // want `slot sem .* is held across a sleep.*via backoff.*holdacross/slot-sleep`
}

func backoff(n int) {
	for i := range n {
		time.Sleep(time.Duration(i) * time.Second)
	}
}

// Waiting for a slot keeps the lock from everybody.
func weightedUnderLockBad(ctx context.Context, h *hub, sem *semaphore.Weighted) {
	h.mu.Lock()
	defer h.mu.Unlock()
	sem.Acquire(ctx, 1) // want `h\.mu .* is held across a wait for a free slot`
	sem.Release(1)
}

// Taken and given back in two methods.
type ownSlots struct{ slots chan struct{} }

func newOwnSlots(n int) *ownSlots { return &ownSlots{slots: make(chan struct{}, n)} }

func (s *ownSlots) acquire() { s.slots <- struct{}{} }
func (s *ownSlots) release() { <-s.slots }

func (s *ownSlots) slotTakenInMethodBad() {
	s.acquire()
	defer s.release()
	time.Sleep(time.Second) // want `slot s\.slots .*holdacross/slot-sleep`
}
