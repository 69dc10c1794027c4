package bad

import (
	"net"
	"net/http"
)

type event struct{ id, kind int }

// The idiom: what cannot be sent is kept.
func pipeBad(in <-chan event, out chan<- event) {
	var kept []event
	for {
		var send chan<- event
		var first event
		if len(kept) > 0 {
			send, first = out, kept[0]
		}
		select {
		case e, ok := <-in:
			if !ok {
				return
			}
			kept = append(kept, e) // want `kept keeps what cannot be sent yet, without a limit.*infinite-chan`
		case send <- first:
			kept = kept[1:]
		}
	}
}

func bigBad() chan event { return make(chan event, 1_000_000) } // want `the channel has room for 1000000 values of 16 bytes .*15\.3 MiB.*huge-chan`

func connBad(ln net.Listener, serve func(net.Conn, chan event)) {
	for {
		c, err := ln.Accept()
		if err != nil {
			return
		}
		go serve(c, make(chan event, 4096)) // want `64 KiB for every connection.*huge-chan`
	}
}

type client struct{ out chan event }

func newClientBad(c net.Conn) *client {
	return &client{out: make(chan event, 8192)} // want `for every connection.*huge-chan`
}

func newWatcher() *client {
	return &client{out: make(chan event, 8192)} // want `for every request.*huge-chan`
}

func watchBad(w http.ResponseWriter, r *http.Request) {
	c := newWatcher()
	for e := range c.out {
		_ = e
	}
}
