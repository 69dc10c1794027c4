package bad

import (
	"database/sql"
	"net/http"
	"sync"

	"golang.org/x/sync/errgroup"
)

// Goroutines that are started and waited for under the lock do what they do
// under the lock.

func forkJoinOutboundBad(h *hub) {
	h.mu.Lock()
	defer h.mu.Unlock()
	var wg sync.WaitGroup
	for range h.subs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			http.Get(peer)
		}()
	}
	wg.Wait() // want `h\.mu .* is held across an outbound call \(http\.Get via \(\*sync\.WaitGroup\)\.Wait, func literal\)`
}

func forkJoinGoBad(h *hub, db *sql.DB) {
	h.mu.Lock()
	defer h.mu.Unlock()
	var wg sync.WaitGroup
	wg.Go(func() { db.Exec("delete from t") })
	wg.Wait() // want `h\.mu .* is held across a database call`
}

func forkJoinNamedBad(h *hub) {
	h.mu.Lock()
	defer h.mu.Unlock()
	var wg sync.WaitGroup
	wg.Add(1)
	go fetch(&wg)
	wg.Wait() // want `h\.mu .* is held across an outbound call`
}

func fetch(wg *sync.WaitGroup) {
	defer wg.Done()
	http.Get(peer)
}

func forkJoinErrgroupBad(h *hub) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	var g errgroup.Group
	g.Go(func() error {
		http.Get(peer)
		return nil
	})
	return g.Wait() // want `h\.mu .* is held across an outbound call`
}

func forkJoinChannelBad(h *hub) {
	h.mu.Lock()
	defer h.mu.Unlock()
	done := make(chan struct{})
	go func() {
		defer close(done)
		http.Get(peer)
	}()
	<-done // want `h\.mu .* is held across an outbound call`
}

// The goroutine wants the lock that its waiter holds.
func forkJoinDeadlockBad(h *hub) {
	h.mu.Lock()
	defer h.mu.Unlock()
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		h.mu.Lock()
		h.closed = true
		h.mu.Unlock()
	}()
	wg.Wait() // want `h\.mu .*the goroutine that is waited for takes the same lock: deadlock`
}

func forkJoinDeadlockChannelBad(h *hub) bool {
	done := make(chan bool)
	h.mu.Lock()
	defer h.mu.Unlock()
	go func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		done <- h.closed
	}()
	return <-done // want `h\.mu .*the goroutine that is waited for takes the same lock: deadlock`
}
