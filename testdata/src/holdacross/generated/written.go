package generated

func (c *cache) callerBad() {
	c.mu.Lock()
	defer c.mu.Unlock()
	fetch() // want `c\.mu .* is held across an outbound call \(http\.Get via fetch\)`
}

func (c *cache) touch() {
	c.mu.Lock()
	defer c.mu.Unlock()
}
