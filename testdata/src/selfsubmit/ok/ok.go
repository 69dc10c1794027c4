// Package ok has code that looks like a task which waits for its own pool.
package ok

import (
	"context"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"
)

// Without a limit Go starts a goroutine at once.
func unlimitedOk(items []string, do func(string) error) error {
	var g errgroup.Group
	for _, it := range items {
		g.Go(func() error {
			g.Go(func() error { return do(it) })
			return nil
		})
	}
	return g.Wait()
}

// A negative limit is none.
func negativeLimitOk(items []string, do func(string) error) error {
	var g errgroup.Group
	g.SetLimit(-1)
	for _, it := range items {
		g.Go(func() error {
			g.Go(func() error { return do(it) })
			return nil
		})
	}
	return g.Wait()
}

// Each level has a group of its own.
func ownGroupOk(dir string, read func(string) []string) error {
	var g errgroup.Group
	g.SetLimit(4)
	for _, s := range read(dir) {
		g.Go(func() error { return ownGroupOk(s, read) })
	}
	return g.Wait()
}

// The task of one group goes to the other.
func otherGroupOk(ctx context.Context, items []string, do func(string) error) error {
	outer, ctx := errgroup.WithContext(ctx)
	inner, _ := errgroup.WithContext(ctx)
	outer.SetLimit(4)
	inner.SetLimit(4)
	for _, it := range items {
		outer.Go(func() error {
			inner.Go(func() error { return do(it) })
			return nil
		})
	}
	if err := outer.Wait(); err != nil {
		return err
	}
	return inner.Wait()
}

// TryGo does not wait.
func tryGoOk(dir string, read func(string) []string) error {
	var g errgroup.Group
	g.SetLimit(4)
	var visit func(string) error
	visit = func(dir string) error {
		for _, s := range read(dir) {
			if !g.TryGo(func() error { return visit(s) }) {
				if err := visit(s); err != nil {
					return err
				}
			}
		}
		return nil
	}
	g.Go(func() error { return visit(dir) })
	return g.Wait()
}

// The submit is made by a goroutine that nobody waits for in the task.
func freshGoroutineOk(g *errgroup.Group, do func() error) {
	g.SetLimit(2)
	g.Go(func() error {
		go g.Go(do)
		go func() { g.Go(do) }()
		return nil
	})
}

// The goroutine that starts the tasks is none of them.
func producerOk(items <-chan string, do func(string) error) error {
	var g errgroup.Group
	g.SetLimit(2)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for it := range items {
			g.Go(func() error { return do(it) })
		}
	}()
	<-done
	return g.Wait()
}

type node struct {
	g    errgroup.Group
	next *node
}

func limitNodes(n *node) { n.g.SetLimit(1) }

// The next node's group is another one, though it is the same field.
func (n *node) otherInstanceOk(do func() error) {
	n.g.Go(func() error {
		n.next.g.Go(do)
		return nil
	})
}

// Workers hand results to the next stage.
func nextStageOk(in <-chan int, f func(int) []int) <-chan int {
	out := make(chan int)
	go func() {
		defer close(out)
		for i := range in {
			for _, o := range f(i) {
				out <- o
			}
		}
	}()
	return out
}

type requeuer struct{ jobs chan int }

// A full queue refuses.
func (r *requeuer) defaultOk(again func(int) bool) {
	for j := range r.jobs {
		if again(j) {
			select {
			case r.jobs <- j:
			default:
			}
		}
	}
}

// A fresh goroutine waits for room.
func (r *requeuer) goroutineOk(again func(int) bool) {
	for j := range r.jobs {
		if again(j) {
			go func() { r.jobs <- j }()
		}
	}
}

// The requeue gives up after a while.
func (r *requeuer) timeoutOk(again func(int) bool) {
	for j := range r.jobs {
		if again(j) {
			select {
			case r.jobs <- j:
			case <-time.After(time.Second):
			}
		}
	}
}

func (r *requeuer) later(j int) { time.AfterFunc(time.Second, func() { r.jobs <- j }) }

// A timer puts it back, in a goroutine of its own.
func (r *requeuer) afterFuncOk(again func(int) bool) {
	for j := range r.jobs {
		if again(j) {
			r.later(j)
		}
	}
}

