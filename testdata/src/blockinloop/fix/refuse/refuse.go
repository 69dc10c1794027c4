// Package refuse has findings that no fix is offered for.
package refuse

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"time"
)

// The wait is in another function.
func helperRefuse(ctx context.Context, work func()) {
	for {
		select {
		case <-ctx.Done():
			return
		default:
			backOff() // want `a sleep`
			work()
		}
	}
}

func backOff() { time.Sleep(5 * time.Second) }

// More than leaving is to be done at the end.
func bodyRefuse(ctx context.Context, every time.Duration, work func()) {
	for {
		select {
		case <-ctx.Done():
			work()
			return
		default:
			time.Sleep(every) // want `a sleep`
		}
	}
}

// The name means something else where the wait is.
func shadowRefuse(ctx context.Context, stop chan struct{}, every time.Duration) error {
	for {
		err := ctx.Err()
		select {
		case <-stop:
			return err
		default:
			err := context.Canceled
			_ = err
			time.Sleep(every) // want `a sleep`
		}
	}
}

// What follows would run once more.
func notLastRefuse(ctx context.Context, every time.Duration, work func()) {
	for ctx.Err() == nil {
		time.Sleep(every) // want `a sleep`
		work()
	}
}

// The result is used.
func resultRefuse(c *http.Client, jobs, other <-chan string) {
	n := 0
	for {
		select {
		case j := <-jobs:
			if _, err := c.Get(j); err == nil { // want `an outbound call`
				n++
			}
		case <-other:
			n--
		}
	}
}

func sleepRefuse(jobs, other <-chan string) {
	for {
		select {
		case <-jobs:
			time.Sleep(time.Second) // want `a sleep`
		case <-other:
		}
	}
}

// What depends on the peer would have to move.
func acceptRefuse(ln net.Listener, conf *tls.Config, handle func(net.Conn)) {
	for {
		raw, err := ln.Accept()
		if err != nil {
			return
		}
		c := tls.Server(raw, conf)
		c.Handshake() // want `an outbound call`
		go handle(c)
	}
}

//concvet:latency
func latencyRefuse() {
	time.Sleep(time.Second) // want `a sleep`
}

// The loop goes on with what the call has changed, or not at all.
func usedRefuse(c *http.Client, jobs, other <-chan string) error {
	var last error
	for {
		select {
		case j := <-jobs:
			if _, err := c.Get(j); err != nil { // want `an outbound call`
				last = err
			}
		case j := <-other:
			if j == "" {
				return last
			}
		}
	}
}

// What it is called with would be something else later.
func laterRefuse(c *http.Client, jobs, other <-chan string, ready chan bool) {
	names := map[string]string{}
	for {
		select {
		case j := <-jobs:
			if _, err := c.Get(names[j]); err != nil { // want `an outbound call`
				ready <- false
			}
		case j := <-other:
			names[j] = j
		}
	}
}
