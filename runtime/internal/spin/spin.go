// Package spin waits for what takes some tens of nanoseconds.
//
// The lock of a sync.Mutex that is taken puts its caller to sleep at once where
// other goroutines are ready to run on the same P. That is right for locks that
// are held for long. For one that guards a few words of memory it costs many
// times what the lock itself does: the caller comes back through the scheduler,
// and finds the lock taken again.
//
// Who waits here leaves the memory alone for about a microsecond at a time, so
// that the other one has it in his cache for many operations. To look more often
// makes both slower than to sleep: the line of memory goes to and fro.
package spin

import (
	"runtime"
	"sync"
)

const (
	first  = 2048 // turns of an empty loop: about a microsecond
	rounds = 3    // that double. If the owner has been interrupted, no more is lost
)

// A Mutex is a sync.Mutex that is waited for some microseconds before the
// goroutine goes to sleep. It must be held for no longer than some tens of
// nanoseconds.
type Mutex struct{ mu sync.Mutex }

// Lock locks m.
func (m *Mutex) Lock() {
	if !m.mu.TryLock() {
		m.wait()
	}
}

func (m *Mutex) wait() {
	if cores > 1 {
		for i := range rounds {
			Pause(i)
			if m.mu.TryLock() {
				return
			}
		}
	}
	m.mu.Lock()
}

// Unlock unlocks m.
func (m *Mutex) Unlock() { m.mu.Unlock() }

// cores is how many goroutines can run at once: with one, spinning keeps the owner
// of the lock from running.
var cores = min(runtime.NumCPU(), runtime.GOMAXPROCS(0))

// Pause lets a moment pass after the attempt i, from 0 on, has failed. The moments
// double, up to some microseconds.
//
//go:noinline
func Pause(i int) {
	for range first << min(i, rounds-1) {
	}
}
