package ok

import (
	"context"
	"net"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"
)

type queue struct {
	mu    sync.Mutex
	cond  *sync.Cond
	items []int
	out   chan int
	quit  chan struct{}
	n     int
}

func newQueue() *queue {
	q := &queue{out: make(chan int)}
	q.cond = sync.NewCond(&q.mu)
	return q
}

// Wait gives up the lock of its condition variable.
func (q *queue) popOk() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.items) == 0 {
		q.cond.Wait()
	}
	v := q.items[0]
	q.items = q.items[1:]
	return v
}

func (q *queue) waitLocked() {
	for len(q.items) == 0 {
		q.cond.Wait()
	}
}

func (q *queue) popInHelperOk() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waitLocked()
}

// A default case makes an operation one that never waits.
func (q *queue) selectDefaultOk() {
	q.mu.Lock()
	defer q.mu.Unlock()
	select {
	case q.out <- 1:
	default:
	}
}

func (q *queue) tryReceiveOk() (int, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	select {
	case v := <-q.out:
		return v, true
	default:
		return 0, false
	}
}

// A send with a default in a helper.
func (q *queue) offer(v int) bool {
	select {
	case q.out <- v:
		return true
	default:
		return false
	}
}

func (q *queue) offerOk() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.offer(1)
}

// close never waits.
func (q *queue) closeOk() {
	q.mu.Lock()
	defer q.mu.Unlock()
	close(q.quit)
}

// A fresh channel with room: the send cannot wait.
func (q *queue) freshRoomOk() <-chan int {
	ch := make(chan int, 1)
	q.mu.Lock()
	defer q.mu.Unlock()
	ch <- q.n
	return ch
}

func (q *queue) freshSizedOk() <-chan int {
	q.mu.Lock()
	defer q.mu.Unlock()
	ch := make(chan int, len(q.items))
	for _, v := range q.items {
		ch <- v
	}
	close(ch)
	return ch
}

// A fresh reply channel is served by whoever got it.
type request struct{ reply chan int }

func askOk(requests chan<- chan int, q *queue) int {
	reply := make(chan int, 1)
	requests <- reply
	q.mu.Lock()
	defer q.mu.Unlock()
	return <-reply
}

func askByPointerOk(requests chan<- *request, q *queue) int {
	r := &request{reply: make(chan int, 1)}
	requests <- r
	q.mu.Lock()
	defer q.mu.Unlock()
	return <-r.reply
}

func askCalleeOk(q *queue) int {
	reply := make(chan int, 1)
	q.mu.Lock()
	defer q.mu.Unlock()
	serve(reply)
	return <-reply
}

func serve(reply chan<- int) { go func() { reply <- 1 }() }

// Short goroutines that are started and waited for here.
func (q *queue) forkJoinOk() {
	q.mu.Lock()
	defer q.mu.Unlock()
	var wg sync.WaitGroup
	sums := make([]int, 4)
	for i := range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for _, v := range q.items {
				sums[i] += v
			}
		}()
	}
	wg.Wait()
}

func (q *queue) forkJoinGoOk() {
	q.mu.Lock()
	defer q.mu.Unlock()
	var wg sync.WaitGroup
	wg.Go(func() { q.n++ })
	wg.Wait()
}

func (q *queue) forkJoinErrgroupOk() error {
	q.mu.Lock()
	defer q.mu.Unlock()
	var g errgroup.Group
	for _, v := range q.items {
		g.Go(func() error { return check(v) })
	}
	return g.Wait()
}

func check(int) error { return nil }

func (q *queue) forkJoinChannelOk() int {
	done := make(chan int)
	q.mu.Lock()
	defer q.mu.Unlock()
	go func() { done <- len(q.items) }()
	return <-done
}

// The goroutines take another lock than the one that is held.
func (q *queue) forkJoinOtherLockOk(other *sync.Mutex) {
	q.mu.Lock()
	defer q.mu.Unlock()
	var wg sync.WaitGroup
	n := 0
	for range 4 {
		wg.Go(func() {
			other.Lock()
			n++
			other.Unlock()
		})
	}
	wg.Wait()
}

