// Package audit has sends that get stuck only if there is more work than the
// code seems to be made for.
package audit

// The channel is as large as the graph. Whether each node is sent once only,
// is not to be seen.
func topologicalAudit(nodes []*node) {
	ready := make(chan *node, len(nodes))
	for _, n := range nodes {
		if n.missing == 0 {
			ready <- n
		}
	}
	for n := range ready {
		for _, next := range n.next {
			if next.missing--; next.missing == 0 {
				ready <- next // want `send on ready .*chan-worker`
			}
		}
	}
}

type node struct {
	missing int
	next    []*node
}

// One item back for one item, and nobody else in sight sends.
func requeueAudit(jobs chan int, again func(int) bool) {
	for j := range jobs {
		if again(j) {
			jobs <- j // want `send on jobs .*chan-worker`
		}
	}
}

// Sixteen events in a row would have to win against the channel itself.
func triggerAudit(in <-chan int, run func()) {
	trigger := make(chan int, 16)
	for {
		select {
		case i := <-in:
			trigger <- i // want `send on trigger .*chan-worker`
		case <-trigger:
			run()
		}
	}
}

// Exported, so that another package may receive from it.
type Feed struct{ Items chan int }

func (f *Feed) exportedAudit() {
	for i := range f.Items {
		for range i {
			f.Items <- 0 // want `send on f.Items .*chan-worker`
		}
	}
}

// Each loop feeds the other.
type relay struct{ in, out chan int }

func newRelay() *relay {
	r := &relay{in: make(chan int), out: make(chan int)}
	go r.there()
	go r.backAudit()
	return r
}

func (r *relay) Put(i int) { r.in <- i }

func (r *relay) there() {
	for i := range r.in {
		r.out <- i // want `loop of r.in .* room in r.out → loop of r.out → send on r.in .*chan-worker`
	}
}

func (r *relay) backAudit() {
	for i := range r.out {
		if i > 0 {
			r.in <- i - 1
		}
	}
}

// The same with channels that are handed to the workers.
func buildAudit(requests <-chan int, build func(int) bool) {
	work, done := make(chan int, 100), make(chan int)
	for range 4 {
		go builder(work, done, build)
	}
	for {
		select {
		case r := <-requests:
			work <- r // want `loop of done .* room in work → loop of work → send on done .*chan-worker`
		case d := <-done:
			work <- d
		}
	}
}

func builder(work <-chan int, done chan<- int, build func(int) bool) {
	for w := range work {
		if !build(w) {
			done <- w
		}
	}
}
