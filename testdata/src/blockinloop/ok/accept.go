package ok

import (
	"crypto/tls"
	"net"
	"time"
)

func backoffOk(ln net.Listener, handle func(net.Conn)) error {
	delay := time.Millisecond
	for {
		c, err := ln.Accept()
		if err != nil {
			if delay > time.Second {
				return err
			}
			time.Sleep(delay)
			delay *= 2
			continue
		}
		go handle(c)
	}
}

func handshakeOk(ln net.Listener, cfg *tls.Config, handle func(net.Conn)) error {
	for {
		raw, err := ln.Accept()
		if err != nil {
			return err
		}
		go func() {
			c := tls.Server(raw, cfg)
			if c.Handshake() == nil {
				handle(c)
			}
		}()
	}
}

// As many as there are slots.
func limitedOk(ln net.Listener, slots chan struct{}, handle func(net.Conn)) {
	for {
		slots <- struct{}{}
		c, err := ln.Accept()
		if err != nil {
			return
		}
		go func() {
			defer func() { <-slots }()
			handle(c)
		}()
	}
}

// One peer after the other is what such a server is for.
func serialOk(ln net.Listener) error {
	buf := make([]byte, 512)
	for {
		c, err := ln.Accept()
		if err != nil {
			return err
		}
		c.Close()
		_ = buf
	}
}
