package bad

import (
	"container/heap"
	"net/http"
	"sync"
	"time"
)

type note struct{ text string }

// What is meant for somebody who may never come.
type offline struct {
	mu      sync.Mutex
	backlog map[string][]note
}

func (o *offline) keepBad(who string, n note) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.backlog[who] = append(o.backlog[who], n) // want `the slice in backlog is a queue without a limit: \(\*offline\)\.keepBad adds to it, \(\*offline\)\.come takes from it.*slice-queue`
}

func (o *offline) come(who string) []note {
	o.mu.Lock()
	defer o.mu.Unlock()
	missed, ok := o.backlog[who]
	if !ok {
		return nil
	}
	delete(o.backlog, who)
	return missed
}

type job struct {
	due time.Time
	url string
}

type dueJobs []job

func (h dueJobs) Len() int           { return len(h) }
func (h dueJobs) Less(i, j int) bool { return h[i].due.Before(h[j].due) }
func (h dueJobs) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *dueJobs) Push(x any)        { *h = append(*h, x.(job)) }
func (h *dueJobs) Pop() any {
	old := *h
	j := old[len(old)-1]
	*h = old[:len(old)-1]
	return j
}

type scheduler struct {
	mu    sync.Mutex
	queue dueJobs
}

func (s *scheduler) addBad(j job) {
	s.mu.Lock()
	defer s.mu.Unlock()
	heap.Push(&s.queue, j) // want `the heap queue is a queue without a limit: \(\*scheduler\)\.addBad adds to it, \(\*scheduler\)\.next takes from it.*slice-queue`
}

func (s *scheduler) next() (j job, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.queue) == 0 {
		return j, false
	}
	return heap.Pop(&s.queue).(job), true
}

func (s *scheduler) run() {
	for range time.Tick(time.Second) {
		for j, ok := s.next(); ok; j, ok = s.next() {
			http.Get(j.url)
		}
	}
}
