package bad

import "net/http"

// Directives that suppress nothing here.

func (c *cache) otherAnalyzerBad() {
	c.mu.Lock()
	defer c.mu.Unlock()
	//concvet:ignore holdacross/tx-outbound this is the wrong category
	http.Get(peer) // want `c\.mu .*holdacross/lock-blocking`
}

func (c *cache) noReasonBad() {
	c.mu.Lock()
	defer c.mu.Unlock()
	//concvet:ignore holdacross
	http.Get(peer) // want `c\.mu .*holdacross/lock-blocking`
}

func (c *cache) unknownNameBad() {
	c.mu.Lock()
	defer c.mu.Unlock()
	//concvet:ignore holdacros a typing error is not obeyed
	http.Get(peer) // want `c\.mu .*holdacross/lock-blocking`
}

func (c *cache) unknownVerbBad() {
	c.mu.Lock()
	defer c.mu.Unlock()
	//concvet:disable holdacross there is no such verb
	http.Get(peer) // want `c\.mu .*holdacross/lock-blocking`
}

func (c *cache) spaceBad() {
	c.mu.Lock()
	defer c.mu.Unlock()
	// concvet:ignore holdacross a space makes it a comment
	http.Get(peer) // want `c\.mu .*holdacross/lock-blocking`
}

// One line further up it speaks of another statement.
func (c *cache) otherLineBad() {
	c.mu.Lock()
	defer c.mu.Unlock()
	//concvet:ignore holdacross that is the line below
	c.values["a"] = ""
	http.Get(peer) // want `c\.mu .*holdacross/lock-blocking`
}

// A directive in a string is a string.
func (c *cache) stringBad() {
	c.mu.Lock()
	defer c.mu.Unlock()
	const text = `
//concvet:ignore holdacross no comment
`
	http.Get(peer + text) // want `c\.mu .*holdacross/lock-blocking`
}

// The same for staticcheck's spelling.
func (c *cache) otherToolBad() {
	c.mu.Lock()
	defer c.mu.Unlock()
	//lint:ignore SA1000 another tool's
	http.Get(peer) // want `c\.mu .*holdacross/lock-blocking`
}

// A function that is said to block does.
//
//concvet:blocking net it ends in assembly
func opaque() {}

func (c *cache) declaredBlockingBad() {
	c.mu.Lock()
	defer c.mu.Unlock()
	opaque() // want `c\.mu .* is held across an outbound call`
}
