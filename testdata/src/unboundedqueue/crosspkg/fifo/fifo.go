// Package fifo has queues that leave the lock and the limit to whoever has them.
package fifo

import (
	"container/list"
	"sync"
)

// Queue is a slice.
type Queue[T any] struct{ items []T }

func (q *Queue[T]) Push(v T) { q.items = append(q.items, v) }

func (q *Queue[T]) Pop() (v T, ok bool) {
	if len(q.items) == 0 {
		return v, false
	}
	v = q.items[0]
	q.items = q.items[1:]
	return v, true
}

func (q *Queue[T]) Len() int { return len(q.items) }

// List is a list.
type List struct{ items list.List }

func (l *List) Add(v any) { l.items.PushBack(v) }

func (l *List) Next() any {
	e := l.items.Front()
	if e == nil {
		return nil
	}
	return l.items.Remove(e)
}

// Limited says no.
type Limited struct{ items []string }

func (q *Limited) Push(v string) bool {
	if len(q.items) >= 100 {
		return false
	}
	q.items = append(q.items, v)
	return true
}

func (q *Limited) Pop() string {
	v := q.items[0]
	q.items = q.items[1:]
	return v
}

// Locked is reported here.
type Locked struct {
	mu    sync.Mutex
	items []string
}

func (q *Locked) Push(v string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.items = append(q.items, v) // want `the slice items is a queue without a limit.*slice-queue`
}

func (q *Locked) Pop() string {
	q.mu.Lock()
	defer q.mu.Unlock()
	v := q.items[0]
	q.items = q.items[1:]
	return v
}
