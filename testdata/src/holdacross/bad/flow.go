package bad

import (
	"errors"
	"net/http"
	"time"
)

// Control flow in all its forms.

func (c *cache) gotoBad(n int) {
	c.mu.Lock()
again:
	http.Get(peer) // want `c\.mu .*holdacross/lock-blocking`
	if n--; n > 0 {
		goto again
	}
	c.mu.Unlock()
}

func (c *cache) labelledBreakBad(lists [][]int) {
	c.mu.Lock()
	defer c.mu.Unlock()
outer:
	for _, list := range lists {
		for _, v := range list {
			if v == 0 {
				break outer
			}
			if v == 1 {
				continue outer
			}
			http.Get(peer) // want `c\.mu .*holdacross/lock-blocking`
		}
	}
}

func (c *cache) rangeIntBad() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for range 200 {
		time.Sleep(time.Millisecond) // want `c\.mu .* is held across a sleep of 200ms.*holdacross/lock-blocking`
	}
}

// The iterator holds the lock while the body runs.
func (c *cache) all(yield func(string) bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for k := range c.values {
		if !yield(k) {
			return
		}
	}
}

func (c *cache) iteratorHoldsBad() {
	for range c.all {
		http.Get(peer) // want `c\.mu .*holdacross/lock-blocking`
	}
}

func (c *cache) switchBad(kind int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch kind {
	case 1:
		fallthrough
	case 2:
		http.Get(peer) // want `c\.mu .*holdacross/lock-blocking`
	default:
	}
}

func (c *cache) typeSwitchBad(v any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch v := v.(type) {
	case *http.Client:
		v.Get(peer) // want `c\.mu .*holdacross/lock-blocking`
	case error:
		errors.Unwrap(v)
	}
}

// Deferred calls run last first: the sleep comes before the unlock.
func (c *cache) deferOrderBad() {
	c.mu.Lock()
	defer c.mu.Unlock()
	defer time.Sleep(time.Second) // want `c\.mu .* is held across a sleep of 1s.*holdacross/lock-blocking`
}

func (c *cache) deferredWorkBad() {
	c.mu.Lock()
	defer c.mu.Unlock()
	defer func() {
		http.Get(peer) // want `c\.mu .*holdacross/lock-blocking`
	}()
	c.values["a"] = ""
}

// A return in the middle does not unlock what is unlocked at the end only.
func (c *cache) earlyReturnBad(skip bool) {
	c.mu.Lock()
	if skip {
		c.mu.Unlock()
		return
	}
	http.Get(peer) // want `c\.mu .*holdacross/lock-blocking`
	c.mu.Unlock()
}

// log.Fatal and its like end a path, so the lock is held on all that remain.
func (c *cache) panicPathBad(ok bool) {
	c.mu.Lock()
	if !ok {
		c.mu.Unlock()
		panic("not ok")
	}
	http.Get(peer) // want `c\.mu .*holdacross/lock-blocking`
	c.mu.Unlock()
}

// Held again at the end of every round.
func (c *cache) loopRelockBad(n int) {
	c.mu.Lock()
	for range n {
		c.mu.Unlock()
		http.Get(peer)
		c.mu.Lock()
	}
	http.Get(peer) // want `c\.mu .*holdacross/lock-blocking`
	c.mu.Unlock()
}
