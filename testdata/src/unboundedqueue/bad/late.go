package bad

import (
	"context"
	"net/http"

	"golang.org/x/sync/semaphore"
)

func lateBad(in <-chan []byte) {
	sem := make(chan struct{}, 32)
	for msg := range in {
		go func() { // want `a goroutine is started for every value that is received from in and waits inside for its slot: .*late-acquire`
			sem <- struct{}{}
			defer func() { <-sem }()
			work(msg)
		}()
	}
}

type limiter struct{ sem chan struct{} }

func newLimiter() *limiter { return &limiter{sem: make(chan struct{}, 8)} }

func (l *limiter) do(msg []byte) {
	l.sem <- struct{}{}
	defer func() { <-l.sem }()
	work(msg)
}

func (l *limiter) methodBad(in <-chan []byte) {
	for msg := range in {
		go l.do(msg) // want `waits inside for its slot.*late-acquire`
	}
}

func weightedBad(ctx context.Context, in <-chan []byte) {
	sem := semaphore.NewWeighted(8)
	for msg := range in {
		go func() { // want `late-acquire`
			if sem.Acquire(ctx, 1) != nil {
				return
			}
			defer sem.Release(1)
			work(msg)
		}()
	}
}

type pool struct{ jobs chan []byte }

func (p *pool) handOverBad(in <-chan []byte) {
	for msg := range in {
		go func() { p.jobs <- msg }() // want `only to hand something on: .*late-acquire`
	}
}

// A handler, too.
func (l *limiter) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	go l.do([]byte(r.URL.Path)) // want `for every request and waits inside for its slot.*late-acquire`
}
