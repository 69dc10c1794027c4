// Package generic has the mistakes in generic code.
package generic

import (
	"net/http"
	"sync"
)

type Queue[T any] struct {
	mu    sync.Mutex
	items []T
}

func (q *Queue[T]) PushBad(v T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.items = append(q.items, v) // want `\(\*Queue\)\.PushBad adds to it.*slice-queue`
}

func (q *Queue[T]) Pop() (v T, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.items) == 0 {
		return v, false
	}
	v, q.items = q.items[0], q.items[1:]
	return v, true
}

func eachBad[T any](in <-chan T, f func(T)) {
	for v := range in {
		go f(v) // want `go-per-item`
	}
}

func mapBad[S ~[]E, E any](list S, url func(E) string) {
	for _, e := range list {
		go http.Get(url(e)) // want `go-per-item`
	}
}

type Bounded[T any] struct {
	mu    sync.Mutex
	max   int
	items []T
}

func (q *Bounded[T]) PushOk(v T) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.items) == q.max {
		return false
	}
	q.items = append(q.items, v)
	return true
}

func (q *Bounded[T]) Pop() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.items = q.items[1:]
}

func tokenOk[T any](in <-chan T, f func(T)) {
	sem := make(chan struct{}, 4)
	for v := range in {
		sem <- struct{}{}
		go func() {
			defer func() { <-sem }()
			f(v)
		}()
	}
}
