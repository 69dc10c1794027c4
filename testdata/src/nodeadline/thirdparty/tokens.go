package thirdparty

import (
	"context"
	"net/http"
	"time"

	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	"golang.org/x/oauth2"
)

type signIn struct{ conf *oauth2.Config }

// A token is asked for by http.DefaultClient unless the context brings another one.
func (s *signIn) exchangeBad(w http.ResponseWriter, r *http.Request) {
	token, err := s.conf.Exchange(context.Background(), r.FormValue("code")) // want `\(\*oauth2\.Config\)\.Exchange has no deadline.*http-client`
	if err != nil || !token.Valid() {
		http.Error(w, "code", http.StatusForbidden)
	}
}

func (s *signIn) exchangeOk(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), time.Second)
	defer cancel()
	if _, err := s.conf.Exchange(ctx, r.FormValue("code")); err != nil {
		http.Error(w, "code", http.StatusForbidden)
	}
}

func (s *signIn) ownClientOk(code string) (*oauth2.Token, error) {
	ctx := context.WithValue(context.Background(), oauth2.HTTPClient, &http.Client{Timeout: time.Second})
	return s.conf.Exchange(ctx, code)
}

func (s *signIn) ownClientBad(code string) (*oauth2.Token, error) {
	ctx := context.WithValue(context.Background(), oauth2.HTTPClient, &http.Client{})
	return s.conf.Exchange(ctx, code) // want `http-client`
}

// The client that is made has the limits of the one in the context.
func (s *signIn) profileBad(token *oauth2.Token) error {
	resp, err := s.conf.Client(context.Background(), token).Get("https://example.org/me") // want `http-client`
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func (s *signIn) profileOk(token *oauth2.Token) error {
	ctx := context.WithValue(context.Background(), oauth2.HTTPClient, &http.Client{Timeout: time.Second})
	resp, err := s.conf.Client(ctx, token).Get("https://example.org/me")
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// A value that is no client changes nothing.
func (s *signIn) valueBad(code string) (*oauth2.Token, error) {
	return s.conf.Exchange(context.WithValue(context.Background(), key{}, code), code) // want `http-client`
}

type key struct{}

// The transport hands on what it is given.
var traced = &http.Client{Transport: otelhttp.NewTransport(http.DefaultTransport)}

func tracedBad(url string) (*http.Response, error) {
	return traced.Get(url) // want `http-client`
}

var tracedLimited = &http.Client{Transport: otelhttp.NewTransport(&http.Transport{ResponseHeaderTimeout: time.Second})}

func tracedOk(url string) (*http.Response, error) {
	return tracedLimited.Get(url)
}
