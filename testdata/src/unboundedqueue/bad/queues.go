package bad

import (
	"container/list"
	"slices"
	"sync"
)

type sliceQueue struct {
	mu    sync.Mutex
	items []string
}

func (q *sliceQueue) PushBad(s string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.items = append(q.items, s) // want `the slice items is a queue without a limit: \(\*sliceQueue\)\.PushBad adds to it, \(\*sliceQueue\)\.Pop takes from it, .*slice-queue`
}

func (q *sliceQueue) Pop() string {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.items) == 0 {
		return ""
	}
	s := q.items[0]
	q.items = q.items[1:]
	return s
}

func (q *sliceQueue) Each(f func(string)) {
	for i := 0; i < len(q.items); i++ {
		f(q.items[i])
	}
}

// Other ways to take the first.
type deleteQueue struct {
	mu    sync.RWMutex
	items []string
}

func (q *deleteQueue) PushBad(s ...string) {
	q.mu.Lock()
	q.items = append(q.items, s...) // want `slice-queue`
	q.mu.Unlock()
}

func (q *deleteQueue) Pop() {
	q.mu.Lock()
	q.items = slices.Delete(q.items, 0, 1)
	q.mu.Unlock()
}

type copyQueue struct {
	cond  *sync.Cond
	items []string
}

func (q *copyQueue) PushBad(s string) {
	q.cond.L.Lock()
	q.items = append(q.items, s) // want `slice-queue`
	q.cond.L.Unlock()
	q.cond.Signal()
}

func (q *copyQueue) Pop() string {
	q.cond.L.Lock()
	defer q.cond.L.Unlock()
	for len(q.items) == 0 {
		q.cond.Wait()
	}
	s := q.items[0]
	q.items = append(q.items[:0], q.items[1:]...)
	return s
}

// A package variable is as good as a field.
var (
	jobsMu sync.Mutex
	jobs   []func()
)

func SubmitBad(f func()) {
	jobsMu.Lock()
	defer jobsMu.Unlock()
	jobs = append(jobs, f) // want `the slice jobs is a queue without a limit.*slice-queue`
}

func nextJob() func() {
	jobsMu.Lock()
	defer jobsMu.Unlock()
	if len(jobs) > 0 {
		f := jobs[0]
		jobs = jobs[1:]
		return f
	}
	return nil
}

type listQueue struct {
	mu    sync.Mutex
	items list.List
}

func (q *listQueue) PushBad(s string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.items.PushBack(s) // want `the list items is a queue without a limit.*list-queue`
}

func (q *listQueue) Pop() any {
	q.mu.Lock()
	defer q.mu.Unlock()
	if e := q.items.Front(); e != nil {
		return q.items.Remove(e)
	}
	return nil
}

type shiftQueue struct {
	mu    sync.Mutex
	items []string
}

func (q *shiftQueue) PushBad(s string) {
	q.mu.Lock()
	q.items = append(q.items, s) // want `slice-queue`
	q.mu.Unlock()
}

func (q *shiftQueue) Pop() {
	q.mu.Lock()
	copy(q.items, q.items[1:])
	q.items = q.items[:len(q.items)-1]
	q.mu.Unlock()
}
