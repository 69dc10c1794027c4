package bad

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"time"
)

// What is sent has content, and is lost where there is no room.
type lossy struct {
	client *http.Client
	levels chan int
	wakes  chan struct{}
	asks   chan struct{}
	jobs   chan string
	stop   chan struct{}
	n      int
}

func newLossy() *lossy {
	return &lossy{levels: make(chan int, 1), wakes: make(chan struct{}), asks: make(chan struct{}, 1), jobs: make(chan string), stop: make(chan struct{})}
}

func (l *lossy) level(n int) {
	select {
	case l.levels <- n:
	default:
	}
}

func (l *lossy) runBad() {
	for {
		select {
		case j := <-l.jobs:
			l.client.Get(j) // want `an outbound call .* in an event loop, which also serves l\.levels`
		case n := <-l.levels:
			l.n = n
		case <-l.stop:
			return
		}
	}
}

// There is no room for the note: it is lost while the loop waits.
func (l *lossy) wake() {
	select {
	case l.wakes <- struct{}{}:
	default:
	}
}

func (l *lossy) wokenBad() {
	for {
		select {
		case j := <-l.jobs:
			l.client.Get(j) // want `an outbound call .* in an event loop, which also serves l\.wakes`
		case <-l.wakes:
			l.n++
		case <-l.stop:
			return
		}
	}
}

// One of those who ask waits until there is room.
func (l *lossy) ask() {
	select {
	case l.asks <- struct{}{}:
	default:
	}
}

func (l *lossy) mustAsk() { l.asks <- struct{}{} }

func (l *lossy) askedBad() {
	for {
		select {
		case j := <-l.jobs:
			l.client.Get(j) // want `an outbound call .* in an event loop, which also serves l\.asks`
		case <-l.asks:
			l.n++
		case <-l.stop:
			return
		}
	}
}

func (l *lossy) minuteBad(counts <-chan int) {
	tick := time.NewTicker(time.Minute)
	defer tick.Stop()
	for {
		select {
		case c := <-counts:
			l.n += c
		case <-tick.C:
			l.client.Get("http://peer.example/") // want `an outbound call .* in an event loop, which also serves counts`
		}
	}
}

// Only the first time is an hour long.
func (l *lossy) resetBad(counts <-chan int, every time.Duration) {
	next := time.NewTimer(time.Hour)
	for {
		select {
		case c := <-counts:
			l.n += c
		case <-next.C:
			l.client.Get("http://peer.example/") // want `an outbound call .* in an event loop, which also serves counts`
			next.Reset(every)
		}
	}
}

// Once in an hour those who send wait, too.
func (l *lossy) hourlyBad(stop <-chan struct{}) {
	hourly := time.NewTicker(time.Hour)
	defer hourly.Stop()
	for {
		select {
		case j := <-l.jobs:
			l.n += len(j)
		case <-hourly.C:
			l.client.Get("http://peer.example/") // want `an outbound call .* in an event loop, which also serves l\.jobs`
		case <-stop:
			return
		}
	}
}

func (l *lossy) dialsBad(counts <-chan int, peers []string) {
	for {
		select {
		case c := <-counts:
			l.n += c
		case j := <-l.jobs:
			net.DialTimeout("tcp", j, 5*time.Second) // want `an outbound call .* in an event loop, which also serves counts`
			for _, p := range peers {
				net.DialTimeout("tcp", p, time.Second) // want `an outbound call .* in an event loop, which also serves counts`
			}
		}
	}
}

func minuteHandshakeBad(ln net.Listener, conf *tls.Config, serve func(net.Conn)) {
	for {
		raw, err := ln.Accept()
		if err != nil {
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		c := tls.Server(raw, conf)
		err = c.HandshakeContext(ctx) // want `an outbound call .* in an accept loop`
		cancel()
		if err == nil {
			go serve(c)
		}
	}
}
