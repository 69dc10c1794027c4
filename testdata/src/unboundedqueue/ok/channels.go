package ok

import "net"

type event struct{ id, kind int }

func pipeOk(in <-chan event, out chan<- event, max int) {
	var kept []event
	for {
		receive := in
		if len(kept) >= max {
			receive = nil
		}
		var send chan<- event
		var first event
		if len(kept) > 0 {
			send, first = out, kept[0]
		}
		select {
		case e, ok := <-receive:
			if !ok {
				return
			}
			kept = append(kept, e)
		case send <- first:
			kept = kept[1:]
		}
	}
}

// Collected and returned, not passed on.
func collectOk(in <-chan event, done chan struct{}) []event {
	var all []event
	for {
		select {
		case e := <-in:
			all = append(all, e)
		case <-done:
			return all
		}
	}
}

func sizesOk(hosts []string, n int) {
	_ = make(chan event, len(hosts))
	_ = make(chan event, n)
	_ = make(chan event, 10_000)
	_ = make(chan struct{}, 1_000_000) // tokens
}

func connOk(ln net.Listener, serve func(net.Conn, chan event)) {
	for {
		c, err := ln.Accept()
		if err != nil {
			return
		}
		serve(c, make(chan event, 1024))
	}
}

// A list of work: what is added comes from the workers, and the loop ends when
// it is empty.
func crawlOk(start []string, work chan<- string, found <-chan []string) {
	todo, busy := start, 0
	for len(todo) > 0 || busy > 0 {
		var out chan<- string
		var next string
		if len(todo) > 0 {
			out, next = work, todo[0]
		}
		select {
		case out <- next:
			todo = todo[1:]
			busy++
		case list := <-found:
			todo = append(todo, list...)
			busy--
		}
	}
}

// The channel of the connection before is gone.
type stream struct{ out chan *int }

func (s *stream) run(conns <-chan net.Conn) {
	for range conns {
		s.reset()
	}
}

func (s *stream) reset() { s.out = make(chan *int, 4096) }
