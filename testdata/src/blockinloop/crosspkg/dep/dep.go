// Package dep waits for others.
package dep

import (
	"net/http"
	"sync"
	"time"
)

// Fetch asks a peer.
func Fetch(url string) string {
	resp, err := http.Get(url)
	if err != nil {
		return ""
	}
	defer resp.Body.Close()
	return resp.Status
}

// Pause waits.
func Pause() { time.Sleep(5 * time.Second) }

// Publish hands a value to every subscriber.
func Publish(subs map[string]chan int, v int) {
	for _, ch := range subs {
		ch <- v
	}
}

// Quick does nothing that takes long.
func Quick() { time.Sleep(time.Millisecond) }

// A Registry holds its lock while it asks a peer.
type Registry struct {
	mu    sync.Mutex
	names map[string]bool
}

// Put takes the lock.
func (r *Registry) Put(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.names[name] = true
}

// Refresh holds it meanwhile.
func (r *Registry) Refresh() {
	r.mu.Lock()
	defer r.mu.Unlock()
	http.Get("http://peer.example/names")
}

// A Counter holds its lock for a moment.
type Counter struct {
	mu sync.Mutex
	n  int
}

// Add takes it.
func (c *Counter) Add() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
}
