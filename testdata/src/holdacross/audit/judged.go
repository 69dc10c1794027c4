package audit

import (
	"database/sql"
	"net/http"
	"sync"
	"time"
)

// The kinds of findings that maintainers of real services would not act on.

// A few short rounds at most: the loop ends as soon as there is progress.
type progress struct {
	mu sync.Mutex
	n  int
}

func (p *progress) fewRoundsAudit() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := 0; i < 10; i++ {
		time.Sleep(5 * time.Millisecond) // want `p\.mu .* is held across a sleep of 50ms.*holdacross/lock-blocking`
		if p.n > 0 {
			return true
		}
	}
	return false
}

// Under a read lock only writers wait, and not for long.
type readers struct {
	mu    sync.RWMutex
	names []string
}

func (r *readers) shortSleepAudit() {
	r.mu.RLock()
	defer r.mu.RUnlock()
	time.Sleep(50 * time.Millisecond) // want `r\.mu .* is held across a sleep of 50ms.*holdacross/lock-blocking`
}

func (r *readers) add(name string) {
	r.mu.Lock()
	r.names = append(r.names, name)
	r.mu.Unlock()
}

// Made the first time it is asked for: everyone who waits for the lock waits for
// the value, and nobody else takes it.
type lazy struct {
	mu    sync.Mutex
	token *http.Response
}

func (l *lazy) getAudit() (*http.Response, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.token != nil {
		return l.token, nil
	}
	resp, err := http.Get(peer) // want `l\.mu .*holdacross/lock-blocking`
	if err != nil {
		return nil, err
	}
	l.token = resp
	return resp, nil
}

// Every subscriber brings a channel with room for the one value it gets.
type waiters struct {
	mu sync.Mutex
	m  map[string][]chan result
}

type result struct{ n int }

func (w *waiters) wait(key string) <-chan result {
	ch := make(chan result, 1)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.m[key] = append(w.m[key], ch)
	return ch
}

func (w *waiters) resolveAudit(key string, r result) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, ch := range w.m[key] {
		ch <- r // want `w\.mu .* is held across a channel send.*holdacross/lock-blocking`
	}
	delete(w.m, key)
}

// The answer to a request goes to a channel that came with it.
type request struct {
	name string
	err  chan error
}

type desk struct {
	mu   sync.Mutex
	seen map[string]bool
}

func (d *desk) answerAudit(r request) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.seen[r.name] = true
	r.err <- nil // want `d\.mu .* is held across a channel send.*holdacross/lock-blocking`
}

// A channel that comes out of a call may belong to a queue without a bound.
type queue interface{ In() chan<- int }

type fanout struct {
	mu     sync.Mutex
	queues map[string]queue
}

func (f *fanout) publishAudit(n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, q := range f.queues {
		q.In() <- n // want `f\.mu .* is held across a channel send.*holdacross/lock-blocking`
	}
}

func (f *fanout) drop(name string) {
	f.mu.Lock()
	delete(f.queues, name)
	f.mu.Unlock()
}

// A lock named after a job, under which others only set a flag: they wait until
// the job is done.
type compactor struct {
	compactMu sync.Mutex
	enabled   bool
}

func (c *compactor) enable(on bool) {
	c.compactMu.Lock()
	c.enabled = on
	c.compactMu.Unlock()
}

func (c *compactor) compactAudit() {
	c.compactMu.Lock()
	defer c.compactMu.Unlock()
	if c.enabled {
		time.Sleep(time.Second) // want `c\.compactMu .* is held across a sleep of 1s.*holdacross/lock-blocking`
	}
}

// An iterator has to serve one caller at a time, as the rows behind it do.
type iterator struct {
	mu    sync.Mutex
	rows  *sql.Rows
	first []string
	err   error
}

func (i *iterator) nextAudit() (string, bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if len(i.first) > 0 {
		s := i.first[0]
		i.first = i.first[1:]
		return s, true
	}
	if !i.rows.Next() { // want `i\.mu .* is held across a database call.*holdacross/lock-blocking`
		return "", false
	}
	var s string
	i.err = i.rows.Scan(&s)
	return s, true
}

// The registry that gives a collector its channel receives all that is sent.
type collectAudit struct{ iterator }

func (i *collectAudit) Collect(out chan<- string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, s := range i.first {
		out <- s // want `i\.iterator\.mu .* is held across a channel send.*holdacross/lock-blocking`
	}
}

// The observer has asked to be waited for.
type observer struct {
	events   chan int
	blocking bool
}

type observed struct {
	mu        sync.RWMutex
	observers map[string]*observer
}

func (o *observed) observe(n int) {
	o.mu.RLock()
	defer o.mu.RUnlock()
	for _, or := range o.observers {
		if or.blocking {
			or.events <- n // want `o\.mu .* is held across a channel send.*holdacross/lock-blocking`
			continue
		}
		select {
		case or.events <- n:
		default:
		}
	}
}

func (o *observed) forget(name string) {
	o.mu.Lock()
	delete(o.observers, name)
	o.mu.Unlock()
}
