// Package ends has goroutines that wait for their own end.
package ends

type conn struct {
	done chan struct{}
	next func() error
}

func (c *conn) readJudge() {
	defer close(c.done)
	for {
		if c.next() != nil {
			c.Close() // want `self-wait`
			return
		}
	}
}

func (c *conn) Close() { <-c.done }