// There is room for everything, and each worker puts back what it took.
func capacityOk(spans []int, export func(int) bool) {
	todo := make(chan int, len(spans))
	for _, s := range spans {
		todo <- s
	}
	for range 4 {
		go func() {
			for s := range todo {
				if !export(s) {
					todo <- s
				}
			}
		}()
	}
}

// Buffers are taken from a stock and come back to it.
type buffers struct{ free chan []byte }

func newBuffers(n int) *buffers {
	b := &buffers{free: make(chan []byte, n)}
	for range n {
		b.free <- make([]byte, 1024)
	}
	return b
}

func (b *buffers) stockOk(read func([]byte) bool) {
	for {
		buf := <-b.free
		if !read(buf) {
			b.free <- buf
			return
		}
		b.free <- buf
	}
}

// A semaphore is taken and given back in every round.
func semaphoreOk(items []int, do func(int)) {
	sem := make(chan struct{}, 1)
	for _, it := range items {
		sem <- struct{}{}
		do(it)
		<-sem
	}
}

// Somebody else receives, too.
type shared struct{ c chan int }

func (s *shared) workOk() {
	for i := range s.c {
		for range i {
			s.c <- 0
		}
	}
}

func (s *shared) drain() {
	for range s.c {
	}
}

// An actor answers on the channel that the request brought along.
type request struct {
	n     int
	reply chan int
}

type actor struct{ inbox chan request }

func (a *actor) replyOk() {
	for r := range a.inbox {
		r.reply <- r.n + 1
	}
}

func (a *actor) ask(n int) int {
	r := request{n, make(chan int, 1)}
	a.inbox <- r
	return <-r.reply
}

// The handler publishes from a goroutine of its own, or to another bus.
type bus struct {
	events   chan string
	handlers []func(string)
}

func (b *bus) run() {
	for e := range b.events {
		for _, h := range b.handlers {
			h(e)
		}
	}
}

func (b *bus) Subscribe(h func(string)) { b.handlers = append(b.handlers, h) }
func (b *bus) Publish(e string)         { b.events <- e }

func handlersOk(a, b *bus) {
	a.Subscribe(func(e string) { b.Publish(e) })
	a.Subscribe(func(e string) { go a.Publish(e) })
}

// Each handler runs in a goroutine.
type asyncBus struct {
	events   chan string
	handlers []func(string)
}

func (b *asyncBus) run() {
	for e := range b.events {
		for _, h := range b.handlers {
			go h(e)
		}
	}
}

func (b *asyncBus) Subscribe(h func(string)) { b.handlers = append(b.handlers, h) }
func (b *asyncBus) Publish(e string)         { b.events <- e }

func asyncHandlerOk(b *asyncBus) {
	b.Subscribe(func(e string) { b.Publish(e) })
}

// A loop that has two things to do at once never gets stuck in one.
func coordinatorOk(work, found chan string, links func(string) []string) {
	for range 4 {
		go func() {
			for u := range work {
				for _, l := range links(u) {
					found <- l
				}
			}
		}()
	}
	var todo []string
	for {
		var out chan string
		var next string
		if len(todo) > 0 {
			out, next = work, todo[0]
		}
		select {
		case out <- next:
			todo = todo[1:]
		case f := <-found:
			todo = append(todo, f)
		}
	}
}

// The slot is given back before the next one is taken.
type limiter struct {
	sem  chan struct{}
	sem2 *semaphore.Weighted
	wg   sync.WaitGroup
}

func newLimiter() *limiter {
	return &limiter{sem: make(chan struct{}, 4), sem2: semaphore.NewWeighted(4)}
}

func (l *limiter) one() {
	l.sem <- struct{}{}
	defer func() { <-l.sem }()
}

func (l *limiter) twoInTurnOk() {
	l.one()
	l.one()
}

func (l *limiter) releasedOk(ctx context.Context) error {
	if err := l.sem2.Acquire(ctx, 1); err != nil {
		return err
	}
	l.sem2.Release(1)
	if err := l.sem2.Acquire(ctx, 1); err != nil {
		return err
	}
	defer l.sem2.Release(1)
	return nil
}

func (l *limiter) tryOk(ctx context.Context) error {
	if err := l.sem2.Acquire(ctx, 1); err != nil {
		return err
	}
	defer l.sem2.Release(1)
	if l.sem2.TryAcquire(1) {
		l.sem2.Release(1)
	}
	return nil
}

