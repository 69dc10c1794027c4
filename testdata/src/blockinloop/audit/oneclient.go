package audit

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"time"
)

var errRefused = errors.New("refused")

type session struct {
	actions chan string
	join    func(string) error
}

// Who gives a wrong password waits, and nobody else is served by this loop. That
// of a connection has one client in any case.
func (s *session) serve(read <-chan string) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case m := <-read:
			s.handle(m) // want `a sleep .* in an event loop`
		case <-s.actions:
		case <-tick.C:
		}
	}
}

func (s *session) handle(m string) {
	if err := s.join(m); errors.Is(err, errRefused) {
		time.Sleep(200 * time.Millisecond)
	}
}

func (s *session) pump(c net.Conn, read <-chan string) {
	for {
		select {
		case m := <-read:
			http.Get(m) // want `an outbound call .* in an event loop`
		case a := <-s.actions:
			println(c, a)
		}
	}
}

// It tries again as often as its list says, and looks at the stop each time.
func Schedule(ctx context.Context, try func() error) error {
	for _, backoff := range []time.Duration{0, 10, 100} {
		select {
		case <-ctx.Done():
			return ctx.Err()
		default:
		}
		time.Sleep(backoff * time.Second) // want `a sleep .* in a loop that ends with ctx\.Done\(\)`
		if try() == nil {
			return nil
		}
	}
	return errRefused
}

// An operator says how long a peer may take.
type timedListener struct {
	net.Listener
	limit time.Duration
}

func (l *timedListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return c, readHeader(c, l.limit) // want `an outbound call .* in an accept loop`
}

func readHeader(c net.Conn, limit time.Duration) error {
	c.SetDeadline(time.Now().Add(limit))
	_, err := io.ReadFull(c, make([]byte, 16))
	return err
}

// What is late are errors, of which there are few.
func Watch(changes <-chan string, errs <-chan error, reload func(string)) {
	for {
		select {
		case f := <-changes:
			time.Sleep(100 * time.Millisecond) // want `a sleep .* in an event loop`
			reload(f)
		case err := <-errs:
			println(err)
		}
	}
}

// It looks a hundred times at most.
func Settled(ctx context.Context, interval time.Duration, list func() []string) (found []string) {
	before := 0
	for range 100 {
		select {
		case <-ctx.Done():
			return nil
		default:
		}
		if found = list(); len(found) > 0 && len(found) == before {
			break
		}
		before = len(found)
		time.Sleep(interval) // want `a sleep .* in a loop that ends with ctx\.Done\(\)`
	}
	return found
}
