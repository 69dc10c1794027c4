// Package holdacross reports scarce things held across calls that may block.
//
// # Analyzer holdacross
//
// holdacross: report scarce things held across calls that may block
//
// A database connection, a transaction, open rows, a lock or a semaphore slot
// is scarce: whoever holds it keeps it from everybody else. Held while the
// goroutine waits for a peer, a timer or another goroutine, it makes the whole
// service as slow as that one wait, and a pool of 20 connections whose holders
// wait 3 s serves 20/3 = 6.7 requests a second.
//
//	// WRONG: every reader of the map waits for the slowest server
//	s.mu.Lock()
//	defer s.mu.Unlock()
//	resp, err := s.client.Get(url)
//
//	// RIGHT: look, let go, call, look again
//	s.mu.Lock()
//	url := s.url
//	s.mu.Unlock()
//	resp, err := s.client.Get(url)
//
// The analyzer follows helpers, methods, closures and packages: the lock may be
// taken by one function and the call made three functions away.
//
// Categories:
//
//   - tx-outbound, conn-outbound, rows-outbound: a transaction, a pooled
//     connection or open rows held across an outbound call, another process, a
//     sleep, or a wait for another goroutine
//   - same-pool: a second connection taken from a pool while one is held
//   - lock-blocking: a mutex held across one of these, or a database call
//   - slot-sleep: a semaphore slot held across a sleep
//
// Not reported: cond.Wait under its own lock; a channel operation with a default
// case, or on a fresh channel with room; work on the held connection itself;
// work on another pool; a lock whose only job is to serialise the connection or
// file that is written (audit); a lock that nobody in sight wants for a moment only:
// all who take it wait for the same, or start and end things (audit); a slot held across the call that it limits.
package holdacross

import (
	_ "embed"

	"github.com/concvet/concvet/internal/report"
)

//go:embed doc.go
var source string

var doc = report.ExtractDoc(source, "holdacross")
