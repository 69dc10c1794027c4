package ok

import (
	"container/heap"
	"net/http"
	"sync"
)

type note struct{ text string }

// Everybody has a limit.
type offline struct {
	mu      sync.Mutex
	backlog map[string][]note
}

func (o *offline) keep(who string, n note) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.backlog[who]) >= 100 {
		return
	}
	o.backlog[who] = append(o.backlog[who], n)
}

func (o *offline) come(who string) []note {
	o.mu.Lock()
	defer o.mu.Unlock()
	missed := o.backlog[who]
	delete(o.backlog, who)
	return missed
}

// The number is asked for by a function.
type reserved struct {
	mu          sync.Mutex
	backlog     map[string][]note
	bytes, most int
}

func (o *reserved) reserve(n int) bool {
	if o.bytes+n > o.most {
		return false
	}
	o.bytes += n
	return true
}

func (o *reserved) keep(who string, n note) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.reserve(len(n.text)) {
		return
	}
	o.backlog[who] = append(o.backlog[who], n)
}

func (o *reserved) come(who string) []note {
	o.mu.Lock()
	defer o.mu.Unlock()
	missed := o.backlog[who]
	delete(o.backlog, who)
	return missed
}

// An index is read elsewhere, too.
type index struct {
	mu      sync.Mutex
	byOwner map[string][]note
}

func (x *index) add(owner string, n note) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.byOwner[owner] = append(x.byOwner[owner], n)
}

func (x *index) of(owner string) []note {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.byOwner[owner]
}

func (x *index) remove(owner string) []note {
	x.mu.Lock()
	defer x.mu.Unlock()
	list := x.byOwner[owner]
	delete(x.byOwner, owner)
	return list
}

// What is to be cleaned up is no backlog.
type cleanups struct {
	mu      sync.Mutex
	byOwner map[string][]note
	all     map[note]bool
}

func (x *cleanups) add(owner string, n note) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.byOwner[owner] = append(x.byOwner[owner], n)
	x.all[n] = true
}

func (x *cleanups) remove(owner string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, n := range x.byOwner[owner] {
		delete(x.all, n)
	}
	delete(x.byOwner, owner)
}

type subscriber struct{ name string }

type topics struct {
	mu   sync.Mutex
	subs map[string][]*subscriber
}

func (t *topics) subscribe(topic string, s *subscriber) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.subs[topic] = append(t.subs[topic], s)
}

func (t *topics) end(topic string) []*subscriber {
	t.mu.Lock()
	defer t.mu.Unlock()
	list := t.subs[topic]
	delete(t.subs, topic)
	return list
}

type sizes []int

func (h sizes) Len() int           { return len(h) }
func (h sizes) Less(i, j int) bool { return h[i] < h[j] }
func (h sizes) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *sizes) Push(x any)        { *h = append(*h, x.(int)) }
func (h *sizes) Pop() any {
	old := *h
	j := old[len(old)-1]
	*h = old[:len(old)-1]
	return j
}

// Its user keeps the heap at k.
type largest struct {
	mu sync.Mutex
	h  sizes
	k  int
}

func (l *largest) observe(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	heap.Push(&l.h, n)
	if l.h.Len() > l.k {
		heap.Pop(&l.h)
	}
}

func (l *largest) report() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.h.Len() > 0 {
		_ = heap.Pop(&l.h)
		http.Get("http://example.org")
	}
}
