package workpool_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/concvet/concvet/runtime/workpool"
)

// Two workers, both busy, and a queue of two.
func Example() {
	ctx := context.Background()
	pool := workpool.New(2, 2)
	release := make(chan struct{})
	for range 2 {
		pool.TrySubmit(func(context.Context) { <-release })
	}
	for i := 1; i <= 5; i++ {
		if err := pool.TrySubmit(func(context.Context) {}); err != nil {
			fmt.Printf("submit %d: %v\n", i, err)
		} else {
			fmt.Printf("submit %d: accepted\n", i)
		}
	}
	fmt.Println("Rejected", pool.Stats().Rejected)

	wait, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
	defer cancel()
	fmt.Println("blocking submit:", pool.Submit(wait, func(context.Context) {}))
	fmt.Println("Rejected", pool.Stats().Rejected)

	close(release)
	fmt.Println("shutdown:", pool.Shutdown(ctx))
	fmt.Println("Done", pool.Stats().Done)
	fmt.Println("later submit:", pool.TrySubmit(func(context.Context) {}))

	// A job that would never end.
	pool = workpool.New(2, 2)
	cancelled := make(chan struct{})
	pool.TrySubmit(func(ctx context.Context) {
		<-ctx.Done()
		close(cancelled)
	})
	start := time.Now()
	drain, cancel := context.WithTimeout(ctx, 100*time.Millisecond)
	defer cancel()
	err := pool.Shutdown(drain)
	fmt.Println("shutdown with a stuck job:", errors.Is(err, context.DeadlineExceeded), "after 100 ms:", time.Since(start) >= 100*time.Millisecond)
	<-cancelled
	fmt.Println("the job was cancelled")
	<-pool.Done()

	// Output:
	// submit 1: accepted
	// submit 2: accepted
	// submit 3: workpool: queue full
	// submit 4: workpool: queue full
	// submit 5: workpool: queue full
	// Rejected 3
	// blocking submit: context deadline exceeded
	// Rejected 4
	// shutdown: <nil>
	// Done 4
	// later submit: workpool: closed
	// shutdown with a stuck job: true after 100 ms: true
	// the job was cancelled
}

func ExampleGo() {
	ctx := context.Background()
	pool := workpool.New(4, 16)
	defer pool.Shutdown(ctx)

	length := func(context.Context) (int, error) { return len("result"), nil }
	f, err := workpool.Go(ctx, pool, length)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(f.Wait(ctx))
	// Output: 6 <nil>
}

// What did not run before the deadline can be saved, or run elsewhere.
func ExampleShutdownError() {
	pool := workpool.New(1, 8)
	started := make(chan struct{})
	pool.TrySubmit(func(ctx context.Context) { close(started); <-ctx.Done() })
	<-started
	for i := range 3 {
		pool.TrySubmit(func(context.Context) { fmt.Println("task", i) })
	}

	var left *workpool.ShutdownError
	if err := pool.Close(); errors.As(err, &left) {
		fmt.Println(len(left.Queued), "left,", left.Running, "running")
		for _, task := range left.Queued {
			task(context.Background())
		}
	}
	<-pool.Done()
	// Output:
	// 3 left, 1 running
	// task 0
	// task 1
	// task 2
}
