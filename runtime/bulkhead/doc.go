// Package bulkhead limits how many calls are under way at once, so that a slow
// dependency takes a fixed share of the service down and not all of it.
//
//	var billing = bulkhead.New(20, bulkhead.WithWaiters(40), bulkhead.WithMaxWait(100*time.Millisecond))
//
//	receipt, err := bulkhead.Do(ctx, billing, func(ctx context.Context) (*Receipt, error) {
//		return client.Charge(ctx, order)
//	})
//	if errors.Is(err, bulkhead.ErrFull) {
//		http.Error(w, "busy", http.StatusServiceUnavailable)
//	}
//
// # What it promises
//
//   - At most limit permits are out. [Bulkhead.SetLimit] changes the limit while
//     it is in use: a lower one takes effect as permits come back.
//   - Those who wait are served in the order they came: nobody overtakes a
//     waiter of the same class, so that a large request is not starved by small
//     ones. The price is that small ones queue behind a large one.
//   - Who waits is bounded in number ([WithWaiters], none by default) and, with
//     [WithMaxWait], in time.
//   - An error means that no permit was taken. A permit that was handed over
//     before the waiter saw the end of its context is kept, and the error is nil.
//   - [Bulkhead.AcquireN] of more than the limit fails at once with
//     [ErrTooLarge]. It does not wait for what cannot come, and neither does a
//     waiter whose request becomes too large by SetLimit.
//   - Releasing more than was acquired panics, and changes nothing.
//   - [Bulkhead.TryAcquire], and an Acquire and a Release that meet no waiter,
//     take no lock and allocate nothing.
//
// # Two classes
//
// A permit is acquired as [Bulk], which is what Acquire does, or as
// [Interactive]. The last permits can be reserved for interactive work
// ([WithReserve]), interactive waiters go before bulk ones, and when the list of
// waiters is full an interactive one displaces the bulk waiter that came last,
// which gets [ErrFull]. Bulk work gets no share of its own: where interactive
// work alone fills the bulkhead, bulk work is what is shed.
//
// # When not to use it
//
//   - To run functions on a fixed number of goroutines, with a queue: that is
//     workpool. A bulkhead runs in the caller's goroutine and queues goroutines,
//     not tasks; with ten thousand waiters it is ten thousand stacks.
//   - To limit calls a second: that is a rate limiter, such as
//     golang.org/x/time/rate. A bulkhead of n lets through n / latency.
//   - To protect a variable: that is a mutex. Limit 1 is not a lock: it has no
//     owner, and it is given out in order, which costs throughput.
//   - Before a database/sql pool, unless some of its users must be kept from the
//     last connections: SetMaxOpenConns is a bulkhead already. Where only the
//     wait for it lacks a bound, give the context a deadline.
//   - Never hold a permit of one bulkhead while you wait for another permit of
//     the same one: that deadlocks as soon as all permits are held that way.
//     AcquireN takes several at once.
package bulkhead
