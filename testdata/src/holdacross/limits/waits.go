package limits

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

func (c *cache) touch() {
	c.mu.Lock()
	defer c.mu.Unlock()
}
