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

// That something came is all that it says.
type jobs struct{ more chan bool }

func newJobs() *jobs { return &jobs{more: make(chan bool, 16)} }

func (j *jobs) runJudge(stop <-chan int, work func() int) {
	for {
		select {
		case <-j.more:
			for range work() {
				j.more <- true // want `chan-worker`
			}
		case <-stop:
			return
		}
	}
}
