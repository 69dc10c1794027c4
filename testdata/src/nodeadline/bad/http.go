// Package bad has what a maintainer would fix. Functions that end in Bad are
// reported, those that end in Ok are not.
package bad

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

func getBad(url string) (*http.Response, error) {
	return http.Get(url) // want `http\.Get has no deadline: neither the request's context nor the client limits it.*\[nodeadline/http-client\]`
}

func postBad(url string) (*http.Response, error) {
	return http.Post(url, "text/plain", strings.NewReader("x")) // want `http\.Post has no deadline.*\[nodeadline/http-client\]`
}

func emptyClientBad(url string) (*http.Response, error) {
	c := &http.Client{}
	return c.Get(url) // want `\(\*http\.Client\)\.Get has no deadline.*\[nodeadline/http-client\]`
}

func zeroClientBad(url string) (*http.Response, error) {
	var c http.Client
	return c.Head(url) // want `http-client`
}

func defaultClientBad(url string) (*http.Response, error) {
	req, err := http.NewRequest("GET", url, nil)
	if err != nil {
		return nil, err
	}
	return http.DefaultClient.Do(req) // want `\(\*http\.Client\)\.Do has no deadline.*http-client`
}

// The context is there, the deadline is not.
func letterBad(url string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(context.Background(), "GET", url, nil)
	if err != nil {
		return nil, err
	}
	return http.DefaultClient.Do(req) // want `http-client`
}

// WithoutCancel takes the deadline away, too.
func detachedBad(ctx context.Context, url string) error {
	req, err := http.NewRequestWithContext(context.WithoutCancel(ctx), "GET", url, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req) // want `http-client`
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func withContextBad(url string) error {
	req, err := http.NewRequest("GET", url, nil)
	if err != nil {
		return err
	}
	req = req.WithContext(context.WithValue(context.TODO(), key{}, 1))
	resp, err := http.DefaultClient.Do(req) // want `http-client`
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

type key struct{}

var shared = &http.Client{Transport: &http.Transport{MaxIdleConns: 10}}

func sharedBad(url string) (*http.Response, error) {
	return shared.Get(url) // want `http-client`
}

// The client is in a field, the constructor in another file.
func (a *api) fetchBad(url string) (*http.Response, error) {
	return a.client.Get(url) // want `http-client`
}

// The client is the struct's own.
type embedding struct {
	*http.Client
	base string
}

func newEmbedding() *embedding { return &embedding{Client: new(http.Client), base: "http://peer"} }

func (e *embedding) fetchBad() (*http.Response, error) {
	return e.Get(e.base) // want `http-client`
}

// A struct by value that nobody sets up.
type byValue struct{ client http.Client }

func (b *byValue) fetchBad(url string) (*http.Response, error) {
	return b.client.Get(url) // want `http-client`
}

// The timeout is set to nothing.
func zeroTimeoutBad(url string) (*http.Response, error) {
	c := http.Client{Timeout: 0}
	return c.Get(url) // want `http-client`
}

// Limits of the phases, but not of the wait for the answer.
func phasesBad(url string) (*http.Response, error) {
	c := &http.Client{Transport: &http.Transport{
		DialContext:         (&net.Dialer{Timeout: time.Second}).DialContext,
		TLSHandshakeTimeout: time.Second,
	}}
	return c.Get(url) // want `http-client`
}

// What is not limited is decided at the caller.
func fetch(ctx context.Context, url string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, "GET", url, nil)
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	return io.ReadAll(resp.Body)
}

func callerBad(url string) ([]byte, error) {
	return fetch(context.Background(), url) // want `a context that never ends reaches \(\*http\.Client\)\.Do via fetch.*\[nodeadline/ctx-none\]`
}

func get(c *http.Client, url string) error {
	resp, err := c.Get(url)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func clientOfCallerBad(url string) error {
	return get(http.DefaultClient, url) // want `ctx-none`
}

// A method value is the method.
func methodValueBad(url string) error {
	do := http.DefaultClient.Get
	resp, err := do(url) // want `http-client`
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// In a loop, and in a goroutine.
func allBad(urls []string) error {
	errs := make(chan error, len(urls))
	for _, u := range urls {
		go func() {
			_, err := http.Get(u) // want `http-client`
			errs <- err
		}()
	}
	var all error
	for range urls {
		all = errors.Join(all, <-errs)
	}
	return all
}

func serveBad(h http.Handler) error {
	return http.ListenAndServe(":8080", h) // want `http\.ListenAndServe serves without ReadHeaderTimeout or ReadTimeout.*\[nodeadline/http-server\]`
}

func serveTLSBad(h http.Handler) error {
	srv := &http.Server{Addr: ":8443", Handler: h, WriteTimeout: time.Minute}
	return srv.ListenAndServeTLS("cert", "key") // want `\(\*http\.Server\)\.ListenAndServeTLS serves without.*http-server`
}

type daemon struct{ srv *http.Server }

func newDaemon(h http.Handler) *daemon {
	return &daemon{srv: &http.Server{Handler: h}}
}

func (d *daemon) runBad(l net.Listener) error {
	return d.srv.Serve(l) // want `http-server`
}

func stopBad(srv *http.Server) error {
	return srv.Shutdown(context.Background()) // want `\(\*http\.Server\)\.Shutdown waits for the last connection or task, however long that takes: its context never ends \[nodeadline/shutdown\]`
}

// Shutdown in the goroutine that waits for the signal, and is waited for.
func signalBad(srv *http.Server, signals chan struct{}) {
	idle := make(chan struct{})
	go func() {
		<-signals
		srv.Shutdown(context.TODO()) // want `shutdown`
		close(idle)
	}()
	srv.ListenAndServe()
	<-idle
}

func stop(ctx context.Context, srv *http.Server) error { return srv.Shutdown(ctx) }

func stopHelperBad(srv *http.Server) error {
	return stop(context.Background(), srv) // want `\(\*http\.Server\)\.Shutdown via stop waits.*shutdown`
}

// The client is behind an interface of the package.
type doer interface {
	Do(*http.Request) (*http.Response, error)
}

type feed struct {
	doer doer
	url  string
}

func newFeed(url string) *feed { return &feed{doer: http.DefaultClient, url: url} }

func (f *feed) pollBad() error {
	req, err := http.NewRequest("GET", f.url, nil)
	if err != nil {
		return err
	}
	resp, err := f.doer.Do(req) // want `http-client`
	if err != nil {
		return err
	}
	return resp.Body.Close()
}
