// Package blockinloop reports waits in loops and callbacks that many depend on.
//
// # Analyzer blockinloop
//
// blockinloop: report waits in loops and callbacks that many depend on
//
// An event loop serves several parties from one goroutine: requests, ticks,
// results, a reload. While it waits for one of them, or for a peer, all others
// wait, too: one call of 300 ms makes every event that comes meanwhile 300 ms
// late, and a call that never returns stops them all.
//
//	// WRONG: while the runtime does not answer no update is handled
//	for {
//		select {
//		case u := <-updates:
//			apply(u)
//		case <-tick.C:
//			resp, err := client.Get(url)
//			…
//		}
//	}
//
//	// RIGHT: the call has its own goroutine, the loop gets the result
//	case <-tick.C:
//		go func() { results <- fetch(url) }()
//	case r := <-results:
//		…
//
// The analyzer follows helpers, methods, closures and packages: the loop may be
// in one function and the wait three functions away.
//
// Categories:
//
//   - event-loop: a wait in a loop that serves two or more live sources, or two
//     or more kinds of event
//   - accept-loop: a wait for one peer in the loop that accepts all peers
//   - ignores-stop: a sleep, send or receive in a loop that watches a context or
//     a stop channel, where neither can end it
//   - callback: a wait in a function that a library runs on its own loop, such
//     as the Update of a terminal program, the Apply of a state machine or the
//     handler of an informer
//   - latency: a wait in a function or loop that a //concvet:latency directive
//     marks
//
// Not reported: workers, pollers and flushers that do one job; pumps between two
// stages; a reply on a channel that came with the event; a send to somebody who
// does nothing but receive; a select with a default case; work in a goroutine;
// waits on the way out of the loop; waits of a known length below
// -blockinloop.max; what the loop waits for at another place of its round, as the
// next step of the same job. A wait that delays only ticks or signals is for an
// audit, and so is a pause that the end of the loop is late by: one below five
// seconds, one after a failure, and one for which nobody waits.
package blockinloop

import (
	_ "embed"

	"github.com/concvet/concvet/internal/report"
)

//go:embed doc.go
var source string

var doc = report.ExtractDoc(source, "blockinloop")
