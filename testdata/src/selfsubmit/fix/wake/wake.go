// Package wake has wake-ups of a worker by itself.
package wake

type worker struct {
	wake chan struct{}
	next func() func()
}

func newWorker() *worker { return &worker{wake: make(chan struct{}, 1)} }

func (w *worker) loop() {
	for range w.wake {
		w.oneJudge()
	}
}

func (w *worker) oneJudge() {
	if f := w.next(); f != nil {
		f()
		w.wake <- struct{}{} // want `chan-worker`
	}
}

func (w *worker) Notify() { w.wake <- struct{}{} }
