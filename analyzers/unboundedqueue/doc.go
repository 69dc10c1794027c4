// Package unboundedqueue reports goroutines, queues and channels whose number
// the load decides.
//
// # Analyzer unboundedqueue
//
// unboundedqueue: report goroutines, queues and channels whose number the load decides
//
// Whatever takes in work must be able to say no. A service that starts a
// goroutine for every message, or keeps every event in a slice until somebody
// comes for it, takes in all there is: 2,000 uploads in 10 s, each decoded to
// 48 MB, are 96 GB in memory at once. Eight workers behind a queue with a limit
// need 400 MB, and the burst costs time, not the process.
//
//	// WRONG: the senders decide how many goroutines there are
//	for msg := range messages {
//		go handle(msg)
//	}
//
//	// RIGHT: a slot is taken before the goroutine starts
//	slots := make(chan struct{}, 32)
//	for msg := range messages {
//		slots <- struct{}{}
//		go func() {
//			defer func() { <-slots }()
//			handle(msg)
//		}()
//	}
//
// The analyzer looks at what feeds a loop (a channel, a listener, a consumer, a
// list) and follows helpers, methods and packages to the goroutine.
//
// Categories:
//
//   - go-per-item: a goroutine for every message, packet or request (of net/http,
//     a framework or gRPC), at once or by a timer that nobody keeps, or for every
//     element of a list if it calls out, queries or opens files
//   - late-acquire: the goroutine is started first, and waits inside for a slot
//     or to hand over its item: the slots limit the work, not the goroutines
//   - errgroup-nolimit: the same with an errgroup that has no SetLimit
//   - pool-default: a pool of a library whose queue, or number of workers, has
//     no bound unless one is asked for
//   - slice-queue, list-queue: a slice or list that one function adds to and
//     another takes from, and whose length nobody compares with a limit
//   - infinite-chan: a channel that takes whatever comes, made by a library or
//     by a loop that keeps what it cannot send
//   - huge-chan: a channel with room for 4,096 or more values for each
//     connection or request, or for 100,000 anywhere
//   - accept-spawn (audit): a goroutine for every connection
//
// Not reported: loops with a constant or configured number of rounds; workers;
// a slot, a throttle or a count that is looked at before the goroutine starts;
// goroutines that are waited for in the same round; one goroutine per key or
// flag; queues whose length is compared with a limit anywhere, which hold each
// key once, or in which the callers themselves wait; timers. In the audit tier: what
// comes through a channel of the program's own that is no parameter; queues that say
// that they take whatever comes.
package unboundedqueue

import (
	_ "embed"

	"github.com/concvet/concvet/internal/report"
)

//go:embed doc.go
var source string

var doc = report.ExtractDoc(source, "unboundedqueue")
