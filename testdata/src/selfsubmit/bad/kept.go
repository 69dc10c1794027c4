package bad

import (
	"context"

	"github.com/panjf2000/ants/v2"
	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"
)

// The constructor limits the group, the struct keeps it, the method submits to it.
type walker struct {
	group *errgroup.Group
	under func(string) []string
}

func newWalker(under func(string) []string) *walker {
	g := new(errgroup.Group)
	g.SetLimit(6)
	return &walker{group: g, under: under}
}

func (w *walker) visit(dir string) error {
	for _, d := range w.under(dir) {
		w.enterBad(d)
	}
	return nil
}

func (w *walker) enterBad(dir string) {
	w.group.Go(func() error { return w.visit(dir) }) // want `task of w.group \(line \d+\) → \(\*errgroup.Group\).Go .*errgroup-nested`
}

// The subscriber has the bus in a field that its own constructor fills.
type topicBus struct {
	ch   chan string
	subs map[string][]func(string)
}

func newTopicBus() *topicBus {
	return &topicBus{ch: make(chan string, 32), subs: make(map[string][]func(string))}
}

func (b *topicBus) serve() {
	for msg := range b.ch {
		for _, sub := range b.subs[msg] {
			sub(msg)
		}
	}
}

func (b *topicBus) On(topic string, sub func(string)) { b.subs[topic] = append(b.subs[topic], sub) }
func (b *topicBus) Emit(msg string)                   { b.ch <- msg }

type auditor struct{ out *topicBus }

func watch(b *topicBus) *auditor {
	a := &auditor{out: b}
	b.On("login", a.loginBad)
	return a
}

func (a *auditor) loginBad(msg string) {
	a.out.Emit("audit." + msg) // want `→ send on .*\.ch via \(\*topicBus\).Emit → room that only this loop makes .*chan-worker`
}

// A pool with one function: the function is a method of what keeps the pool.
type spider struct {
	workers *ants.PoolWithFunc
	links   func(string) []string
}

func newSpider(links func(string) []string) (*spider, error) {
	c := &spider{links: links}
	var err error
	c.workers, err = ants.NewPoolWithFunc(4, c.page)
	return c, err
}

func (c *spider) page(v any) {
	for _, l := range c.links(v.(string)) {
		_ = c.workers.Invoke(l) // want `→ \(\*ants.PoolWithFunc\).Invoke → waits until a task of .* ends: 4 tasks .*pool-submit`
	}
}

// Both ends of one queue, by two names.
type retrier struct {
	todo <-chan int
	back chan<- int
	try  func(int) error
}

func newRetrier(q chan int, try func(int) error) *retrier {
	return &retrier{todo: q, back: q, try: try}
}

func (r *retrier) loopBad() {
	for n := range r.todo {
		if r.try(n) != nil {
			r.back <- n // want `→ send on r.back → room that only this loop makes .*chan-worker`
		}
	}
}

func startRetriers(n int, try func(int) error) chan<- int {
	q := make(chan int, 16)
	for range n {
		go newRetrier(q, try).loopBad()
	}
	return q
}

// The hook that the constructor stores waits for the goroutine that calls it.
type tailer struct {
	over chan struct{}
	fail func(error)
	next func() error
}

func newTailer(next func() error) *tailer {
	t := &tailer{over: make(chan struct{}), next: next}
	t.fail = func(error) { t.Wait() } // want `this goroutine waits for its own end: receive from .*over via \(\*tailer\).Wait .*self-wait`
	go t.run()
	return t
}

func (t *tailer) run() {
	defer close(t.over)
	for {
		if err := t.next(); err != nil {
			t.fail(err)
			return
		}
	}
}

func (t *tailer) Wait() { <-t.over }

// Submit wraps the function that it is given.
type promise struct {
	ready chan struct{}
	err   error
}

func (p *promise) Wait() error {
	<-p.ready
	return p.err
}

type executor struct{ jobs chan func() }

func newExecutor(n int) *executor {
	r := &executor{jobs: make(chan func())}
	for range n {
		go func() {
			for job := range r.jobs {
				job()
			}
		}()
	}
	return r
}

func (r *executor) Do(f func() error) *promise {
	p := &promise{ready: make(chan struct{})}
	r.jobs <- func() {
		defer close(p.ready)
		p.err = f()
	}
	return p
}

func wrappedBad(r *executor, parts []func() error) error {
	return r.Do(func() error {
		for _, part := range parts {
			if err := r.Do(part).Wait(); err != nil { // want `task of r.jobs .* → send on r.jobs via \(\*executor\).Do → room that only this loop makes .*chan-worker`
				return err
			}
		}
		return nil
	}).Wait()
}

// The slot comes with the function that gives it back.
type doors struct{ sem *semaphore.Weighted }

func newDoors() *doors { return &doors{sem: semaphore.NewWeighted(3)} }

func (d *doors) enter(ctx context.Context) (leave func(), err error) {
	if err := d.sem.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	return func() { d.sem.Release(1) }, nil
}

func (d *doors) bothBad(ctx context.Context, do func()) error {
	leaveFirst, err := d.enter(ctx)
	if err != nil {
		return err
	}
	defer leaveFirst()
	leaveSecond, err := d.enter(ctx) // want `a slot of d.sem is held .* with 3 slots, 3 callers .*token-nested`
	if err != nil {
		return err
	}
	defer leaveSecond()
	do()
	return nil
}
