// Package ok has what is right, or what nothing is known of: it is silent in both
// tiers.
package ok

import (
	"bufio"
	"context"
	"flag"
	"io"
	"net"
	"net/http"
	"time"
)

func clientTimeoutOk(url string) (*http.Response, error) {
	c := &http.Client{Timeout: 10 * time.Second}
	return c.Get(url)
}

// The client has none, the request has.
func requestTimeoutOk(ctx context.Context, url string) error {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, "GET", url, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

var limited = &http.Client{Timeout: time.Minute}

// The request has none, the client has.
func backgroundOk(url string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(context.Background(), "GET", url, nil)
	if err != nil {
		return nil, err
	}
	return limited.Do(req)
}

func laterOk(url string, limit time.Duration) (*http.Response, error) {
	c := &http.Client{}
	c.Timeout = limit
	return c.Get(url)
}

// The timeout is set by a helper.
func setUp(c *http.Client) { c.Timeout = time.Second }

func helperOk(url string) (*http.Response, error) {
	c := &http.Client{}
	setUp(c)
	return c.Get(url)
}

// Functional options may set it.
type option func(*http.Client)

func optionsOk(url string, opts ...option) (*http.Response, error) {
	c := &http.Client{}
	for _, o := range opts {
		o(c)
	}
	return c.Get(url)
}

type api struct {
	client *http.Client
	base   string
}

type apiOption func(*api)

func withTimeout(d time.Duration) apiOption { return func(a *api) { a.client.Timeout = d } }

func newAPI(base string, opts ...apiOption) *api {
	a := &api{client: &http.Client{}, base: base}
	for _, o := range opts {
		o(a)
	}
	return a
}

func (a *api) fetchOk() (*http.Response, error) { return a.client.Get(a.base) }

// Whoever calls may give another client.
type given struct{ client *http.Client }

func newGiven(c *http.Client) *given {
	if c == nil {
		c = http.DefaultClient
	}
	return &given{client: c}
}

func (g *given) fetchOk(url string) (*http.Response, error) { return g.client.Get(url) }

// The field is exported: anybody may set it.
type Public struct{ Client *http.Client }

func (p *Public) FetchOk(url string) (*http.Response, error) { return p.Client.Get(url) }

// The flag sets it.
type flagged struct{ client http.Client }

func (f *flagged) flags(set *flag.FlagSet) {
	set.DurationVar(&f.client.Timeout, "timeout", time.Second, "limit")
}

func (f *flagged) fetchOk(url string) (*http.Response, error) { return f.client.Get(url) }

// A transport that nothing is known of.
type limiting struct{ next http.RoundTripper }

func (l limiting) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithTimeout(r.Context(), time.Second)
	defer cancel()
	return l.next.RoundTrip(r.WithContext(ctx))
}

func transportOk(url string) (*http.Response, error) {
	c := &http.Client{Transport: limiting{http.DefaultTransport}}
	return c.Get(url)
}

// A stream: the phases have limits, the body has none.
func streamOk(url string) (*http.Response, error) {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.ResponseHeaderTimeout = 10 * time.Second
	c := &http.Client{Transport: t}
	return c.Get(url)
}

// Request contexts of a server are not known.
func handlerOk(w http.ResponseWriter, r *http.Request) {
	req, err := http.NewRequestWithContext(r.Context(), "GET", "http://peer", nil)
	if err != nil {
		return
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return
	}
	defer resp.Body.Close()
	io.Copy(w, resp.Body)
}

// One of two is not known.
func branchOk(ctx context.Context, url string) error {
	if ctx == nil {
		ctx = context.Background()
	}
	req, err := http.NewRequestWithContext(ctx, "GET", url, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func serverOk(h http.Handler) error {
	srv := &http.Server{Handler: h, ReadHeaderTimeout: time.Second}
	return srv.ListenAndServe()
}

func newServer(h http.Handler) *http.Server { return &http.Server{Handler: h} }

// The timeouts come later, and somewhere else.
func serverLaterOk(h http.Handler, limit time.Duration) error {
	srv := newServer(h)
	srv.ReadTimeout = limit
	return srv.ListenAndServe()
}

type daemon struct{ srv *http.Server }

func (d *daemon) setUp(limit time.Duration) { d.srv.ReadHeaderTimeout = limit }

func (d *daemon) runOk(h http.Handler) error {
	d.srv = &http.Server{Handler: h}
	d.setUp(time.Second)
	return d.srv.ListenAndServe()
}

func shutdownOk(srv *http.Server) error {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	return srv.Shutdown(ctx)
}

func fetch(ctx context.Context, url string) error {
	req, err := http.NewRequestWithContext(ctx, "GET", url, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func callerOk(url string) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	return fetch(ctx, url)
}

func watchOk(ctx context.Context, c *http.Client, url string, line func(string)) error {
	req, err := http.NewRequestWithContext(ctx, "GET", url, nil)
	if err != nil {
		return err
	}
	resp, err := c.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	for sc := bufio.NewScanner(resp.Body); sc.Scan(); {
		line(sc.Text())
	}
	return nil
}

var dialer = net.Dialer{Timeout: time.Second}

var conn = func(addr string) (net.Conn, error) { return dialer.Dial("tcp", addr) }

func packageDialerOk(addr string) (net.Conn, error) { return conn(addr) }

func socketOk() (net.Conn, error) { return net.Dial("unix", "/run/peer.sock") }

func datagramOk(addr string) (net.Conn, error) { return net.Dial("udp", addr) }
