package bad

import (
	"bufio"
	"crypto/tls"
	"io"
	"io/ioutil"
	"net"
	"time"
)

// The connection is in a field. Nothing in the package gives it a deadline.
type peer struct {
	raw  net.Conn
	name string
}

func connectPeer(addr string) (*peer, error) {
	c, err := net.DialTimeout("tcp", addr, time.Second)
	if err != nil {
		return nil, err
	}
	p := &peer{raw: c}
	if err := p.greetBad(); err != nil {
		c.Close()
		return nil, err
	}
	return p, nil
}

func (p *peer) greetBad() error {
	_, err := p.raw.Read(make([]byte, 1)) // want `\(net\.Conn\)\.Read waits on a connection that nothing gives a deadline, neither here nor where it is made.*\[nodeadline/conn-io\]`
	return err
}

func (p *peer) Close() error { return p.raw.Close() }

// It waits for an answer.
func (p *peer) AskBad(what string) (string, error) {
	if _, err := io.WriteString(p.raw, what+"\n"); err != nil {
		return "", err
	}
	return bufio.NewReader(p.raw).ReadString('\n') // want `conn-io`
}

// The field is called conn, and its struct is made by a constructor that is
// given the connection.
type session struct {
	conn net.Conn
	user string
}

func newSession(c net.Conn) *session { return &session{conn: c} }

func sessions(l net.Listener) error {
	for {
		c, err := l.Accept()
		if err != nil {
			return err
		}
		go newSession(c).serve()
	}
}

func (s *session) serve() {
	defer s.conn.Close()
	if s.loginBad() != nil {
		return
	}
	br := bufio.NewReader(s.conn)
	for {
		line, err := br.ReadString('\n')
		if err != nil {
			return
		}
		io.WriteString(s.conn, line)
	}
}

func (s *session) loginBad() error {
	var n [1]byte
	_, err := io.ReadFull(s.conn, n[:]) // want `io\.ReadFull waits on a connection that was just accepted`
	s.user = string(n[:])
	return err
}

// The handshake of one in a field.
type secured struct{ tls *tls.Conn }

func accepted(l net.Listener, conf *tls.Config) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		s := &secured{tls: tls.Server(c, conf)}
		go s.openBad()
	}
}

func (s *secured) openBad() {
	if s.tls.Handshake() != nil { // want `just accepted`
		s.tls.Close()
	}
}

// The connections go through a channel: a local one, one in a field, and one
// that the workers are given.
func fanOut(l net.Listener, route func(byte, net.Conn)) error {
	conns := make(chan net.Conn)
	defer close(conns)
	for range 4 {
		go func() {
			for c := range conns {
				var first [1]byte
				if _, err := c.Read(first[:]); err == nil { // want `just accepted`
					route(first[0], c)
				}
			}
		}()
	}
	for {
		c, err := l.Accept()
		if err != nil {
			return err
		}
		conns <- c
	}
}

type acceptor struct {
	conns chan net.Conn
	quit  chan struct{}
}

func (a *acceptor) run(l net.Listener) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		select {
		case a.conns <- c:
		case <-a.quit:
			c.Close()
			return
		}
	}
}

func (a *acceptor) workBad(serve func(net.Conn, string)) {
	for {
		select {
		case c := <-a.conns:
			name, err := bufio.NewReader(c).ReadString('\n') // want `just accepted`
			if err == nil {
				serve(c, name)
			}
		case <-a.quit:
			return
		}
	}
}

func given(l net.Listener) {
	conns := make(chan net.Conn, 8)
	go workGivenBad(conns)
	for {
		c, err := l.Accept()
		if err != nil {
			close(conns)
			return
		}
		conns <- c
	}
}

func workGivenBad(conns <-chan net.Conn) {
	for c := range conns {
		io.ReadFull(c, make([]byte, 4)) // want `just accepted`
		c.Close()
	}
}

// In a struct through a channel.
type visit struct {
	from net.Conn
	at   time.Time
}

func visits(l net.Listener, in chan visit) {
	go func() {
		for v := range in {
			v.from.Read(make([]byte, 1)) // want `just accepted`
			v.from.Close()
		}
	}()
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		in <- visit{from: c, at: time.Now()}
	}
}

// Both branches make a fresh one, and the helper closes it.
func open(addr string, conf *tls.Config) (net.Conn, error) {
	d := net.Dialer{Timeout: time.Second}
	if conf == nil {
		return d.Dial("tcp", addr)
	}
	return tls.DialWithDialer(&d, "tcp", addr, conf)
}

func sendCommand(c net.Conn, cmd string) string {
	defer c.Close()
	io.WriteString(c, cmd)
	res, _ := ioutil.ReadAll(c)
	return string(res)
}

func statsBad(addr string, conf *tls.Config) (string, error) {
	c, err := open(addr, conf)
	if err != nil {
		return "", err
	}
	return sendCommand(c, "mntr"), nil // want `ioutil\.ReadAll via sendCommand waits on a fresh connection`
}

// A client that has its connection and a reader of it.
type client struct {
	link  net.Conn
	lines *bufio.Reader
	out   *bufio.Writer
}

func dialClient(addr string) (*client, error) {
	c, err := net.DialTimeout("tcp", addr, time.Second)
	if err != nil {
		return nil, err
	}
	return &client{link: c, lines: bufio.NewReader(c), out: bufio.NewWriter(c)}, nil
}

func (c *client) Close() error { return c.link.Close() }

func (c *client) GetBad(key string) (string, error) {
	if _, err := c.link.Write([]byte("get " + key + "\n")); err != nil {
		return "", err
	}
	return c.lines.ReadString('\n') // want `\(\*bufio\.Reader\)\.ReadString waits on a connection that nothing gives a deadline`
}

func (c *client) send(line string) error {
	if _, err := c.out.WriteString(line + "\n"); err != nil {
		return err
	}
	return c.out.Flush()
}

func (c *client) DeleteBad(key string) error {
	if err := c.send("delete " + key); err != nil {
		return err
	}
	_, err := c.lines.ReadByte() // want `conn-io`
	return err
}
