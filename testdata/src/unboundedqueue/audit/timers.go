package audit

import "time"

// It may be gone at once.
func delayedAudit(in <-chan string, out chan<- string) {
	for s := range in {
		time.AfterFunc(time.Second, func() { out <- s }) // want `a timer is set for every value .*waits for other goroutines.*go-per-item`
	}
}
