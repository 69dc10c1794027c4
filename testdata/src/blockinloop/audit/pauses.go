package audit

import (
	"context"
	"net/http"
	"time"
)

// A pause after a failure, and then the loop looks at its stop.
func AfterFailure(ctx context.Context, accept func() error, serve func()) {
	for {
		select {
		case <-ctx.Done():
			return
		default:
		}
		if accept() != nil {
			time.Sleep(30 * time.Second) // want `a sleep .* in a loop that ends with ctx\.Done\(\)`
			continue
		}
		serve()
	}
}

// The same where the failure is an event.
func FailureIsAnEvent(ctx context.Context, failed <-chan error, again func()) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-failed:
			time.Sleep(30 * time.Second) // want `a sleep .* in a loop that ends with ctx\.Done\(\)`
			again()
		}
	}
}

// Some seconds, each time.
func TwoSeconds(ctx context.Context, work func()) {
	for {
		select {
		case <-ctx.Done():
			return
		default:
			work()
			time.Sleep(2 * time.Second) // want `a sleep .* in a loop that ends with ctx\.Done\(\)`
		}
	}
}

// It gives up after some attempts.
func Attempts(ctx context.Context, jobs <-chan string, try func(string) error) {
	for {
		select {
		case <-ctx.Done():
			return
		case j := <-jobs:
			for range 3 {
				if try(j) == nil {
					break
				}
				time.Sleep(10 * time.Second) // want `a sleep .* in a loop that ends with ctx\.Done\(\)`
			}
		}
	}
}

// Whoever is waited for says in any case that it is done.
type journal struct {
	in   chan *entry
	quit chan struct{}
	hold hold

	holds chan *hold
}

type entry struct{ hold *hold }

type hold struct {
	released chan struct{}
	n        int
}

func (j *journal) During(h *hold, work func()) {
	defer close(h.released)
	j.in <- &entry{hold: h}
	work()
}

func (j *journal) Run() {
	for {
		select {
		case <-j.quit:
			return
		case <-j.in:
			<-j.hold.released // want `a receive \(receive from j\.hold\.released\) in a loop that ends with j\.quit`
		}
	}
}

// Nobody waits for the end of the goroutine.
type indexer struct {
	blocks chan int
	txs    chan string
	quit   chan struct{}
	n      int
}

func (x *indexer) start() { go x.index() }

func (x *indexer) index() {
	for {
		select {
		case <-x.quit:
			return
		case n := <-x.blocks:
			for range n {
				<-x.txs // want `a receive \(receive from x\.txs\) in a loop that ends with x\.quit`
				x.n++
			}
		}
	}
}

// One element after the other: the second wait is the next step of what the first
// has begun, and only the end is late for the pause.
type element struct {
	value string
	next  chan *element
}

type gossip struct {
	client *http.Client
	ready  func() bool
	first  chan *element
	quit   chan struct{}
	n      int
}

func (g *gossip) peer() {
	var cur *element
	for {
		if cur == nil {
			select {
			case cur = <-g.first:
			case <-g.quit:
				return
			}
		}
		if !g.ready() {
			time.Sleep(100 * time.Millisecond) // want `a sleep .* in a loop that ends with g\.quit .*ignores-stop`
			continue
		}
		g.client.Get("http://peer.example/" + cur.value)
		select {
		case cur = <-cur.next:
		case <-g.quit:
			return
		}
	}
}

// The one who is asked was told how long it may take, and answers by then.
type node interface {
	Propose(cmd []byte, within time.Duration) (*proposal, error)
}

type proposal struct{ result chan int }

func (p *proposal) ResultC() <-chan int { return p.result }

func Proposing(stop <-chan struct{}, n node) int {
	sum := 0
	for {
		for range 32 {
			p, err := n.Propose(nil, 4*time.Second)
			if err != nil {
				return sum
			}
			sum += <-p.ResultC() // want `a receive \(receive from ResultC\(\)\) in a loop that ends with stop`
		}
		select {
		case <-stop:
			return sum
		default:
		}
	}
}

// The loop is left when it has succeeded: it pauses after a failure only, and has
// looked at its stop before.
func Redial(ctx context.Context, dial func() error, pause time.Duration) error {
	for {
		err := dial()
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return err
		}
		time.Sleep(pause) // want `a sleep .* in a loop that ends with ctx`
	}
}

func Ping(ctx context.Context, ping func() error, pause time.Duration) error {
	for ctx.Err() == nil {
		err := ping()
		if timeout, ok := err.(interface{ Timeout() bool }); ok && timeout.Timeout() {
			time.Sleep(pause) // want `a sleep .* in a loop that ends with ctx`
			continue
		}
		return err
	}
	return ctx.Err()
}

// There is one client, and what the loop serves besides is his.
func (j *journal) Events(w http.ResponseWriter, r *http.Request) {
	ping := time.NewTicker(time.Minute)
	defer ping.Stop()
	for {
		select {
		case e := <-j.in:
			http.Get("http://peer.example/") // want `an outbound call .* in an event loop`
			_ = e
		case h := <-j.holds:
			h.n++
		case <-ping.C:
			w.Write(nil) // want `an outbound call .* in an event loop`
		case <-r.Context().Done():
			return
		}
	}
}
