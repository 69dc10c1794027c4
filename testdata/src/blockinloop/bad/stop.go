package bad

import (
	"context"
	"time"
)

func pollBad(ctx context.Context, every time.Duration, work func()) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		default:
			time.Sleep(every) // want `^a sleep \(time\.Sleep\) in a loop that ends with ctx\.Done\(\): it cannot end meanwhile \[blockinloop/ignores-stop\]$`
			work()
		}
	}
}

func pollAfterBad(stop <-chan struct{}, work func()) {
	for {
		select {
		case <-stop:
			return
		default:
		}
		work()
		time.Sleep(10 * time.Second) // want `a sleep .* in a loop that ends with stop`
	}
}

func errBad(ctx context.Context, every time.Duration, work func()) {
	for ctx.Err() == nil {
		work()
		time.Sleep(every) // want `a sleep .* in a loop that ends with ctx`
	}
}

func helperBad(ctx context.Context, jobs <-chan int, work func(int) error) {
	for {
		select {
		case <-ctx.Done():
			return
		case j := <-jobs:
			for work(j) != nil {
				backOff() // want `a sleep \(time\.Sleep via backOff\) in a loop that ends with ctx\.Done\(\)`
			}
		}
	}
}

func backOff() { time.Sleep(5 * time.Second) }

// Nobody says that the worker ends.
type worker struct{ quit, done chan struct{} }

type manager struct{ workers map[string]*worker }

func (m *manager) runBad(updates <-chan map[string]bool, stop <-chan struct{}) {
	for {
		select {
		case want := <-updates:
			for name, w := range m.workers {
				if !want[name] {
					w.stop() // want `a receive \(receive from w\.done via \(\*worker\)\.stop\) in a loop that ends with stop`
				}
			}
		case <-stop:
			return
		}
	}
}

func (w *worker) stop() {
	close(w.quit)
	<-w.done
}

func publishUntilBad(ctx context.Context, in <-chan int, subs []chan int) {
	for {
		select {
		case <-ctx.Done():
			return
		case v := <-in:
			for _, ch := range subs {
				ch <- v // want `a send .* in a loop that ends with ctx\.Done\(\)`
			}
		}
	}
}

// The receive does not look at ctx, and only ends when a value comes.
func receiveBad(ctx context.Context, in <-chan int, work func(int)) {
	for {
		select {
		case <-ctx.Done():
			return
		default:
			work(<-in) // want `a receive \(receive from in\) in a loop that ends with ctx\.Done\(\)`
		}
	}
}

// The reader goes away at the first mistake, or at the same stop.
type importer struct {
	rows chan string
	stop chan struct{}
}

func (i *importer) readBad(next func() string) {
	for {
		select {
		case <-i.stop:
			return
		default:
		}
		i.rows <- next() // want `a send \(send on i\.rows\) in a loop that ends with i\.stop`
	}
}

func (i *importer) write(insert func(string) error) {
	for row := range i.rows {
		time.Sleep(time.Millisecond)
		if insert(row) != nil {
			break
		}
	}
}

// The helper tries for ever, and nothing tells it to end.
type line struct{ dial func() (<-chan string, error) }

func (l *line) redial() <-chan string {
	for wait := time.Second; ; wait = min(2*wait, time.Minute) {
		in, err := l.dial()
		if err == nil {
			return in
		}
		time.Sleep(wait)
	}
}

func (l *line) RunBad(ctx context.Context, work func(string)) {
	in := l.redial()
	for {
		select {
		case <-ctx.Done():
			return
		case m, ok := <-in:
			if !ok {
				in = l.redial() // want `a sleep \(time\.Sleep via \(\*line\)\.redial\) in a loop that ends with ctx\.Done\(\)`
				continue
			}
			work(m)
		}
	}
}
