package bad

import (
	"context"
	"sync"
)

// Workers that find more work.
func rangeBad(todo chan string, links func(string) []string) {
	for range 4 {
		go func() {
			for u := range todo {
				for _, l := range links(u) {
					todo <- l // want `the loop that receives from todo \(line 12\) → send on todo → room that only this loop makes by receiving: when the channel is full every goroutine that receives waits to send, for ever .*chan-worker`
				}
			}
		}()
	}
}

type queue struct {
	jobs chan string
	stop chan struct{}
}

func newQueue() *queue {
	q := &queue{jobs: make(chan string, 16), stop: make(chan struct{})}
	for range 4 {
		go q.workBad()
	}
	return q
}

func (q *queue) workBad() {
	for {
		select {
		case j := <-q.jobs:
			q.handle(j)
		case <-q.stop:
			return
		}
	}
}

func (q *queue) handle(j string) {
	if j == "" {
		q.Enqueue("again") // want `the loop that receives from q.jobs \(line \d+\) → send on q.jobs via \(\*queue\).Enqueue → room .* when its 16 places are taken .*chan-worker`
	}
}

// Enqueue is for everybody.
func (q *queue) Enqueue(j string) { q.jobs <- j }

// A context ends the wait only when the service ends.
func contextBad(ctx context.Context, work chan int, more func(int) []int) {
	for {
		select {
		case <-ctx.Done():
			return
		case w := <-work:
			for _, m := range more(w) {
				select {
				case work <- m: // want `send on work .*chan-worker`
				case <-ctx.Done():
					return
				}
			}
		}
	}
}

// A bus whose handlers publish.
type bus struct {
	events   chan string
	mu       sync.Mutex
	handlers map[string][]func(string)
}

func newBus() *bus {
	b := &bus{events: make(chan string, 8), handlers: make(map[string][]func(string))}
	go b.run()
	return b
}

func (b *bus) run() {
	for e := range b.events {
		for _, h := range b.handlers[e] {
			h(e)
		}
	}
}

func (b *bus) Subscribe(topic string, h func(string)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.handlers[topic] = append(b.handlers[topic], h)
}

func (b *bus) Publish(e string) { b.events <- e }

func handlerBad(b *bus) {
	b.Subscribe("created", func(e string) {
		b.Publish("indexed") // want `task of b.events \(line \d+\) → send on b.events via \(\*bus\).Publish → room .*chan-worker`
	})
}

type service struct{ bus *bus }

func (s *service) start() { s.bus.Subscribe("deleted", s.methodHandlerBad) }

func (s *service) methodHandlerBad(e string) {
	s.bus.Publish("gone") // want `task of s.bus.events .*chan-worker`
}

// Functions are sent to workers, which call them.
type workers struct{ tasks chan func() }

func newWorkers(n int) *workers {
	w := &workers{tasks: make(chan func())}
	for range n {
		go w.loop()
	}
	return w
}

func (w *workers) loop() {
	for t := range w.tasks {
		t()
	}
}

func (w *workers) Submit(f func()) { w.tasks <- f }

func submitInTaskBad(w *workers, items []int, do func(int)) {
	w.Submit(func() {
		for _, it := range items {
			w.Submit(func() { do(it) }) // want `task of w.tasks \(line \d+\) → send on w.tasks via \(\*workers\).Submit .*the channel has no room, so every goroutine.*chan-worker`
		}
	})
}

// The function travels in a struct.
type job struct {
	name string
	run  func()
}

type runner struct{ jobs chan job }

func (r *runner) loop() {
	for {
		j := <-r.jobs
		r.one(j)
	}
}

func (r *runner) one(j job) { j.run() }

func (r *runner) inStructBad() {
	r.jobs <- job{name: "outer", run: func() {
		r.jobs <- job{name: "inner"} // want `task of r.jobs .*chan-worker`
	}}
}

// Two cases of one select.
func ownCaseBad(in <-chan int, stop <-chan struct{}) error {
	errs := make(chan error, 1)
	for {
		select {
		case i := <-in:
			if i < 0 {
				fail(errs)
			}
		case err := <-errs:
			return err
		case <-stop:
			return nil
		}
	}
}

func fail(errs chan error) { errs <- nil } // want `send on errs .* when its 1 places are taken .*chan-worker`
