package ok

import "net/http"

// Directives with a reason, in all the places where one may stand.

func (c *cache) statementOk() {
	c.mu.Lock()
	defer c.mu.Unlock()
	//concvet:ignore holdacross the peer is on this host
	http.Get(peer)
}

func (c *cache) sameLineOk() {
	c.mu.Lock()
	defer c.mu.Unlock()
	http.Get(peer) //concvet:ignore holdacross/lock-blocking the peer is on this host
}

//concvet:ignore holdacross the whole function runs once, before anybody else
func (c *cache) declarationOk() {
	c.mu.Lock()
	defer c.mu.Unlock()
	http.Get(peer)
	http.Get(peer)
}

func (c *cache) severalNamesOk() {
	c.mu.Lock()
	defer c.mu.Unlock()
	//concvet:ignore holdacross/tx-outbound,holdacross/lock-blocking the peer is on this host
	http.Get(peer)
}

// Staticcheck's spelling.
func (c *cache) lintOk() {
	c.mu.Lock()
	defer c.mu.Unlock()
	//lint:ignore concvet/holdacross the peer is on this host
	http.Get(peer)
}

func (c *cache) lintCategoryOk() {
	c.mu.Lock()
	defer c.mu.Unlock()
	//lint:ignore SA1000,concvet/holdacross/lock-blocking the peer is on this host
	http.Get(peer)
}

// On the line of the effect it is for all callers.
func local() {
	http.Get(peer) //concvet:ignore holdacross the peer is this process
}

func (c *cache) callerOk() {
	c.mu.Lock()
	defer c.mu.Unlock()
	local()
}

// A function that is said not to block does not.
//
//concvet:nonblocking the transport answers from memory
func fromMemory() { http.Get(peer) }

func (c *cache) declaredNonblockingOk() {
	c.mu.Lock()
	defer c.mu.Unlock()
	fromMemory()
}
