package ok

import (
	"bufio"
	"context"
	"io"
	"net"
	"time"
)

// The constructor sets the deadline.
type early struct{ raw net.Conn }

func connectEarly(addr string) (*early, error) {
	c, err := net.DialTimeout("tcp", addr, time.Second)
	if err != nil {
		return nil, err
	}
	c.SetDeadline(time.Now().Add(time.Minute))
	return &early{raw: c}, nil
}

func (e *early) greetOk() error {
	_, err := e.raw.Read(make([]byte, 1))
	return err
}

// Another method of the struct does.
type armedLater struct{ raw net.Conn }

func connectLater(addr string) (*armedLater, error) {
	c, err := net.DialTimeout("tcp", addr, time.Second)
	if err != nil {
		return nil, err
	}
	p := &armedLater{raw: c}
	p.limit(time.Minute)
	return p, p.greetOk()
}

func (p *armedLater) limit(d time.Duration) { p.raw.SetReadDeadline(time.Now().Add(d)) }

func (p *armedLater) greetOk() error {
	_, err := p.raw.Read(make([]byte, 1))
	return err
}

// A helper that is given the connection does.
type helped struct{ raw net.Conn }

func (h *helped) greetOk() error {
	limit(h.raw)
	_, err := h.raw.Read(make([]byte, 1))
	return err
}

func dialHelped(addr string) (*helped, error) {
	c, err := net.DialTimeout("tcp", addr, time.Second)
	if err != nil {
		return nil, err
	}
	return &helped{raw: c}, nil
}

// A goroutine closes it when a context ends.
type watched struct{ raw net.Conn }

func dialWatched(ctx context.Context, addr string) (*watched, error) {
	c, err := net.DialTimeout("tcp", addr, time.Second)
	if err != nil {
		return nil, err
	}
	w := &watched{raw: c}
	go w.guard(ctx)
	return w, nil
}

func (w *watched) guard(ctx context.Context) {
	<-ctx.Done()
	w.Close()
}

func (w *watched) Close() { w.raw.Close() }

func (w *watched) askOk() error {
	io.WriteString(w.raw, "?")
	_, err := w.raw.Read(make([]byte, 1))
	return err
}

// Others get it, and may set a deadline.
type shared struct{ raw net.Conn }

func dialShared(addr string) (*shared, error) {
	c, err := net.DialTimeout("tcp", addr, time.Second)
	if err != nil {
		return nil, err
	}
	return &shared{raw: c}, nil
}

func (s *shared) Conn() net.Conn { return s.raw }

func (s *shared) askOk() error {
	io.WriteString(s.raw, "?")
	_, err := s.raw.Read(make([]byte, 1))
	return err
}

// Anybody gives it one, with or without a deadline.
type brought struct{ raw net.Conn }

func NewBrought(c net.Conn) *brought { return &brought{raw: c} }

func (b *brought) AskOk() error {
	io.WriteString(b.raw, "?")
	_, err := b.raw.Read(make([]byte, 1))
	return err
}

// A session lasts as long as its peer has something to say.
type chat struct{ raw net.Conn }

func chats(l net.Listener) error {
	for {
		c, err := l.Accept()
		if err != nil {
			return err
		}
		go (&chat{raw: c}).serve()
	}
}

func (s *chat) serve() {
	defer s.raw.Close()
	for s.stepOk() == nil {
	}
}

func (s *chat) stepOk() error {
	line, err := bufio.NewReader(s.raw).ReadString('\n')
	if err == nil {
		io.WriteString(s.raw, line)
	}
	return err
}

// The deadline is set before the connection goes through the channel.
func queuedOk(l net.Listener) error {
	conns := make(chan net.Conn)
	go func() {
		for c := range conns {
			c.Read(make([]byte, 1))
			c.Close()
		}
	}()
	for {
		c, err := l.Accept()
		if err != nil {
			return err
		}
		c.SetDeadline(time.Now().Add(time.Minute))
		conns <- c
	}
}

// The worker sets it.
func workerOk(l net.Listener, conns chan net.Conn) error {
	go func() {
		for c := range conns {
			limit(c)
			c.Read(make([]byte, 1))
			c.Close()
		}
	}()
	c, err := l.Accept()
	if err != nil {
		return err
	}
	conns <- c
	return nil
}

// Who sends on the channel is not to be seen.
func FromOutsideOk(conns <-chan net.Conn) {
	for c := range conns {
		c.Read(make([]byte, 1))
	}
}

// The deadline is set on the connection, what is read is behind a reader of it.
type patientClient struct {
	link  net.Conn
	lines *bufio.Reader
}

func dialPatient(addr string) (*patientClient, error) {
	c, err := net.DialTimeout("tcp", addr, time.Second)
	if err != nil {
		return nil, err
	}
	return &patientClient{link: c, lines: bufio.NewReader(c)}, nil
}

func (p *patientClient) GetOk(key string) (string, error) {
	p.link.SetDeadline(time.Now().Add(time.Second))
	io.WriteString(p.link, "get "+key+"\n")
	return p.lines.ReadString('\n')
}

// Only the reader is kept, and the constructor has set the deadline.
type greeted struct{ lines *bufio.Reader }

func dialGreeted(addr string) (*greeted, error) {
	c, err := net.DialTimeout("tcp", addr, time.Second)
	if err != nil {
		return nil, err
	}
	c.SetReadDeadline(time.Now().Add(time.Minute))
	return &greeted{lines: bufio.NewReader(c)}, nil
}

func (g *greeted) lineOk() (string, error) { return g.lines.ReadString('\n') }

// What is behind the reader may be anything.
type parser struct{ lines *bufio.Reader }

func newParser(r io.Reader) *parser { return &parser{lines: bufio.NewReader(r)} }

func (p *parser) nextOk() (string, error) { return p.lines.ReadString('\n') }
