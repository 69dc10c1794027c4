// Package bad has one function for each way in which something scarce is held
// across a call that may block. Functions end in Bad: each has one finding of
// the default tier.
package bad

import (
	"net/http"
	"os/exec"
	"sync"
	"time"
)

// outbound is the wait of most cases: a peer decides how long it takes.
func outbound() { http.Get(peer) }

const peer = "http://peer.example"

type cache struct {
	mu     sync.Mutex
	rw     sync.RWMutex
	values map[string]string
	client *http.Client
}

func (c *cache) lockBad() {
	c.mu.Lock()
	c.client.Get(peer) // want `^c\.mu \(locked at line \d+\) is held across an outbound call \(\(\*http\.Client\)\.Get\); everyone who needs the lock waits as long \[holdacross/lock-blocking\]$`
	c.mu.Unlock()
}

func (c *cache) deferBad() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.values["a"] = "b"
	outbound() // want `c\.mu \(locked at line \d+\) is held across an outbound call \(http\.Get via outbound\)`
}

func (c *cache) deferredLiteralBad() {
	c.mu.Lock()
	defer func() {
		c.mu.Unlock()
	}()
	http.Get(peer) // want `c\.mu .*holdacross/lock-blocking`
}

func (c *cache) readLockBad() {
	c.rw.RLock()
	defer c.rw.RUnlock()
	http.Get(peer) // want `c\.rw \(read-locked at line \d+\) is held across an outbound call`
}

func (c *cache) writeLockBad() {
	c.rw.Lock()
	defer c.rw.Unlock()
	http.Get(peer) // want `c\.rw \(locked at line \d+\) is held across an outbound call`
}

// The wrong lock is released: the write lock stays.
func (c *cache) otherLockReleasedBad() {
	c.mu.Lock()
	c.rw.Lock()
	c.rw.Unlock()
	http.Get(peer) // want `c\.mu .*holdacross/lock-blocking`
	c.mu.Unlock()
}

// One finding a call, for the lock that was taken last.
func (c *cache) twoLocksBad() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.rw.RLock()
	defer c.rw.RUnlock()
	http.Get(peer) // want `holdacross/lock-blocking`
}

// Released and taken again: the second region counts.
func (c *cache) relockBad() {
	c.mu.Lock()
	c.mu.Unlock()
	http.Get(peer)
	c.mu.Lock()
	http.Get(peer) // want `c\.mu \(locked at line 81\)`
	c.mu.Unlock()
}

// Released on one path only: on the other it is held, and must-hold after the
// branch says no, so only the call inside is a finding.
func (c *cache) oneBranchBad(cached bool) {
	c.mu.Lock()
	if cached {
		http.Get(peer) // want `c\.mu .*holdacross/lock-blocking`
		c.mu.Unlock()
		return
	}
	c.mu.Unlock()
	http.Get(peer)
}

func (c *cache) sleepBad() {
	c.mu.Lock()
	defer c.mu.Unlock()
	time.Sleep(200 * time.Millisecond) // want `c\.mu .* is held across a sleep of 200ms \(time\.Sleep\).*holdacross/lock-blocking`
}

func (c *cache) execBad() {
	c.mu.Lock()
	defer c.mu.Unlock()
	exec.Command("git", "status").Run() // want `c\.mu .* is held across a wait for another process`
}

// A short sleep repeated as often as the loop likes is as long as the loop.
func (c *cache) pollBad(done func() bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for !done() {
		time.Sleep(time.Millisecond) // want `c\.mu .* is held across a sleep of 1ms in a loop`
	}
}

// 200 rounds of 1 ms are 200 ms.
func (c *cache) countedPollBad() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := 0; i < 200; i++ {
		time.Sleep(time.Millisecond) // want `c\.mu .* is held across a sleep of 200ms`
	}
}

// Embedded locks are locks.
type embedded struct {
	sync.Mutex
	values map[string]string
}

func (e *embedded) embeddedBad() {
	e.Lock()
	defer e.Unlock()
	e.values["a"] = ""
	http.Get(peer) // want `e\.Mutex \(locked at line \d+\) is held across an outbound call`
}

type embeddedPointer struct {
	*sync.RWMutex
	values map[string]string
}

func (e embeddedPointer) embeddedPointerBad() {
	e.RLock()
	defer e.RUnlock()
	http.Get(peer) // want `e\.RWMutex \(read-locked at line \d+\)`
}

