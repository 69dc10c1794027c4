package bad

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/textproto"
	"time"
)

type gate struct {
	conf  *tls.Config
	allow func(string) bool
	next  func(net.Conn)
}

// The greeting is read by a helper over an io.Reader, in a goroutine.
func (g *gate) serve(l net.Listener) error {
	for {
		c, err := l.Accept()
		if err != nil {
			return err
		}
		go g.admitBad(c)
	}
}

func (g *gate) admitBad(c net.Conn) {
	name, err := greeting(c) // want `io\.ReadFull via greeting waits on a connection that was just accepted.*\[nodeadline/conn-io\]`
	if err != nil || !g.allow(name) {
		c.Close()
		return
	}
	g.next(c)
}

func greeting(r io.Reader) (string, error) {
	n := make([]byte, 1)
	if _, err := io.ReadFull(r, n); err != nil {
		return "", err
	}
	b := make([]byte, n[0])
	_, err := io.ReadFull(r, b)
	return string(b), err
}

// The handshake is in a literal that captures the connection.
func (g *gate) shakeBad(l *net.TCPListener) error {
	for {
		raw, err := l.AcceptTCP()
		if err != nil {
			return err
		}
		go func() {
			defer func() { _ = raw.Close() }()
			c := tls.Server(raw, g.conf)
			if c.Handshake() == nil { // want `Handshake waits on a connection that was just accepted`
				g.next(c)
			}
		}()
	}
}

// The handshake has a context, and the context has no end.
func (g *gate) contextBad(l net.Listener) {
	c, err := l.Accept()
	if err != nil {
		return
	}
	go func(c *tls.Conn) {
		if err := c.HandshakeContext(context.Background()); err != nil { // want `HandshakeContext waits on a connection that was just accepted`
			c.Close()
		}
	}(tls.Server(c, g.conf))
}

// The accept loop itself waits for the handshake.
func (g *gate) inLoopBad(l net.Listener) error {
	for {
		c, err := l.Accept()
		if err != nil {
			return err
		}
		t, ok := c.(*tls.Conn)
		if !ok {
			c.Close()
			continue
		}
		if err := t.Handshake(); err != nil { // want `Handshake waits on a connection that was just accepted`
			c.Close()
			continue
		}
		go g.next(t)
	}
}

// What is written has a deadline, what is read has none.
func (g *gate) writesBad(l net.Listener) error {
	c, err := l.Accept()
	if err != nil {
		return err
	}
	defer c.Close()
	if err := c.SetWriteDeadline(time.Now().Add(time.Second)); err != nil {
		return err
	}
	if _, err := fmt.Fprintln(c, "hello"); err != nil {
		return err
	}
	_, err = bufio.NewReader(c).ReadString('\n') // want `just accepted`
	return err
}

// The first byte decides who gets the connection.
func (g *gate) sniff(l net.Listener) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		go g.routeBad(c)
	}
}

func (g *gate) routeBad(c net.Conn) {
	br := bufio.NewReader(c)
	if first, err := br.Peek(1); err == nil && first[0] == 22 { // want `just accepted`
		g.next(c)
	}
}

// The request is read by a parser of the library.
func (g *gate) connectBad(l net.Listener) {
	c, err := l.Accept()
	if err != nil {
		return
	}
	go func() {
		defer c.Close()
		req, err := http.ReadRequest(bufio.NewReader(c)) // want `just accepted`
		if err == nil {
			g.allow(req.Host)
		}
	}()
}

func (g *gate) headerBad(l net.Listener) error {
	c, err := l.Accept()
	if err != nil {
		return err
	}
	defer c.Close()
	var size uint32
	return binary.Read(c, binary.BigEndian, &size) // want `just accepted`
}

// The deadline is for the login, and is taken away before the question.
func statusBad(addr string) (string, error) {
	c, err := net.DialTimeout("tcp", addr, time.Second)
	if err != nil {
		return "", err
	}
	defer c.Close()
	br := bufio.NewReader(c)
	if err := c.SetDeadline(time.Now().Add(time.Second)); err != nil {
		return "", err
	}
	if line, err := br.ReadString('\n'); err != nil || line != "ok\n" {
		return "", errors.New("not let in")
	}
	if err := c.SetDeadline(time.Time{}); err != nil {
		return "", err
	}
	fmt.Fprintln(c, "status")
	return br.ReadString('\n') // want `\(\*bufio\.Reader\)\.ReadString waits on a fresh connection.*conn-io`
}

var noDeadline = time.Time{}

func disarm(c net.Conn) { c.SetReadDeadline(noDeadline) }

// A helper takes it away.
func disarmedBad(addr string) ([]byte, error) {
	c, err := net.DialTimeout("tcp", addr, time.Second)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	c.SetReadDeadline(time.Now().Add(time.Second))
	if _, err := hello(c); err != nil {
		return nil, err
	}
	disarm(c)
	return hello(c) // want `io\.ReadFull via hello waits on a fresh connection`
}

// The deadline comes after the wait.
func lateBad(addr string) error {
	c, err := net.DialTimeout("tcp", addr, time.Second)
	if err != nil {
		return err
	}
	defer c.Close()
	if _, err := hello(c); err != nil { // want `io\.ReadFull via hello waits on a fresh connection`
		return err
	}
	c.SetDeadline(time.Now().Add(time.Second))
	_, err = hello(c)
	return err
}

// A packet that is lost is not answered.
func packetBad(addr string) ([]byte, error) {
	c, err := net.Dial("udp", addr)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	return hello(c) // want `waits on a fresh connection`
}

// It is dialled anew in every turn, and read once.
func turnsBad(addrs []string) {
	for _, addr := range addrs {
		c, err := net.DialTimeout("tcp", addr, time.Second)
		if err != nil {
			continue
		}
		hello(c) // want `waits on a fresh connection`
		c.Close()
	}
}

// The reply is parsed by a reader of the library.
func replyBad(addr string) error {
	c, err := net.DialTimeout("tcp", addr, time.Second)
	if err != nil {
		return err
	}
	defer c.Close()
	_, _, err = textproto.NewReader(bufio.NewReader(c)).ReadResponse(220) // want `waits on a fresh connection`
	return err
}

func wordBad(addr string) (word string, err error) {
	c, err := net.DialTimeout("tcp", addr, time.Second)
	if err != nil {
		return "", err
	}
	defer c.Close()
	_, err = fmt.Fscan(c, &word) // want `waits on a fresh connection`
	return word, err
}

// One deadline would be for all of them.
func dialogueBad(addr string) error {
	c, err := net.DialTimeout("tcp", addr, time.Second)
	if err != nil {
		return err
	}
	defer c.Close()
	if _, err := hello(c); err != nil { // want `fresh connection.*\(and 1 more of the same connection\)`
		return err
	}
	_, err = hello(c)
	return err
}

// A connection of the concrete type.
func concreteBad(l *net.TCPListener) error {
	c, err := l.AcceptTCP()
	if err != nil {
		return err
	}
	defer c.Close()
	_, err = c.Read(make([]byte, 1)) // want `just accepted`
	return err
}
