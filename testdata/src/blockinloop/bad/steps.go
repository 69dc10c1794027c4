package bad

import (
	"context"
	"net/http"
	"time"
)

type steps struct {
	client *http.Client
	jobs   chan string
	counts chan int
	alerts chan string
	quit   chan struct{}
	n      int
}

// The second select waits for what the first serves, too: a count is late.
func (s *steps) pausedBad(paused bool) {
	for {
		if paused {
			select {
			case n := <-s.counts:
				s.n += n
			case <-s.alerts:
				paused = false
			case <-s.quit:
				return
			}
			continue
		}
		select {
		case j := <-s.jobs:
			s.client.Get(j) // want `an outbound call .* in an event loop, which also serves s\.counts and s\.alerts`
		case n := <-s.counts:
			s.n -= n
		case <-s.quit:
			return
		}
	}
}

// It is the pace of the loop: the end is late by it each time.
func tenSecondsBad(ctx context.Context, work func()) {
	for {
		select {
		case <-ctx.Done():
			return
		default:
			work()
			time.Sleep(10 * time.Second) // want `a sleep .* in a loop that ends with ctx\.Done\(\)`
		}
	}
}

// It tries again until it succeeds, whatever it has been told.
func (s *steps) insistBad(try func(string) error) {
	for {
		select {
		case <-s.quit:
			return
		case j := <-s.jobs:
			for try(j) != nil {
				time.Sleep(200 * time.Millisecond) // want `a sleep .* in a loop that ends with s\.quit`
			}
		}
	}
}

// Nothing says that whoever sends ends with the loop.
func (s *steps) otherStreamBad(ctx context.Context, open func(context.Context) <-chan string) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.jobs:
			in := open(context.Background())
			s.consume(in) // want `a receive \(receive from in via \(\*steps\)\.consume\) in a loop that ends with ctx\.Done\(\)`
		}
	}
}

// The answer is for somebody who is not among those who sent an event.
func (s *steps) notTheSenderBad(subs map[string]chan string, other <-chan int) {
	for {
		select {
		case j := <-s.jobs:
			for left := len(s.jobs); left > 0; left-- {
				j = <-s.jobs
			}
			for _, sub := range subs {
				sub <- j // want `a send .* in an event loop, which also serves other`
			}
		case n := <-other:
			s.n += n
		case <-s.quit:
			return
		}
	}
}

func (s *steps) consume(in <-chan string) {
	for range in {
		s.n++
	}
}

// The answer comes whenever it comes.
type proposal struct{ result chan int }

func (p *proposal) ResultC() <-chan int { return p.result }

func ProposingBad(stop <-chan struct{}, propose func() *proposal) int {
	sum := 0
	for {
		select {
		case <-stop:
			return sum
		default:
		}
		p := propose()
		sum += <-p.ResultC() // want `a receive \(receive from ResultC\(\)\) in a loop that ends with stop`
	}
}

// One of those who wait for an answer has handed in nothing.
type writer struct {
	write chan []byte
	watch chan error
	stats chan int
	stop  chan struct{}
	last  []byte
	n     int
}

func (w *writer) runBad() {
	for {
		select {
		case b := <-w.write:
			w.last = b
			w.watch <- nil // want `a send .* in an event loop, which also serves w\.stats`
		case n := <-w.stats:
			w.n += n
		case <-w.stop:
			return
		}
	}
}

func (w *writer) Write(b []byte) error {
	select {
	case w.write <- b:
		return <-w.watch
	case <-w.stop:
		return nil
	}
}

func (w *writer) Watch(log func(error)) {
	for err := range w.watch {
		log(err)
		time.Sleep(time.Second)
	}
}

// The pause is the pace of what succeeds.
func (s *steps) afterSuccessBad(ctx context.Context, work func() error, every time.Duration) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		default:
		}
		if err := work(); err != nil {
			return err
		}
		time.Sleep(every) // want `a sleep .* in a loop that ends with ctx\.Done\(\)`
	}
}
