// Package dep is two packages away from its user.
package dep

import (
	"context"
	"database/sql"
	"io"
	"net"
	"net/http"
	"time"
)

// Store has the statements.
type Store struct{ db *sql.DB }

// New returns a store.
func New(db *sql.DB) *Store { return &Store{db: db} }

// Save needs the deadline of its context.
func (s *Store) Save(ctx context.Context) error {
	_, err := s.db.ExecContext(ctx, "insert into t values (1)")
	return err
}

// SaveSoon brings its own.
func (s *Store) SaveSoon(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	return s.Save(ctx)
}

// Client returns a client without a limit.
func Client() *http.Client { return &http.Client{} }

// LimitedClient returns one with a limit.
func LimitedClient() *http.Client { return &http.Client{Timeout: time.Second} }

// Detached ends never.
func Detached(context.Context) context.Context { return context.Background() }

// Short ends soon.
func Short() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), time.Second)
}

// Hello reads without a deadline.
func Hello(r io.Reader) error {
	_, err := io.ReadFull(r, make([]byte, 4))
	return err
}

// Greet sets a deadline by a helper, and reads.
func Greet(c net.Conn) error {
	limit(c)
	return Hello(c)
}

func limit(c net.Conn) { c.SetReadDeadline(time.Now().Add(time.Second)) }

// Open gives a connection that has a deadline.
func Open(addr string) (net.Conn, error) {
	c, err := net.DialTimeout("tcp", addr, time.Second)
	if err != nil {
		return nil, err
	}
	limit(c)
	return c, nil
}

type agent struct {
	base http.RoundTripper
	name string
}

func (a *agent) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	req.Header.Set("User-Agent", a.name)
	return a.base.RoundTrip(req)
}

// Transport says who asks.
func Transport(name string) http.RoundTripper {
	return &agent{base: http.DefaultTransport, name: name}
}

// LimitedTransport does not wait for ever for the header of an answer.
func LimitedTransport(name string) http.RoundTripper {
	return &agent{base: &http.Transport{ResponseHeaderTimeout: time.Second}, name: name}
}
