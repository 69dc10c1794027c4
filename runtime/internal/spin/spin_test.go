package spin

import (
	"sync"
	"testing"
	"time"
)

func TestMutexExcludes(t *testing.T) {
	var m Mutex
	var wg sync.WaitGroup
	n := 0
	for range 8 {
		wg.Go(func() {
			for range 10_000 {
				m.Lock()
				n++
				m.Unlock()
			}
		})
	}
	wg.Wait()
	if n != 80_000 {
		t.Errorf("%d, want 80000", n)
	}
}

// Who waits for an owner that keeps the lock for long goes to sleep.
func TestMutexIsNotSpunOnForLong(t *testing.T) {
	var m Mutex
	m.Lock()
	locked := make(chan struct{})
	go func() {
		m.Lock()
		close(locked)
		m.Unlock()
	}()
	select {
	case <-locked:
		t.Fatal("locked twice")
	case <-time.After(20 * time.Millisecond):
	}
	m.Unlock()
	select {
	case <-locked:
	case <-time.After(10 * time.Second):
		t.Fatal("never locked")
	}
}
