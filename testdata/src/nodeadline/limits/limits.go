// Package limits has known misses, with the reason of each.
package limits

import (
	"context"
	"net"
	"net/http"
	"time"
)

// Both the client and the request come from the caller. It would take both to
// say that nothing limits the call, and a summary can speak of one only.
func both(c *http.Client, req *http.Request) (*http.Response, error) { return c.Do(req) }

func bothMissed(url string) (*http.Response, error) {
	req, err := http.NewRequest("GET", url, nil)
	if err != nil {
		return nil, err
	}
	return both(http.DefaultClient, req)
}

// The zero value may be meant: a setting that is not constant counts as one, and
// what a configuration holds is not known.
func configuredMissed(url string, timeout time.Duration) (*http.Response, error) {
	return (&http.Client{Timeout: timeout}).Get(url)
}

// A callback gets a context from whoever calls it. That this one always gives
// Background is not followed into the literal.
func with(f func(context.Context) error) error { return f(context.Background()) }

func callbackMissed(url string) error {
	return with(func(ctx context.Context) error {
		req, err := http.NewRequestWithContext(ctx, "GET", url, nil)
		if err != nil {
			return err
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			return err
		}
		return resp.Body.Close()
	})
}

// Two timeouts that differ are one that is not known, and so is one with nothing:
// which branch runs is not decided here.
func branchMissed(url string, slow bool) (*http.Response, error) {
	c := &http.Client{Timeout: time.Second}
	if slow {
		c = &http.Client{}
	}
	return c.Get(url)
}

// A connection in an exported field may get its deadline anywhere.
type Peer struct{ Conn net.Conn }

func connect(addr string) (*Peer, error) {
	c, err := net.DialTimeout("tcp", addr, time.Second)
	if err != nil {
		return nil, err
	}
	return &Peer{Conn: c}, nil
}

func (p *Peer) greetingMissed() error {
	_, err := p.Conn.Read(make([]byte, 1))
	return err
}

// Somebody's main may have given the default client a timeout. If it is done in
// this package it counts; in another one it does not, and this is reported.
func defaultBad(url string) (*http.Response, error) {
	return http.Get(url) // want `http-client`
}