// The goroutine gives the slot back that its starter took.
func (l *limiter) handedOverOk(items []int, do func(int)) {
	for _, it := range items {
		l.sem <- struct{}{}
		l.wg.Add(1)
		go func() {
			defer l.wg.Done()
			defer func() { <-l.sem }()
			do(it)
		}()
	}
	l.wg.Wait()
}

func (l *limiter) twoGoroutinesOk(do func()) {
	l.sem <- struct{}{}
	go func() { defer func() { <-l.sem }(); do() }()
	l.sem <- struct{}{}
	go func() { defer func() { <-l.sem }(); do() }()
}

// The goroutine takes its slot itself; the recursion holds none.
func (l *limiter) walkOk(dir string, sub func(string) []string) {
	l.sem <- struct{}{}
	list := sub(dir)
	<-l.sem
	for _, s := range list {
		l.wg.Add(1)
		go func() {
			defer l.wg.Done()
			l.walkOk(s, sub)
		}()
	}
}

// Another goroutine's end is waited for, or the wait is in another goroutine.
type conn struct {
	readDone, writeDone chan struct{}
	wg                  sync.WaitGroup
}

func (c *conn) readOk() {
	defer close(c.readDone)
	<-c.writeDone
}

func (c *conn) asyncCloseOk() {
	defer close(c.writeDone)
	go c.Close()
}

func (c *conn) Close() {
	<-c.readDone
	<-c.writeDone
}

func doneBeforeWaitOk(wg *sync.WaitGroup) {
	go func() {
		wg.Done()
		wg.Wait()
	}()
}

func deferredWaitOk(wg *sync.WaitGroup) {
	defer wg.Wait()
	defer wg.Done()
}

// Each worker waits for its own group.
func ownWaitGroupOk(items [][]int, do func(int)) {
	var outer sync.WaitGroup
	for _, list := range items {
		outer.Go(func() {
			var inner sync.WaitGroup
			for _, it := range list {
				inner.Go(func() { do(it) })
			}
			inner.Wait()
		})
	}
	outer.Wait()
}

// A queue of wake-ups is no semaphore: who sends does not receive.
type waker struct{ wake chan struct{} }

func newWaker() *waker { return &waker{wake: make(chan struct{}, 16)} }

func (w *waker) loop() {
	for {
		<-w.wake
	}
}

func (w *waker) notify() { w.wake <- struct{}{} }

func (w *waker) twiceOk() {
	w.notify()
	w.notify()
}

// The channel has a second name, under which somebody else receives.
type source struct{ c chan int }

type sink struct{ in <-chan int }

func newSink(s *source) *sink { return &sink{in: s.c} }

func (k *sink) run() {
	for range k.in {
	}
}

func (s *source) secondNameOk() {
	for i := range s.c {
		for range i {
			s.c <- 0
		}
	}
}

// One transaction after the other.
type txs struct{ slots *semaphore.Weighted }

type tx struct{ of *txs }

func (t *txs) begin(ctx context.Context) (*tx, error) {
	if err := t.slots.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	return &tx{t}, nil
}

func (x *tx) rollback() { x.of.slots.Release(1) }

func (t *txs) inTurnOk(ctx context.Context) error {
	for range 2 {
		x, err := t.begin(ctx)
		if err != nil {
			return err
		}
		x.rollback()
	}
	x, err := t.begin(ctx)
	if err != nil {
		return err
	}
	x.rollback()
	y, err := t.begin(ctx)
	if err != nil {
		return err
	}
	defer y.rollback()
	return nil
}

// The constant that the loop passes leaves out the branch that sends.
type zombies struct{ ids chan int }

func (z *zombies) remove(id int, purge bool) {
	if !purge && id > 0 {
		z.ids <- id
		return
	}
	z.removeNow(id, !purge)
}

func (z *zombies) removeNow(id int, later bool) {
	if later {
		z.ids <- id
	}
}

func (z *zombies) constantOk(tick <-chan time.Time) {
	for {
		select {
		case id := <-z.ids:
			z.removeNow(id, false)
		case <-tick:
			z.remove(1, true)
		}
	}
}
