// Package stop has waits that can end with their loop.
package stop

import (
	"context"
	"time"
)

func pollGood(ctx context.Context, every time.Duration, work func()) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		default:
			time.Sleep(every) // want `a sleep .* in a loop that ends with ctx\.Done\(\)`
			work()
		}
	}
}

func afterGood(stop <-chan struct{}, work func()) {
	for {
		select {
		case <-stop:
			return
		default:
		}
		work()
		time.Sleep(10 * time.Second) // want `a sleep .* in a loop that ends with stop`
	}
}

func labelGood(ctx context.Context, every time.Duration, work func()) {
loop:
	for {
		select {
		case <-ctx.Done():
			break loop
		default:
		}
		time.Sleep(every) // want `a sleep .* in a loop that ends with ctx\.Done\(\)`
		work()
	}
	work()
}

func errGood(ctx context.Context, every time.Duration, work func()) {
	for ctx.Err() == nil {
		work()
		time.Sleep(every) // want `a sleep .* in a loop that ends with ctx`
	}
}

func sendGood(ctx context.Context, in <-chan int, subs []chan int) {
	for {
		select {
		case <-ctx.Done():
			return
		case v := <-in:
			for _, ch := range subs {
				ch <- v // want `a send .* in a loop that ends with ctx\.Done\(\)`
			}
		}
	}
}

type worker struct{ done chan struct{} }

func waitGood(workers map[string]*worker, updates <-chan string, stop <-chan struct{}) {
	for {
		select {
		case name := <-updates:
			<-workers[name].done // want `a receive .* in a loop that ends with stop`
			delete(workers, name)
		case <-stop:
			return
		}
	}
}
