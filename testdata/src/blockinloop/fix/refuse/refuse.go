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

// The call uses what the loop changes, or changes what the loop uses: both have it
// to themselves only as long as the loop waits.
type owner struct {
	client *http.Client
	jobs   chan string
	other  chan string
	names  map[string]int
	last   string
	asked  int
}

func (o *owner) report(string) {
	for name := range o.names {
		o.client.Get("http://peer.example/" + name)
	}
}

func (o *owner) readsRefuse() {
	for {
		select {
		case j := <-o.jobs:
			o.report(j) // want `an outbound call`
		case name := <-o.other:
			o.names[name]++
		}
	}
}

func (o *owner) note(j string) {
	o.client.Get("http://peer.example/" + j)
	o.remember(j)
}

func (o *owner) remember(j string) { o.last = j }

func (o *owner) setsRefuse() {
	for {
		select {
		case j := <-o.jobs:
			o.note(j) // want `an outbound call`
		case name := <-o.other:
			if name == o.last {
				return
			}
		}
	}
}

func (o *owner) add(name string) { o.names[name] = 0 }

func (o *owner) calleeRefuse() {
	for {
		select {
		case j := <-o.jobs:
			o.report(j) // want `an outbound call`
		case name := <-o.other:
			o.add(name)
		}
	}
}

// The map that it is called with is the one that the loop changes.
func ask(c *http.Client, names map[string]bool) {
	for name := range names {
		c.Get("http://peer.example/" + name)
	}
}

func (o *owner) elementsRefuse() {
	names := map[string]bool{}
	for {
		select {
		case <-o.jobs:
			ask(o.client, names) // want `an outbound call`
		case name := <-o.other:
			names[name] = true
		}
	}
}

// Side by side, the calls would change the same, here or at the peer.
func (o *owner) count(j string) {
	o.client.Get("http://peer.example/" + j)
	o.asked++
}

func (o *owner) sideBySideRefuse() {
	n := 0
	for {
		select {
		case j := <-o.jobs:
			o.count(j) // want `an outbound call`
			n++
		case <-o.other:
			n--
		}
	}
}

func (o *owner) tell(j string) { o.client.Post("http://peer.example/"+j, "", nil) }

func (o *owner) orderRefuse() {
	n := 0
	for {
		select {
		case j := <-o.jobs:
			o.tell(j) // want `an outbound call`
			n++
		case <-o.other:
			n--
		}
	}
}
