package ok

import (
	"context"
	"net/http"
	"time"
)

type gossip struct {
	client *http.Client
	quit   chan struct{}
	n      int
}

// A request is sent, and its answer or the next tick is waited for.
func (g *gossip) askOk(tick *time.Ticker, answers <-chan string, jobs <-chan string) {
	for {
		select {
		case j := <-jobs:
			g.client.Get("http://peer.example/" + j)
		case <-g.quit:
			return
		}
		select {
		case <-answers:
			g.n++
		case <-tick.C:
			g.n--
		case <-g.quit:
			return
		}
	}
}

// Several events are taken at once: each comes with the channel for its answer.
type commit struct {
	data       string
	sync, done chan struct{}
}

type journal struct {
	in   chan *commit
	quit chan struct{}
	db   map[string]bool
	stat chan int
	n    int
}

func (j *journal) gatherOk() {
	for {
		select {
		case c := <-j.in:
			j.db[c.data] = true
			for left := len(j.in); left > 0; left-- {
				c = <-j.in
				if c.sync != nil {
					c.sync <- struct{}{}
					continue
				}
				j.db[c.data] = true
			}
		case n := <-j.stat:
			j.n += n
		case <-j.quit:
			return
		}
	}
}

// The stream ends with the context, and its channel is closed then.
type hub struct {
	subscribe func(context.Context, string) (<-chan string, error)
	view      string
	views     map[string]int
}

func (h *hub) followOk(ctx context.Context, names <-chan string) {
	for {
		select {
		case <-ctx.Done():
			return
		case name := <-names:
			in, err := h.subscribe(ctx, h.view)
			if err != nil {
				continue
			}
			h.views[name]++
			h.consume(in)
		}
	}
}

func (h *hub) consume(in <-chan string) {
	for v := range in {
		h.views[v]++
	}
}

// Whoever hands something in waits for the answer at once.
type writer struct {
	write chan []byte
	errs  chan error
	stats chan int
	stop  chan struct{}
	last  []byte
	n     int
}

func (w *writer) runOk() {
	for {
		select {
		case b := <-w.write:
			w.last = b
			w.errs <- nil
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
		return <-w.errs
	case <-w.stop:
		return nil
	}
}

func (w *writer) MustWrite(b []byte) error {
	w.write <- b
	return <-w.errs
}
