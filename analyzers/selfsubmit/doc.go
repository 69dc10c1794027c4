// Package selfsubmit reports tasks that wait for the pool which runs them.
//
// # Analyzer selfsubmit
//
// selfsubmit: report tasks that wait for the pool which runs them
//
// A pool has a limited number of goroutines. A task that waits, on one of them,
// for what only another task of the same pool can do, needs two. When as many
// tasks as there are goroutines do that at once, each waits for one that is never
// started: the pool has stopped for good. No lock is held and no CPU is used, so
// that neither the race detector nor the deadlock detector of the runtime, nor a
// profile, says anything.
//
//	// WRONG: 8 directories with subdirectories, and nothing moves any more
//	g.SetLimit(8)
//	visit = func(dir string) error {
//		for _, sub := range subdirs(dir) {
//			g.Go(func() error { return visit(sub) })
//		}
//		return nil
//	}
//
//	// RIGHT: where there is no room, the task does the work itself
//	if !g.TryGo(func() error { return visit(sub) }) {
//		if err := visit(sub); err != nil {
//			return err
//		}
//	}
//
// A pool is whatever has a limited number of goroutines: an errgroup with a
// limit, a worker pool of a library, goroutines that range over a channel, one
// loop that serves it, a function that takes a slot and starts a goroutine which
// gives it back. Which one it is, is told by the access path: another
// field, or a group that each level makes for itself, is another pool. The
// analyzer follows helpers, methods, closures and packages.
//
// Categories:
//
//   - pool-wait: a task waits for a task of its own pool
//   - pool-submit: a task submits to its own pool, and waits for room
//   - errgroup-nested: a task of an errgroup with a limit calls Go on it
//   - chan-worker: a worker, a loop or a handler sends on the bounded channel
//     that it drains itself
//   - token-nested: a second slot of a semaphore is taken while one is held, or
//     a holder waits for goroutines that come to take one
//   - self-wait: a goroutine waits for its own end, or a handler for that of its
//     server
//
// Not reported: TryGo and other forms that do not wait; a send with a default
// case; a submit from a goroutine that the task starts; a queue without a bound
// that nobody waits for; a slot that was given back before; a channel with room
// for everything by construction; a channel that somebody else receives from,
// too. A connection pool whose task asks for a second connection is reported by
// holdacross (same-pool).
package selfsubmit

import (
	_ "embed"

	"github.com/concvet/concvet/internal/report"
)

//go:embed doc.go
var source string

var doc = report.ExtractDoc(source, "selfsubmit")
