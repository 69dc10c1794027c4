// Package ok has one function for each shape that looks like a mistake and is
// none. Functions end in Ok: none has a finding, in the audit tier neither.
package ok

import (
	"net/http"
	"os/exec"
	"sync"
	"time"
)

const peer = "http://peer.example"

func outbound() { http.Get(peer) }

type cache struct {
	mu     sync.Mutex
	rw     sync.RWMutex
	values map[string]string
	client *http.Client
}

// Look, let go, call, look again.
func (c *cache) letGoOk() {
	c.mu.Lock()
	url := c.values["url"]
	c.mu.Unlock()
	resp, _ := c.client.Get(url)
	c.mu.Lock()
	c.values["status"] = resp.Status
	c.mu.Unlock()
}

func (c *cache) readLockLetGoOk() {
	c.rw.RLock()
	url := c.values["url"]
	c.rw.RUnlock()
	http.Get(url)
}

// Every branch lets go before the call.
func (c *cache) everyBranchOk(hit bool) {
	c.mu.Lock()
	if hit {
		c.mu.Unlock()
	} else {
		c.values["a"] = ""
		c.mu.Unlock()
	}
	outbound()
}

// One branch lets go: after the join it is not certain that it is held.
func (c *cache) someBranchOk(hit bool) {
	c.mu.Lock()
	if hit {
		c.mu.Unlock()
	}
	outbound()
	if !hit {
		c.mu.Unlock()
	}
}

func (c *cache) releaseInLiteralOk() {
	c.mu.Lock()
	func() {
		c.mu.Unlock()
	}()
	outbound()
}

func (c *cache) release() { c.mu.Unlock() }

func (c *cache) releaseInCalleeOk() {
	c.mu.Lock()
	c.values["a"] = ""
	c.release()
	outbound()
}

func (c *cache) temporaryUnlockOk() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.mu.Unlock()
	outbound()
	c.mu.Lock()
}

func (c *cache) temporaryUnlockInHelperOk() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refresh()
}

// refresh is called with c.mu held.
func (c *cache) refresh() {
	c.mu.Unlock()
	outbound()
	c.mu.Lock()
}

// The callee of the helper is the one that calls out, after an unlock above it.
func (c *cache) refreshDeep() {
	c.mu.Unlock()
	defer c.mu.Lock()
	c.fetch()
}

func (c *cache) fetch() { outbound() }

func (c *cache) temporaryUnlockDeepOk() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refreshDeep()
}

// TryLock and the branch where it failed.
func (c *cache) tryLockFailedOk() {
	if c.mu.TryLock() {
		c.mu.Unlock()
		return
	}
	outbound()
}

func (c *cache) tryLockElseOk() {
	if !c.rw.TryLock() {
		outbound()
	} else {
		c.rw.Unlock()
	}
}

func (c *cache) unlockFunction() func() {
	c.mu.Lock()
	return c.mu.Unlock
}

func (c *cache) unlockFunctionOk() {
	unlock := c.unlockFunction()
	c.values["a"] = ""
	unlock()
	outbound()
}

func (c *cache) methodValueOk() {
	unlock := c.mu.Unlock
	c.mu.Lock()
	unlock()
	outbound()
}

// Work that is moved to a goroutine, a timer or a later call is not done here.
func (c *cache) goOk() {
	c.mu.Lock()
	defer c.mu.Unlock()
	go outbound()
	go func() {
		outbound()
	}()
	time.AfterFunc(time.Second, outbound)
	time.AfterFunc(time.Second, func() { outbound() })
}

func (c *cache) returnedLiteralOk() func() {
	c.mu.Lock()
	defer c.mu.Unlock()
	return func() { outbound() }
}

func (c *cache) storedLiteralOk(later map[string]func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	later["a"] = func() { outbound() }
}

// The unlock that is deferred last runs before the call that is deferred first.
func (c *cache) deferOrderOk() {
	defer outbound()
	c.mu.Lock()
	defer c.mu.Unlock()
}

func (c *cache) deferredWorkOutsideOk() {
	defer func() { outbound() }()
	c.mu.Lock()
	defer c.mu.Unlock()
}

// Very short sleeps are how one waits for another core.
func (c *cache) shortSleepOk() {
	c.mu.Lock()
	defer c.mu.Unlock()
	time.Sleep(time.Millisecond)
	for i := 0; i < 5; i++ {
		time.Sleep(time.Millisecond)
	}
}

// Starting a process does not wait for it.
func (c *cache) startOk() {
	c.mu.Lock()
	defer c.mu.Unlock()
	exec.Command("sleep", "1").Start()
}

// A shadowed name is another thing.
type Mutex struct{}

func (*Mutex) Lock()   {}
func (*Mutex) Unlock() {}

type fake struct{ mu Mutex }

func (f *fake) ownMutexOk() {
	f.mu.Lock()
	defer f.mu.Unlock()
	outbound()
}

// A lock is handed to a goroutine that unlocks it.
func (c *cache) handedOverOk() {
	c.mu.Lock()
	go func() {
		defer c.mu.Unlock()
		c.values["a"] = ""
	}()
	outbound()
}

func (c *cache) finish() { c.mu.Unlock() }

func (c *cache) handedOverNamedOk() {
	c.mu.Lock()
	go c.finish()
	outbound()
}

// Dead code.
func (c *cache) deadOk() {
	c.mu.Lock()
	defer c.mu.Unlock()
	return
	outbound()
}

func (c *cache) afterPanicOk() {
	c.mu.Lock()
	defer c.mu.Unlock()
	panic("never")
	outbound()
}

// The error path exits, so the lock is never held when it calls.
func (c *cache) gotoReleaseOk(n int) {
	c.mu.Lock()
	if n == 0 {
		goto done
	}
	c.values["a"] = ""
done:
	c.mu.Unlock()
	outbound()
}

func (c *cache) loopUnlockOk(n int) {
	for range n {
		c.mu.Lock()
		c.values["a"] = ""
		c.mu.Unlock()
		outbound()
	}
}

func (c *cache) labelledOk(n int) {
loop:
	for {
		c.mu.Lock()
		switch {
		case n > 2:
			c.mu.Unlock()
			break loop
		default:
			n++
		}
		c.mu.Unlock()
	}
	outbound()
}

// Another element of the slice than the one that is locked is unlocked before.
func elementsOk(list []sync.Mutex) {
	for i := range list {
		list[i].Lock()
		list[i].Unlock()
	}
	outbound()
}

// A lock that is locked in one object and called out under in another.
func otherObjectOk(a, b *cache) {
	a.mu.Lock()
	a.values["x"] = ""
	a.mu.Unlock()
	b.mu.Lock()
	b.values["x"] = ""
	b.mu.Unlock()
	outbound()
}
