// Package refuse has findings that no fix is offered for.
package refuse

import (
	"github.com/panjf2000/ants/v2"
	"github.com/sourcegraph/conc/pool"
	"golang.org/x/sync/errgroup"
)

// Nobody takes the error of the task.
func noErrorRefuse(do func() error) {
	var g errgroup.Group
	g.SetLimit(2)
	visit := func() {
		g.Go(do) // want `errgroup-nested`
	}
	g.Go(func() error {
		visit()
		return nil
	})
}

// The pool has no form that does not wait.
func noTryRefuse(p *ants.Pool, do func()) {
	_ = p.Submit(func() {
		_ = p.Submit(do) // want `pool-submit`
	})
}

// The value that is sent means something.
func valueRefuse(c chan int, more func(int) []int) {
	for i := range c {
		for _, m := range more(i) {
			c <- m // want `chan-worker`
		}
	}
}

// Without room a wake-up would be lost.
func noRoomRefuse(events <-chan int, stop <-chan bool) {
	wake := make(chan struct{})
	for {
		select {
		case <-events:
			wake <- struct{}{} // want `chan-worker`
		case <-wake:
		case <-stop:
			return
		}
	}
}

// Two statements on one line.
func oneLineRefuse(do func() error) {
	var g errgroup.Group
	g.SetLimit(2)
	g.Go(func() error { g.Go(do); return nil }) // want `errgroup-nested`
}

// The error of Close is dropped, and may be meant to be looked at.
type conn struct{ done chan struct{} }

func (c *conn) readRefuse() {
	defer close(c.done)
	c.Close() // want `self-wait`
}

func (c *conn) Close() error {
	<-c.done
	return nil
}

// The pool is used in a way that another one has not, waited for in each round,
// or made by somebody else.
func (c *conn) concRefuse(do func(), use func(*pool.Pool)) {
	p := pool.New().WithMaxGoroutines(5)
	p.Go(func() {
		p.Go(do) // want `pool-submit`
	})
	use(p)
	p.Wait()
}

func (c *conn) roundsRefuse(do func()) {
	p := pool.New().WithMaxGoroutines(5)
	for range 3 {
		p.Go(func() {
			p.Go(do) // want `pool-submit`
		})
		p.Wait()
	}
}

func (c *conn) deferredRefuse(do func()) {
	p := pool.New().WithMaxGoroutines(5)
	defer p.Wait()
	p.Go(func() {
		p.Go(do) // want `pool-submit`
	})
}
