package ok

import "sync"

// Whoever adds asks for the count that the queue keeps.
type batches struct {
	mu      sync.Mutex
	items   [][]string
	records int
}

func (q *batches) push(b []string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.items = append(q.items, b)
	q.records += len(b)
}

func (q *batches) pop() []string {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.items) == 0 {
		return nil
	}
	b := q.items[0]
	q.items = q.items[1:]
	q.records -= len(b)
	return b
}

func (q *batches) numRecords() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.records
}

func feedOk(q *batches, max int, pause func(), next func() []string) {
	for {
		b := next()
		q.push(b)
		if q.numRecords()+len(b) >= max {
			pause()
		}
	}
}
