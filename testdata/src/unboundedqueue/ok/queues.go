package ok

import (
	"container/list"
	"errors"
	"sync"
)

var errFull = errors.New("full")

type checked struct {
	mu    sync.Mutex
	max   int
	items []string
}

func (q *checked) PushOk(s string) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.items) >= q.max {
		return errFull
	}
	q.items = append(q.items, s)
	return nil
}

func (q *checked) Pop() string {
	q.mu.Lock()
	defer q.mu.Unlock()
	s := q.items[0]
	q.items = q.items[1:]
	return s
}

// By another method, through a variable, with a constant.
type elsewhere struct {
	cond  *sync.Cond
	items []string
}

func (q *elsewhere) Len() int { return len(q.items) }

func (q *elsewhere) WaitOk() {
	q.cond.L.Lock()
	for q.Len() > 100 {
		q.cond.Wait()
	}
	q.cond.L.Unlock()
}

func (q *elsewhere) PushOk(s string) {
	q.cond.L.Lock()
	q.items = append(q.items, s)
	q.cond.L.Unlock()
}

func (q *elsewhere) Pop() {
	q.cond.L.Lock()
	q.items = q.items[1:]
	q.cond.L.Unlock()
}

// The oldest is dropped.
type recent struct {
	mu    sync.Mutex
	items []string
}

func (q *recent) AddOk(s string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.items = append(q.items, s)
	if n := len(q.items) - 100; n > 0 {
		q.items = q.items[n:]
	}
}

// A counter, a size in bytes.
type sized struct {
	mu         sync.Mutex
	bytes, max int
	items      [][]byte
}

func (q *sized) PushOk(b []byte) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.bytes+len(b) > q.max {
		return errFull
	}
	q.bytes += len(b)
	q.items = append(q.items, b)
	return nil
}

func (q *sized) Pop() []byte {
	q.mu.Lock()
	defer q.mu.Unlock()
	b := q.items[0]
	q.items = q.items[1:]
	q.bytes -= len(b)
	return b
}

// Each key once.
type keyed struct {
	mu     sync.Mutex
	queued map[string]bool
	items  []string
}

func (q *keyed) AddOk(key string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.queued[key] {
		return
	}
	q.queued[key] = true
	q.items = append(q.items, key)
}

func (q *keyed) Get() string {
	q.mu.Lock()
	defer q.mu.Unlock()
	key := q.items[0]
	q.items = q.items[1:]
	delete(q.queued, key)
	return key
}

// The callers wait themselves.
type waiters struct {
	mu   sync.Mutex
	list []chan struct{}
	wait list.List
}

func (w *waiters) AcquireOk() {
	ready := make(chan struct{})
	w.mu.Lock()
	w.list = append(w.list, ready)
	w.wait.PushBack(ready)
	w.mu.Unlock()
	<-ready
}

func (w *waiters) Release() {
	w.mu.Lock()
	defer w.mu.Unlock()
	close(w.list[0])
	w.list = w.list[1:]
	w.wait.Remove(w.wait.Front())
}

// A stack, and a list of free buffers.
type free struct {
	mu   sync.Mutex
	bufs [][]byte
}

func (f *free) PutOk(b []byte) {
	f.mu.Lock()
	f.bufs = append(f.bufs, b)
	f.mu.Unlock()
}

func (f *free) Get() []byte {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.bufs) == 0 {
		return nil
	}
	b := f.bufs[len(f.bufs)-1]
	f.bufs = f.bufs[:len(f.bufs)-1]
	return b
}

// Filled and emptied by one function, and one goroutine.
type node struct{ children []*node }

type walker struct {
	mu    sync.Mutex
	queue []*node
}

func (w *walker) WalkOk(root *node, visit func(*node)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.queue = append(w.queue, root)
	for len(w.queue) > 0 {
		n := w.queue[0]
		w.queue = w.queue[1:]
		visit(n)
		w.queue = append(w.queue, n.children...)
	}
}

type parser struct{ tokens []string }

func (p *parser) backOk(t string) { p.tokens = append(p.tokens, t) }

func (p *parser) next() string {
	t := p.tokens[0]
	p.tokens = p.tokens[1:]
	return t
}

// A cache.
type lru struct {
	mu    sync.Mutex
	max   int
	order *list.List
}

func (c *lru) AddOk(v any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.order.PushFront(v)
	if c.order.Len() > c.max {
		c.order.Remove(c.order.Back())
	}
}

func (c *lru) Drop(e *list.Element) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.order.Remove(e)
}

// Turned, not emptied.
type rotation struct {
	mu   sync.Mutex
	urls []string
}

func (r *rotation) AddOk(url string) {
	r.mu.Lock()
	r.urls = append(r.urls, url)
	r.mu.Unlock()
}

func (r *rotation) Next() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	first := r.urls[0]
	copy(r.urls, r.urls[1:])
	r.urls[len(r.urls)-1] = first
	return first
}

// Who adds waits for a token, which what takes gives back.
type admitted struct {
	mu     sync.Mutex
	tokens chan struct{}
	quit   chan struct{}
	items  []string
}

func (q *admitted) AddOk(s string) {
	select {
	case <-q.tokens:
	case <-q.quit:
		return
	}
	q.mu.Lock()
	q.items = append(q.items, s)
	q.mu.Unlock()
}

func (q *admitted) Take() string {
	q.mu.Lock()
	s := q.items[0]
	q.items = q.items[1:]
	q.mu.Unlock()
	q.tokens <- struct{}{}
	return s
}

// What is left at the end is not how a list is emptied.
type leftover struct {
	mu    sync.Mutex
	items []string
}

func (l *leftover) AddOk(s string) {
	l.mu.Lock()
	l.items = append(l.items, s)
	l.mu.Unlock()
}

func (l *leftover) stop(save func(string)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.items) > 0 {
		save(l.items[0])
		l.items = l.items[1:]
	}
}
