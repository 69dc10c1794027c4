package bad

import (
	"context"
	"sync"
	"time"
)

type hub struct {
	mu     sync.Mutex
	out    chan int
	subs   map[string]chan int
	quit   chan struct{}
	cond   *sync.Cond
	other  sync.Mutex
	wg     sync.WaitGroup
	queue  []int
	closed bool
}

// Nothing is known of who receives.
func sendOnParameterBad(h *hub, ch chan<- int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	ch <- 1 // want `h\.mu .* is held across a channel send \(send on ch\)`
}

func receiveFromParameterBad(h *hub, ch <-chan int) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return <-ch // want `h\.mu .* is held across a channel receive \(receive from ch\)`
}

func rangeOverChannelBad(h *hub, ch <-chan int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for v := range ch { // want `h\.mu .* is held across a channel receive`
		h.queue = append(h.queue, v)
	}
}

// The receiver takes the lock before it receives: neither goes on.
type deadlock struct {
	mu  sync.Mutex
	out chan int
	n   int
}

func (d *deadlock) sendBad() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.out <- d.n // want `d\.mu .* is held across a channel send \(send on d\.out\); \(\*deadlock\)\.drain has to end the wait and takes the same lock \(line \d+\): deadlock`
}

func (d *deadlock) drain() {
	for {
		d.mu.Lock()
		d.n++
		d.mu.Unlock()
		d.n = <-d.out
	}
}

// One slow subscriber stops everybody.
func (h *hub) publishBad(v int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, ch := range h.subs {
		ch <- v // want `h\.mu .* is held across a channel send`
	}
}

func selectBad(h *hub, a, b chan int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	select { // want `h\.mu .* is held across a select \(select \(send on a, receive from b\) without default or timeout\)`
	case a <- 1:
	case <-b:
	}
}

// A quit case ends the wait when the program ends, and not before.
func selectQuitBad(h *hub, out chan int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	select { // want `h\.mu .* is held across a select`
	case out <- 1:
	case <-h.quit:
	}
}

func selectContextBad(ctx context.Context, h *hub, out chan int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	select { // want `h\.mu .* is held across a select`
	case out <- 1:
	case <-ctx.Done():
	}
}

// A select with one case is a plain operation.
func selectSingleBad(h *hub, out chan int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	select {
	case out <- 1: // want `h\.mu .* is held across a channel send`
	}
}

// Wait gives up the lock of the condition variable, and only that.
type twoLocks struct {
	mu   sync.Mutex
	cond *sync.Cond
}

func condOfOtherLockBad(h *hub, w *twoLocks) {
	h.mu.Lock()
	defer h.mu.Unlock()
	w.mu.Lock()
	w.cond.Wait() // want `h\.mu .* is held across a wait on a condition variable of another lock`
	w.mu.Unlock()
}

// Who does the work of a wait group given from outside is not known.
func waitGroupBad(h *hub, wg *sync.WaitGroup) {
	h.mu.Lock()
	defer h.mu.Unlock()
	wg.Wait() // want `h\.mu .* is held across a wait for other goroutines \(\(\*sync\.WaitGroup\)\.Wait\)`
}

// The workers take the lock that the waiting goroutine holds.
type workers struct {
	mu   sync.Mutex
	wg   sync.WaitGroup
	done int
}

func (w *workers) start() {
	w.wg.Add(1)
	go w.work()
}

func (w *workers) work() {
	defer w.wg.Done()
	w.mu.Lock()
	w.done++
	w.mu.Unlock()
}

func (w *workers) CloseBad() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.wg.Wait() // want `\(\*workers\)\.work has to end the wait and takes the same lock \(line \d+\): deadlock`
}

// A loop of waits that are short one by one.
func (h *hub) tickerLoopBad(ready func() bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for !ready() {
		<-time.After(5 * time.Millisecond) // want `h\.mu .* is held across a sleep of 5ms in a loop \(receive from a timer\)`
	}
}

func timerBad(h *hub) {
	h.mu.Lock()
	defer h.mu.Unlock()
	t := time.NewTimer(time.Second)
	<-t.C // want `h\.mu .* is held across a sleep of 1s \(receive from a timer\)`
}

// Two sends into room for one.
func freshChannelTooSmallBad(h *hub) {
	ch := make(chan int, 1)
	h.mu.Lock()
	defer h.mu.Unlock()
	for i := range 2 {
		ch <- i // want `h\.mu .* is held across a channel send`
	}
}

func freshUnbufferedBad(h *hub) {
	ch := make(chan int)
	h.mu.Lock()
	defer h.mu.Unlock()
	ch <- 1 // want `h\.mu .* is held across a channel send`
}

// The wait happens in a callee.
func (h *hub) flush() { h.out <- 1 }

func (h *hub) calleeBad() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.flush() // want `h\.mu .* is held across a channel send \(send on h\.out via \(\*hub\)\.flush\)`
}

func wait3(ch chan int) { <-ch }
func wait2(ch chan int) { wait3(ch) }

func (h *hub) calleeOfCalleeBad(ch chan int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	wait2(ch) // want `h\.mu .* is held across a channel receive \(receive from ch via wait2, wait3\)`
}

// A queue whose sender waits for room under a read lock, while its worker takes
// the read lock, too: as soon as Close waits for the write lock, both stand still.
type sharedQueue struct {
	mu      sync.RWMutex
	items   chan int
	closed  bool
	handler func(int)
}

func (q *sharedQueue) sendBad(n int) {
	q.mu.RLock()
	defer q.mu.RUnlock()
	if !q.closed {
		q.items <- n // want `q\.mu .*takes the same lock \(line \d+\) for reading, which it cannot once a writer waits: deadlock`
	}
}

func (q *sharedQueue) work() {
	for n := range q.items {
		q.mu.RLock()
		h := q.handler
		q.mu.RUnlock()
		h(n)
	}
}

func (q *sharedQueue) Close() {
	q.mu.Lock()
	q.closed = true
	q.mu.Unlock()
}

// len has said that nothing is there, or has counted another channel.
func receiveFromEmptyBad(h *hub, ch chan int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(ch) == 0 {
		h.queue = append(h.queue, <-ch) // want `h\.mu .* is held across a channel receive \(receive from ch\)`
	}
}

func countedOtherBad(h *hub, a, b chan int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for range len(a) {
		h.queue = append(h.queue, <-b) // want `h\.mu .* is held across a channel receive \(receive from b\)`
	}
}
