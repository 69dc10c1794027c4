package bad

import "sync"

// A type of the package that leaves the lock to its owner.
type fifo struct{ items []string }

func (f *fifo) push(v string) { f.items = append(f.items, v) }

func (f *fifo) pop() string {
	v := f.items[0]
	f.items = f.items[1:]
	return v
}

type inbox struct {
	mu    sync.Mutex
	cond  *sync.Cond
	queue fifo
}

func (b *inbox) putBad(v string) {
	b.mu.Lock()
	b.queue.push(v) // want `the bad\.fifo queue is a queue without a limit: \(\*inbox\)\.putBad adds to it, \(\*inbox\)\.take takes from it.*slice-queue`
	b.mu.Unlock()
	b.cond.Signal()
}

func (b *inbox) take() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.queue.pop()
}
