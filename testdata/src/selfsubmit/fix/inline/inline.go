// Package inline has workers that send functions to themselves.
package inline

type workers struct {
	jobs   chan func()
	events chan int
}

func newWorkers() *workers {
	w := &workers{jobs: make(chan func(), 4), events: make(chan int, 4)}
	go w.loop()
	return w
}

func (w *workers) loop() {
	for f := range w.jobs {
		f()
	}
}

func (w *workers) literalJudge(do func(int)) {
	w.jobs <- func() {
		for i := range 3 {
			w.jobs <- func() { // want `chan-worker`
				do(i)
			}
		}
	}
}

func (w *workers) namedJudge(next func()) {
	w.jobs <- func() {
		w.jobs <- next // want `chan-worker`
	}
}

// What is sent is not run, but looked at.
func (w *workers) valueRefuse() {
	for e := range w.events {
		for range e {
			w.events <- e - 1 // want `chan-worker`
		}
	}
}
