package audit

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/hashicorp/raft"
	"github.com/nats-io/nats.go"
)

// Who sends a note has gone on, and one note that is there is enough.
type notified struct {
	client  *http.Client
	options chan struct{}
	jobs    chan string
	stop    chan struct{}
	n       int
}

func newNotified() *notified {
	return &notified{options: make(chan struct{}, 1), jobs: make(chan string), stop: make(chan struct{})}
}

func (n *notified) changed() {
	select {
	case n.options <- struct{}{}:
	default:
	}
}

func (n *notified) run() {
	for {
		select {
		case j := <-n.jobs:
			n.client.Get(j) // want `an outbound call .* in an event loop, which also serves n\.options`
		case <-n.options:
			n.n++
		case <-n.stop:
			return
		}
	}
}

// Once in an hour it is late, and there is room for what comes meanwhile.
func (n *notified) hourly() {
	counts := make(chan int, 10)
	go n.counting(counts)
	hourly := time.NewTicker(time.Hour)
	defer hourly.Stop()
	for {
		select {
		case c := <-counts:
			n.n += c
		case <-hourly.C:
			n.client.Get("http://peer.example/") // want `an outbound call .* in an event loop, which also serves counts`
		case <-n.stop:
			return
		}
	}
}

func (n *notified) counting(counts chan<- int) {
	for i := range n.n {
		counts <- i
	}
}

func (n *notified) captured(counts <-chan int) {
	daily := time.NewTicker(24 * time.Hour)
	defer func() { daily.Stop() }()
	for {
		select {
		case c := <-counts:
			n.n += c
		case <-daily.C:
			n.client.Get("http://peer.example/") // want `an outbound call .* in an event loop, which also serves counts`
		case <-time.After(30 * time.Minute):
			n.client.Get("http://peer.example/idle") // want `an outbound call .* in an event loop, which also serves counts`
		}
	}
}

// A peer that is gone costs half a second, and only then.
func (n *notified) dials(counts <-chan int) {
	for {
		select {
		case c := <-counts:
			n.n += c
		case j := <-n.jobs:
			conn, err := net.DialTimeout("tcp", j, 500*time.Millisecond) // want `an outbound call .* in an event loop, which also serves counts`
			if err == nil {
				conn.Close()
			}
		}
	}
}

// How long it takes is known: a peer that stays silent is given up.
func handshakes(ln net.Listener, conf *tls.Config, serve func(net.Conn)) {
	for {
		raw, err := ln.Accept()
		if err != nil {
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
		c := tls.Server(raw, conf)
		err = c.HandshakeContext(ctx) // want `an outbound call .* in an accept loop`
		cancel()
		if err == nil {
			go serve(c)
		}
	}
}

// Somebody has thought of how long it may take.
type restoring struct{ sub *nats.Subscription }

func (r *restoring) Apply(l *raft.Log) any {
	return r.missing() // want `an outbound call .* on the goroutine that applies the raft log`
}

func (r *restoring) missing() error {
	_, err := r.sub.NextMsg(time.Second)
	return err
}

func (r *restoring) Snapshot() (raft.FSMSnapshot, error) { return nil, nil }

func (r *restoring) Restore(io.ReadCloser) error { return nil }

// The program ends.
func (c *clients) Shutdown() {
	for _, s := range c.all {
		s.wg.Wait()
	}
}

func (c *clients) endsOn(nc *nats.Conn) {
	nc.Subscribe("end", func(*nats.Msg) {
		c.Shutdown() // want `a wait for other goroutines .* on the goroutine of the nats subscription`
	})
}
