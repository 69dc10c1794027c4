package ok

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"os/exec"
	"time"
)

// The dialer of a method value has a limit.
type connector struct {
	dial func(ctx context.Context, network, addr string) (net.Conn, error)
}

func newConnector() *connector {
	d := &net.Dialer{Timeout: time.Second}
	return &connector{dial: d.DialContext}
}

func (c *connector) openOk(addr string) (net.Conn, error) {
	return c.dial(context.Background(), "tcp", addr)
}

// One of two dialers has none.
type either struct {
	dial func(network, addr string) (net.Conn, error)
}

func newEither(slow bool) *either {
	if slow {
		return &either{dial: new(net.Dialer).Dial}
	}
	return &either{dial: (&net.Dialer{Timeout: time.Second}).Dial}
}

func (e *either) openOk(addr string) (net.Conn, error) { return e.dial("tcp", addr) }

// A wrapper round a transport with a limit.
type tagged struct {
	base http.RoundTripper
	tag  string
}

func (t *tagged) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	req.Header.Set("X-Tag", t.tag)
	return t.base.RoundTrip(req)
}

func taggedOk(url string) (*http.Response, error) {
	c := &http.Client{Transport: &tagged{base: &http.Transport{ResponseHeaderTimeout: time.Second}}}
	return c.Get(url)
}

// Whoever calls may give one with a limit.
func newTagged(base http.RoundTripper) http.RoundTripper { return &tagged{base: base} }

func givenBaseOk(url string, base http.RoundTripper) (*http.Response, error) {
	c := &http.Client{Transport: newTagged(base)}
	return c.Get(url)
}

// The wrapper stops waiting by itself.
type impatient struct{ base http.RoundTripper }

func (t *impatient) RoundTrip(req *http.Request) (*http.Response, error) {
	type answer struct {
		resp *http.Response
		err  error
	}
	done := make(chan answer, 1)
	go func() {
		resp, err := t.base.RoundTrip(req)
		done <- answer{resp, err}
	}()
	select {
	case a := <-done:
		return a.resp, a.err
	case <-time.After(time.Second):
		return nil, errors.New("too slow")
	}
}

func impatientOk(url string) (*http.Response, error) {
	c := &http.Client{Transport: &impatient{base: http.DefaultTransport}}
	return c.Get(url)
}

// One wrapper around another, and the inner one bounds.
func innerOk(url string) (*http.Response, error) {
	c := &http.Client{Transport: &tagged{base: limiting{http.DefaultTransport}}}
	return c.Get(url)
}

// The limit is put on in a helper.
type deadlines struct{ base http.RoundTripper }

func (d *deadlines) RoundTrip(req *http.Request) (*http.Response, error) {
	return d.base.RoundTrip(d.limit(req))
}

func (d *deadlines) limit(req *http.Request) *http.Request {
	ctx, cancel := context.WithTimeout(req.Context(), time.Second)
	context.AfterFunc(ctx, cancel)
	return req.WithContext(ctx)
}

func helperLimitOk(url string) (*http.Response, error) {
	c := &http.Client{Transport: &deadlines{base: http.DefaultTransport}}
	return c.Get(url)
}

// Answers without asking anybody.
type canned struct{ status int }

func (c canned) RoundTrip(req *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: c.status, Request: req}, nil
}

func cannedOk(url string) (*http.Response, error) {
	return (&http.Client{Transport: canned{http.StatusOK}}).Get(url)
}

// It asks by a client that has a limit.
type fallback struct {
	base  http.RoundTripper
	spare *http.Client
}

func (f *fallback) RoundTrip(req *http.Request) (*http.Response, error) {
	if resp, err := f.spare.Do(req); err == nil {
		return resp, nil
	}
	return f.base.RoundTrip(req)
}

func fallbackOk(url string) (*http.Response, error) {
	c := &http.Client{Transport: &fallback{base: http.DefaultTransport, spare: limited}}
	return c.Get(url)
}

// A wrapper with anything for a base, where anybody can set it.
type Exposed struct{ Base http.RoundTripper }

func (e *Exposed) RoundTrip(req *http.Request) (*http.Response, error) { return e.Base.RoundTrip(req) }

func exposedOk(url string, e *Exposed) (*http.Response, error) {
	return (&http.Client{Transport: e}).Get(url)
}

// A command from a literal is killed by a timer.
func literalKilledOk(path string, limit time.Duration) error {
	cmd := &exec.Cmd{Path: path}
	if err := cmd.Start(); err != nil {
		return err
	}
	t := time.AfterFunc(limit, func() { cmd.Process.Kill() })
	defer t.Stop()
	return cmd.Wait()
}

func literalWatchedOk(path string, quit chan struct{}) error {
	cmd := exec.Cmd{Path: path}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() {
		<-quit
		cmd.Process.Kill()
	}()
	io.Copy(io.Discard, out)
	return cmd.Wait()
}

// The shutdown has a limit, by whoever starts it.
func goShutdownOk(ctx context.Context, srv *http.Server) {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	context.AfterFunc(ctx, cancel)
	go srv.Shutdown(ctx)
}

func callerShutdownOk(ctx context.Context, srv *http.Server) { go srv.Shutdown(ctx) }

func closeOk(srv *http.Server) {
	go srv.Close()
	go log.Print("closed")
}
