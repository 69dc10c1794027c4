package limits

import "sync"

// Which lock a condition variable gives up is told by the field that it shares
// with the lock. Of two local variables it could only be told by NewCond, whose
// row does not say that the variable remembers its argument.
func FP_localCond(ready func() bool) {
	var mu sync.Mutex
	cond := sync.NewCond(&mu)
	mu.Lock()
	defer mu.Unlock()
	for !ready() {
		cond.Wait() // want `mu .* is held across a wait on a condition variable of another lock`
	}
}

// The reply channel is fresh, but it was made in a struct literal, whose copy in
// r has another path.
type request struct{ reply chan int }

func FP_replyChannelInStruct(requests chan<- request, c *cache) int {
	r := request{reply: make(chan int, 1)}
	requests <- r
	c.mu.Lock()
	defer c.mu.Unlock()
	return <-r.reply // want `c\.mu .* is held across a channel receive \(receive from r\.reply\)`
}
