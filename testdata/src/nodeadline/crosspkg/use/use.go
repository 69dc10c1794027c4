// Package use has the contexts.
package use

import (
	"context"
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
