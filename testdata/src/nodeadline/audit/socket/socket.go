// Package socket talks to a daemon of the same machine.
package socket

import (
	"context"
	"net"
	"net/http"
)

type client struct{ http *http.Client }

func open(path string) *client {
	return &client{&http.Client{Transport: &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			var d net.Dialer
			return d.DialContext(ctx, "unix", path)
		},
	}}}
}

func (c *client) Status() (*http.Response, error) {
	return c.http.Get("http://daemon/status") // want `http-client`
}

func (c *client) Stop(ctx context.Context) error {
	req, err := http.NewRequestWithContext(context.WithoutCancel(ctx), http.MethodPost, "http://daemon/stop", nil)
	if err != nil {
		return err
	}
	resp, err := c.http.Do(req) // want `http-client`
	if err != nil {
		return err
	}
	return resp.Body.Close()
}
