// Package size has capacities and pools.
package size

import (
	"net"

	"github.com/alitto/pond/v2"
)

func poolJudge(in <-chan string, handle func(string)) {
	p := pond.NewPool(8) // want `pool-default`
	for s := range in {
		p.Submit(func() { handle(s) })
	}
}

// Serve serves each connection.
func ServeJudge(ln net.Listener, serve func(net.Conn, chan string)) error {
	for {
		c, err := ln.Accept()
		if err != nil {
			return err
		}
		serve(c, make(chan string, 16384)) // want `huge-chan`
	}
}
