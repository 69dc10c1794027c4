// Package grouped makes one mistake in many places: the same lock is held
// across calls that all lead to the same wait. They have one cause and one
// cure, so three of them are reported, those nearest to the wait.
package grouped

import (
	"net/http"
	"sync"
)

type client struct {
	mu    sync.Mutex
	calls map[string]int
}

func (c *client) call(name string) { http.Get(name) }

func (c *client) far(name string) { c.call(name) }

func (c *client) FarOk() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls["far"]++
	c.far("far")
}

func (c *client) OneBad() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls["one"]++
	c.call("one") // want `c\.mu .* is held across an outbound call`
}

func (c *client) TwoBad() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls["two"]++
	c.call("two") // want `c\.mu .* is held across an outbound call`
}

func (c *client) ThreeBad() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls["three"]++
	c.call("three") // want `c\.mu .* is held across an outbound call .*and 2 more`
}

func (c *client) FourOk() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls["four"]++
	c.call("four")
}

func (c *client) touch() {
	c.mu.Lock()
	defer c.mu.Unlock()
}
