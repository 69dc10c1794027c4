package ok

import (
	"bufio"
	"context"
	"crypto/tls"
	"io"
	"net"
	"time"
)

type gate struct {
	conf *tls.Config
	next func(net.Conn)
	wrap func(net.Conn) net.Conn
}

// A session lasts as long as the peer has something to say.
func (g *gate) sessionOk(l net.Listener) error {
	for {
		c, err := l.Accept()
		if err != nil {
			return err
		}
		go g.linesOk(c)
	}
}

func (g *gate) linesOk(c net.Conn) {
	defer c.Close()
	br := bufio.NewReader(c)
	for {
		line, err := br.ReadString('\n')
		if err != nil {
			return
		}
		io.WriteString(c, line)
	}
}

// The loop is in a helper.
func (g *gate) helperOk(l net.Listener) error {
	c, err := l.Accept()
	if err != nil {
		return err
	}
	return packets(c)
}

func packets(c net.Conn) error {
	b := make([]byte, 512)
	for {
		if _, err := io.ReadFull(c, b); err != nil {
			return err
		}
	}
}

// The handshake is limited by its context, the session by nobody.
func (g *gate) shakeOk(ctx context.Context, l net.Listener) {
	c, err := l.Accept()
	if err != nil {
		return
	}
	go func() {
		ctx, cancel := context.WithTimeout(ctx, time.Second)
		defer cancel()
		t := tls.Server(c, g.conf)
		if t.HandshakeContext(ctx) == nil {
			g.next(t)
		}
	}()
}

// The context is the caller's.
func (g *gate) callerOk(ctx context.Context, l net.Listener) error {
	c, err := l.Accept()
	if err != nil {
		return err
	}
	return tls.Server(c, g.conf).HandshakeContext(ctx)
}

// The deadline is set before the goroutine starts.
func (g *gate) beforeOk(l net.Listener) {
	c, err := l.Accept()
	if err != nil {
		return
	}
	c.SetReadDeadline(time.Now().Add(time.Second))
	go g.firstOk(c)
}

func (g *gate) firstOk(c net.Conn) { c.Read(make([]byte, 1)) }

func arm(c net.Conn) error { return c.SetDeadline(time.Now().Add(time.Second)) }

func (g *gate) armedOk(l net.Listener) error {
	c, err := l.Accept()
	if err != nil {
		return err
	}
	if err := arm(c); err != nil {
		return err
	}
	return tls.Server(c, g.conf).Handshake()
}

// The helper sets the deadline itself, then reads.
func (g *gate) insideOk(l net.Listener) error {
	for {
		c, err := l.Accept()
		if err != nil {
			return err
		}
		if err := limitedFirst(c); err != nil {
			c.Close()
		}
	}
}

func limitedFirst(c net.Conn) error {
	if err := arm(c); err != nil {
		return err
	}
	_, err := c.Read(make([]byte, 1))
	return err
}

// A timer closes it: by a literal, and by the method itself.
func (g *gate) timerOk(l net.Listener) error {
	c, err := l.Accept()
	if err != nil {
		return err
	}
	t := time.AfterFunc(time.Second, func() { c.Close() })
	defer t.Stop()
	return tls.Server(c, g.conf).Handshake()
}

func (g *gate) methodOk(l net.Listener) error {
	c, err := l.Accept()
	if err != nil {
		return err
	}
	t := time.AfterFunc(time.Second, func() { _ = c.Close })
	t.Stop()
	limit := time.AfterFunc(time.Second, abort(c.Close))
	defer limit.Stop()
	t = time.AfterFunc(time.Second, g.stopper(c))
	defer t.Stop()
	return tls.Server(c, g.conf).Handshake()
}

func abort(f func() error) func() { return func() { f() } }

func (g *gate) stopper(c net.Conn) func() { return func() { c.Close() } }

// Each read of the wrapper sets its deadline.
type patient struct{ net.Conn }

func (p *patient) Read(b []byte) (int, error) {
	p.SetReadDeadline(time.Now().Add(time.Second))
	return p.Conn.Read(b)
}

func (g *gate) wrappedOk(l net.Listener) {
	c, err := l.Accept()
	if err != nil {
		return
	}
	go g.peekOk(&patient{c})
	go func(c net.Conn) { c.Read(make([]byte, 1)) }(&patient{c})
	go func() {
		t := tls.Server(&patient{c}, g.conf)
		t.Handshake()
	}()
}

func (g *gate) peekOk(c net.Conn) { bufio.NewReader(c).Peek(1) }

// Nobody knows what the wrapper does.
func (g *gate) unknownOk(l net.Listener) {
	c, err := l.Accept()
	if err != nil {
		return
	}
	c = g.wrap(c)
	c.Read(make([]byte, 1))
}

// A tunnel passes on what two peers say.
func (g *gate) tunnelOk(l net.Listener, addr string) error {
	c, err := l.Accept()
	if err != nil {
		return err
	}
	up, err := net.DialTimeout("tcp", addr, time.Second)
	if err != nil {
		return err
	}
	go io.Copy(up, c)
	_, err = io.Copy(c, up)
	return err
}

// One caller has set a deadline, the other has not: which one it is, is not known.
func (g *gate) eitherOk(l net.Listener, d net.Conn) {
	c, err := l.Accept()
	if err != nil {
		return
	}
	go g.onceOk(c)
	go g.onceOk(d)
}

func (g *gate) onceOk(c net.Conn) { c.Read(make([]byte, 1)) }

// The constructor sets the deadline.
func dialArmed(addr string) (net.Conn, error) {
	c, err := net.DialTimeout("tcp", addr, time.Second)
	if err != nil {
		return nil, err
	}
	return c, arm(c)
}

func constructedOk(addr string) error {
	c, err := dialArmed(addr)
	if err != nil {
		return err
	}
	defer c.Close()
	_, err = c.Read(make([]byte, 1))
	return err
}

// A branch that has taken it away, and sets it again.
func againOk(addr string, slow bool) error {
	c, err := net.DialTimeout("tcp", addr, time.Second)
	if err != nil {
		return err
	}
	defer c.Close()
	if slow {
		c.SetDeadline(time.Time{})
	}
	c.SetDeadline(time.Now().Add(time.Minute))
	_, err = c.Read(make([]byte, 1))
	return err
}

// It is taken away when the function is done.
func atEndOk(addr string) (net.Conn, error) {
	c, err := net.DialTimeout("tcp", addr, time.Second)
	if err != nil {
		return nil, err
	}
	c.SetDeadline(time.Now().Add(time.Second))
	defer c.SetDeadline(time.Time{})
	_, err = c.Read(make([]byte, 1))
	return c, err
}

// The deadline is set on what is inside.
func (g *gate) assertedOk(l net.Listener) {
	c, err := l.Accept()
	if err != nil {
		return
	}
	if t, ok := c.(*net.TCPConn); ok {
		t.SetReadDeadline(time.Now().Add(time.Second))
	}
	go g.assertedFirstOk(c)
}

func (g *gate) assertedFirstOk(c net.Conn) { c.Read(make([]byte, 1)) }

// Each direction is a helper's.
func pass(dst io.Writer, src io.Reader) { io.Copy(dst, src) }

func (g *gate) passOk(l net.Listener, addr string) {
	c, err := l.Accept()
	if err != nil {
		return
	}
	up, err := net.DialTimeout("tcp", addr, time.Second)
	if err != nil {
		return
	}
	go pass(up, c)
	pass(c, up)
}