type behindLocker struct {
	l      sync.Locker
	values map[string]string
}

func (b *behindLocker) lockerBad() {
	b.l.Lock()
	defer b.l.Unlock()
	b.values["a"] = ""
	http.Get(peer) // want `b\.l \(locked at line \d+\) is held across an outbound call`
}

// Whoever has many locks still waits 1 s for this one.
type sharded struct {
	byName map[string]*sync.Mutex
	fixed  [4]sync.Mutex
	list   []sync.Mutex
	seen   map[string]bool
}

func (s *sharded) mapElementBad(name string) {
	s.byName[name].Lock()
	defer s.byName[name].Unlock()
	s.seen[name] = true
	time.Sleep(time.Second) // want `s\.byName\[.*\] \(locked at line \d+\) is held across a sleep of 1s`
}

func (s *sharded) arrayElementBad() {
	s.fixed[2].Lock()
	defer s.fixed[2].Unlock()
	time.Sleep(time.Second) // want `s\.fixed\[2\] \(locked at line \d+\) is held across a sleep of 1s`
}

func (s *sharded) sliceElementBad(i int) {
	s.list[i].Lock()
	defer s.list[i].Unlock()
	time.Sleep(time.Second) // want `s\.list\[.*\] \(locked at line \d+\) is held across a sleep of 1s`
}

// The element that is released is another one.
func (s *sharded) otherElementBad() {
	s.fixed[0].Lock()
	s.fixed[1].Unlock()
	time.Sleep(time.Second) // want `s\.fixed\[0\] .* is held across a sleep of 1s`
	s.fixed[0].Unlock()
}

var registry = struct {
	sync.Mutex
	names map[string]bool
}{names: map[string]bool{}}

func packageVariableBad() {
	registry.Lock()
	defer registry.Unlock()
	registry.names["a"] = true
	http.Get(peer) // want `registry\.Mutex \(locked at line \d+\) is held across an outbound call`
}

var global sync.Mutex

func globalBad() {
	global.Lock()
	defer global.Unlock()
	http.Get(peer) // want `global \(locked at line \d+\) is held across an outbound call`
}

// TryLock and the branch where it succeeded.
func (c *cache) tryLockBad() {
	if c.mu.TryLock() {
		http.Get(peer) // want `c\.mu .*holdacross/lock-blocking`
		c.mu.Unlock()
	}
}

func (c *cache) tryLockGuardBad() {
	if !c.rw.TryRLock() {
		return
	}
	defer c.rw.RUnlock()
	http.Get(peer) // want `c\.rw \(read-locked`
}

func (c *cache) tryLockVariableBad() {
	ok := c.mu.TryLock()
	if !ok {
		return
	}
	http.Get(peer) // want `c\.mu .*holdacross/lock-blocking`
	c.mu.Unlock()
}

// Helpers that lock and unlock for their callers.
func (c *cache) acquire() { c.mu.Lock() }
func (c *cache) release() { c.mu.Unlock() }

func (c *cache) lockInHelperBad() {
	c.acquire()
	defer c.release()
	http.Get(peer) // want `c\.mu \(locked at line \d+\) is held across an outbound call`
}

// A constructor of unlock functions.
func (c *cache) locked() func() {
	c.mu.Lock()
	return c.mu.Unlock
}

func (c *cache) unlockFunctionBad() {
	unlock := c.locked()
	http.Get(peer) // want `c\.mu .*holdacross/lock-blocking`
	unlock()
}

func (c *cache) unlockFunctionDeferredBad() {
	defer c.locked()()
	http.Get(peer) // want `c\.mu .*holdacross/lock-blocking`
}

// A method value of a lock.
func (c *cache) methodValueBad() {
	unlock := c.mu.Unlock
	c.mu.Lock()
	http.Get(peer) // want `c\.mu .*holdacross/lock-blocking`
	unlock()
}

// A pointer to the lock in a local variable is the same lock.
func (c *cache) localPointerBad() {
	mu := &c.mu
	mu.Lock()
	defer c.mu.Unlock()
	http.Get(peer) // want `c\.mu .*holdacross/lock-blocking`
}

// A lock that is a parameter belongs to somebody else, and is held here.
func parameterBad(mu *sync.Mutex) {
	mu.Lock()
	defer mu.Unlock()
	http.Get(peer) // want `mu \(locked at line \d+\) is held across an outbound call`
}
