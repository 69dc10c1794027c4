// Package workpool runs tasks on a fixed number of workers, with a bounded
// queue before them.
//
// It is for work that the load decides the amount of: requests, messages,
// files of an upload. At most workers tasks run at a time and at most queue
// tasks wait. What comes on top is refused ([Pool.TrySubmit]) or waits as long
// as its context says ([Pool.Submit]). So a burst costs time, and not the
// process: memory in flight is at most workers times what one task needs.
//
//	pool := workpool.New(8, 40)
//	...
//	if err := pool.TrySubmit(func(ctx context.Context) { resize(ctx, photo) }); err != nil {
//		http.Error(w, "busy", http.StatusServiceUnavailable)
//	}
//	...
//	err := pool.Shutdown(ctx) // drains; what is left at the end of ctx comes back in the error
//
// [Go] runs a function with a result and returns a [Future].
//
// Package sizing, beside this one, computes both numbers.
//
// # When not to use it
//
//   - For a fixed, small number of goroutines, write go statements and a
//     sync.WaitGroup.
//   - For a number of goroutines that one function starts and waits for, use
//     golang.org/x/sync/errgroup with SetLimit. It has no queue, no shutdown
//     and nothing to close.
//   - To bound how many callers use something at a time, with the work staying
//     in the caller's goroutine, use package bulkhead.
//   - For tasks of less than some microseconds, run them where they are: to
//     hand one over costs more.
//   - For slow and fast tasks, or for tasks that wait and tasks that compute,
//     use one pool each. A fast task behind slow ones takes as long as they do.
//
// # What a task can rely on
//
// Tasks start in the order in which they were accepted, and so do the callers
// that wait in Submit. A task gets a context that ends when the pool gives up
// on it in Shutdown.
//
// A panic in a task of [Go] becomes the error of its Future. A panic in a task
// of Submit or TrySubmit goes to the handler of [WithOnPanic]; without one it
// ends the program, as it does in a plain goroutine. It is never hidden.
// runtime.Goexit ends the task, not the worker.
//
// # Tasks that use their own pool
//
// A task that waits for a place in its own pool may wait for itself. Submit and
// Go notice that when they are about to wait, and return [ErrSelfSubmit], or
// run the task at once with [WithCallerRuns]. A task that waits for a Future of
// its own pool runs what it waits for if that has not started yet, so a tree of
// tasks finishes on one worker.
//
// A call counts as made by a task if its context comes from the task, also in a
// goroutine that the task has started, or if it is made on the goroutine of a
// worker. The second is read from the stack, and costs 0.3 to 1.5 µs, only
// where the call would wait.
package workpool
