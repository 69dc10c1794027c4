// Package use has the contexts.
package use

import (
	"context"
	"net"
	"net/http"

	"nodeadline/crosspkg/dep"
	"nodeadline/crosspkg/mid"
)

func orderBad(s *mid.Service) error {
	return s.Order(context.Background()) // want `reaches \(\*sql\.DB\)\.ExecContext via \(\*mid\.Service\)\.Order, \(\*dep\.Store\)\.Save.*ctx-none`
}

func orderOk(s *mid.Service) error { return s.OrderSoon(context.Background()) }

func orderShortOk(s *mid.Service) error {
	ctx, cancel := dep.Short()
	defer cancel()
	return s.Order(ctx)
}

func detachedBad(ctx context.Context, s *mid.Service) error {
	return s.Order(dep.Detached(ctx)) // want `ctx-none`
}

type api struct{ client *http.Client }

func newAPI() *api { return &api{client: dep.Client()} }

func (a *api) getBad(url string) (*http.Response, error) {
	return a.client.Get(url) // want `http-client`
}

func getOk(url string) (*http.Response, error) { return dep.LimitedClient().Get(url) }

// Accepted connections go to functions of another package.
func helloBad(l net.Listener) error {
	c, err := l.Accept()
	if err != nil {
		return err
	}
	return dep.Hello(c) // want `io\.ReadFull via dep\.Hello waits on a connection that was just accepted.*conn-io`
}

func greetOk(l net.Listener) error {
	c, err := l.Accept()
	if err != nil {
		return err
	}
	return dep.Greet(c)
}

func openedOk(addr string) error {
	c, err := dep.Open(addr)
	if err != nil {
		return err
	}
	defer c.Close()
	return dep.Hello(c)
}

func transportBad(url string) (*http.Response, error) {
	c := &http.Client{Transport: dep.Transport("use")}
	return c.Get(url) // want `http-client`
}

func transportOk(url string) (*http.Response, error) {
	c := &http.Client{Transport: dep.LimitedTransport("use")}
	return c.Get(url)
}
