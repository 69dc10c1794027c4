package bad

import (
	"bufio"
	"crypto/tls"
	"database/sql"
	"net"
	"time"
)

// The deadline is one of 30 seconds, for each peer.
func handshakeBad(ln net.Listener, cfg *tls.Config, handle func(net.Conn)) error {
	for {
		raw, err := ln.Accept()
		if err != nil {
			return err
		}
		raw.SetDeadline(time.Now().Add(30 * time.Second))
		c := tls.Server(raw, cfg)
		if err := c.Handshake(); err != nil { // want `^an outbound call \(\(\*tls\.Conn\)\.Handshake\) in an accept loop: nobody else is accepted meanwhile, and a peer that stays silent stops the server \[blockinloop/accept-loop\]$`
			continue
		}
		go handle(c)
	}
}

func greetBad(ln *net.TCPListener, handle func(net.Conn, string)) error {
	for {
		c, err := ln.AcceptTCP()
		if err != nil {
			return err
		}
		name, err := hello(c) // want `an outbound call \(.*ReadString via hello\) in an accept loop`
		if err != nil {
			continue
		}
		go handle(c, name)
	}
}

func hello(c net.Conn) (string, error) { return bufio.NewReader(c).ReadString('\n') }

func reverseLookupBad(ln net.Listener, conns chan<- net.Conn) {
	for {
		c, err := ln.Accept()
		if err != nil {
			continue
		}
		net.LookupAddr(c.RemoteAddr().String()) // want `a name lookup .* in an accept loop`
		conns <- c
	}
}

func allowedBad(ln net.Listener, db *sql.DB, handle func(net.Conn)) {
	for {
		c, err := ln.Accept()
		if err != nil {
			return
		}
		var n int
		db.QueryRow("SELECT 1 FROM banned WHERE addr = ?", c.RemoteAddr().String()).Scan(&n) // want `a database call .* in an accept loop`
		go handle(c)
	}
}

// The Accept of a listener runs in the loop of whoever serves it.
type headerListener struct{ net.Listener }

func (l headerListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(c).ReadString('\n') // want `an outbound call .* in an accept loop`
	if err != nil {
		return nil, err
	}
	println(line)
	return c, nil
}

type loopListener struct {
	net.Listener
	conf *tls.Config
}

func (l *loopListener) Accept() (net.Conn, error) {
	for {
		raw, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		c := tls.Server(raw, l.conf)
		if c.Handshake() == nil { // want `an outbound call .* in an accept loop`
			return c, nil
		}
		c.Close()
	}
}