// A slot is held across the very call that it limits.
type limiter struct{ slots chan struct{} }

func newLimiter(n int) *limiter { return &limiter{slots: make(chan struct{}, n)} }

func (l *limiter) callOk() {
	l.slots <- struct{}{}
	defer func() { <-l.slots }()
	outbound()
}

func (l *limiter) selectOk(ctx context.Context) error {
	select {
	case l.slots <- struct{}{}:
		defer func() { <-l.slots }()
	case <-ctx.Done():
		return ctx.Err()
	}
	outbound()
	return nil
}

func weightedOk(ctx context.Context, sem *semaphore.Weighted) error {
	if err := sem.Acquire(ctx, 1); err != nil {
		time.Sleep(time.Second)
		return err
	}
	defer sem.Release(1)
	outbound()
	return nil
}

// The slot is given back before the backoff.
func (l *limiter) releasedOk() {
	l.slots <- struct{}{}
	outbound()
	<-l.slots
	time.Sleep(time.Second)
}

func (l *limiter) releasedInSelectOk(ctx context.Context) {
	select {
	case l.slots <- struct{}{}:
	case <-ctx.Done():
		time.Sleep(time.Second)
		return
	}
	<-l.slots
	time.Sleep(time.Second)
}

func tryWeightedFailedOk(sem *semaphore.Weighted) {
	if sem.TryAcquire(1) {
		sem.Release(1)
		return
	}
	time.Sleep(time.Second)
}

// Nobody waits for a slot longer than a try.
func (q *queue) tryUnderLockOk(sem *semaphore.Weighted) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if sem.TryAcquire(1) {
		sem.Release(1)
	}
}

// idlePool closes a channel and then reads out what is left in it.
type idlePool struct {
	mu   sync.Mutex
	idle chan net.Conn
}

func (p *idlePool) drainOk() {
	p.mu.Lock()
	defer p.mu.Unlock()
	idle := p.idle
	close(idle)
	for range idle {
	}
}

func (p *idlePool) put(c net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case p.idle <- c:
	default:
		c.Close()
	}
}

// A send where len has just said that there is room.
type waker struct {
	mu   sync.Mutex
	wake chan struct{}
	jobs []int
}

func (w *waker) addOk(n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.jobs = append(w.jobs, n)
	if len(w.wake) == 0 {
		w.wake <- struct{}{}
	}
}

// A short sleep in one round of a thousand.
func (w *waker) pollOk(ready func() bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for i := 0; i < 10000; i++ {
		if ready() {
			return
		}
		if i%1000 == 1 {
			time.Sleep(time.Millisecond)
		}
	}
}

// len has counted what is there: the receives do not wait.
func drainCountedOk(q *queue, ch chan int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := len(ch)
	for i := 0; i < n; i++ {
		q.items = append(q.items, <-ch)
	}
}

func drainRangeOk(q *queue, ch chan int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for range len(ch) {
		q.items = append(q.items, <-ch)
	}
}

func drainDownOk(q *queue, ch chan int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for n := len(ch); n > 0; n-- {
		q.items = append(q.items, <-ch)
	}
}

func drainWhileOk(q *queue, ch chan int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(ch) > 0 {
		q.items = append(q.items, <-ch)
	}
	if len(ch) == 0 {
		return
	}
	q.n = <-ch
}

// Who takes the slots takes them for the goroutines that it starts: while it
// sleeps, since there is nothing to do, nobody else wants one.
type dispatcher struct {
	quit  chan struct{}
	slots chan struct{}
	next  func() (func(), bool)
}

func newDispatcher(n int) *dispatcher { return &dispatcher{slots: make(chan struct{}, n)} }

func (d *dispatcher) dispatchOk() {
	select {
	case <-d.quit:
		return
	case d.slots <- struct{}{}:
		job, ok := d.next()
		if !ok {
			time.Sleep(time.Second)
			<-d.slots
			return
		}
		go func() {
			defer func() { <-d.slots }()
			job()
		}()
	}
}
