// Package bqueue is a first-in, first-out queue that is never longer than it was
// made, and that says what happens when it is full.
//
//	jobs := bqueue.New[Job](50, bqueue.Reject) // 100 ms at 500 jobs a second
//
//	if err := jobs.TryPush(job); err != nil {      // at once, with Reject and Block
//		http.Error(w, "busy", http.StatusServiceUnavailable)
//	}
//	for {
//		job, err := jobs.Pop(ctx)
//		if err != nil {
//			return err                             // ErrClosed after the last job
//		}
//		job.Run(ctx)
//	}
//
// # What to do when it is full
//
//   - [Block]: the producer waits, until its context ends. For producers that
//     may be slowed down: a file that is read, a batch.
//   - [Reject]: the producer gets [ErrFull]. For requests: say no at once, while
//     the caller can still go elsewhere.
//   - [DropOldest]: the oldest item makes room. For measurements and positions,
//     where the newest is worth most.
//   - [DropNewest]: the new item is dropped, and the producer need not care. For
//     logs and samples.
//
// # How long to make it
//
// The capacity is the wait you accept × the rate at which items are taken out;
// sizing.QueueCap computes it.
// A longer queue gives no throughput, only age: in a simulation of a service that
// does 500 requests a second with a deadline of 200 ms, at 600 a second, a queue
// of 50 answers about 500 a second in time, and one of 10,000 answers 10. What is
// dropped after it has expired has already made all others late. Where the rate
// varies, [WithCoDel] drops what has waited too long while a standing queue does
// not go away.
//
// # What it promises
//
//   - The capacity is exact. [ErrFull] means that the queue held that many items
//     at one moment during the call.
//   - Items leave in the order in which they came in, unless [WithAdaptiveLIFO]
//     says otherwise, and blocked producers get in in the order they came.
//     Nobody overtakes them.
//   - An error of Push or TryPush means that the item is not in the queue, nil
//     that it is, or that OnDrop is told.
//   - Every item that is dropped is reported to [WithOnDrop], outside the lock,
//     by the goroutine whose call dropped it. The function may use the queue.
//   - Close never blocks. It ends the wait of every blocked producer and consumer
//     with [ErrClosed], and what is in the queue can still be popped.
//   - Push, TryPush, Pop and TryPop allocate nothing. Those that wait reuse what
//     earlier ones waited with, up to 64 at a time.
//
// # When not to use it
//
//   - A channel is enough where Block is the policy, one goroutine closes it, and
//     nobody asks how long items wait. It can be part of a select, which a queue
//     cannot.
//   - To run functions on workers: workpool has the queue built in, and a
//     shutdown that hands back what it did not run.
//   - Between processes, or where items must survive a crash: that is a broker or
//     a table.
//   - For millions of items a second between two fixed goroutines, a
//     single-producer ring is faster; this one has a lock.
package bqueue
