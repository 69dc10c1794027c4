// Command underload sends 2,000 messages to a consumer at once and prints how
// many goroutines of it ran at the same time. A test runs it as it is, and
// after the fix.
package main

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

var (
	running, most atomic.Int64
	done          sync.WaitGroup
)

func handle(int) {
	defer done.Done()
	n := running.Add(1)
	for {
		m := most.Load()
		if n <= m || most.CompareAndSwap(m, n) {
			break
		}
	}
	time.Sleep(20 * time.Millisecond)
	running.Add(-1)
}

func consumeGood(in <-chan int) {
	for msg := range in {
		go handle(msg) // want `go-per-item`
	}
}

func main() {
	const messages = 2000
	in := make(chan int, messages)
	for i := range messages {
		done.Add(1)
		in <- i
	}
	close(in)
	consumeGood(in)
	done.Wait()
	fmt.Println(most.Load())
}
