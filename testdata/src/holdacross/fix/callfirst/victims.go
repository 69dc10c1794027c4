package callfirst

func (c *cache) setCode(code int) {
	c.rw.Lock()
	c.code = code
	c.rw.Unlock()
}
