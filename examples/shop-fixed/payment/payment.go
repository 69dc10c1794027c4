// Package payment talks to the payment provider.
package payment

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"
)

// A Client is one account at the provider.
type Client struct {
	base  string
	token string
	http  *http.Client
}

// New returns a client of the provider at the address base.
func New(base, token string) *Client {
	return &Client{base: base, token: token, http: &http.Client{Timeout: 10 * time.Second}}
}

type charge struct {
	Order int64 `json:"order"`
	Cents int64 `json:"cents"`
}

type receipt struct {
	ID    string `json:"id"`
	State string `json:"state"`
}

// Charge collects the amount and returns the number of the receipt. It is safe
// to repeat: the provider knows the order by its number.
func (c *Client) Charge(ctx context.Context, order, cents int64) (string, error) {
	var r receipt
	key := fmt.Sprintf("order-%d", order)
	if err := c.call(ctx, http.MethodPost, "/charges", key, charge{order, cents}, &r); err != nil {
		return "", fmt.Errorf("charge order %d: %w", order, err)
	}
	return r.ID, nil
}

// Refund pays the amount of a receipt back.
func (c *Client) Refund(ctx context.Context, id string) error {
	var r receipt
	if err := c.call(ctx, http.MethodPost, "/refunds/"+url.PathEscape(id), "refund-"+id, nil, &r); err != nil {
		return fmt.Errorf("refund %s: %w", id, err)
	}
	return nil
}

// Settled reports whether the money of a receipt has arrived.
func (c *Client) Settled(ctx context.Context, id string) (bool, error) {
	var r receipt
	if err := c.call(ctx, http.MethodGet, "/receipts/"+url.PathEscape(id), "", nil, &r); err != nil {
		return false, fmt.Errorf("receipt %s: %w", id, err)
	}
	return r.State == "settled", nil
}

// call sends one request. A key makes it safe to repeat.
func (c *Client) call(ctx context.Context, method, path, key string, in, out any) error {
	body, err := json.Marshal(in)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, method, c.base+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+c.token)
	req.Header.Set("Content-Type", "application/json")
	if key != "" {
		req.Header.Set("Idempotency-Key", key)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s %s: %s", method, path, resp.Status)
	}
	return json.NewDecoder(io.LimitReader(resp.Body, 1<<20)).Decode(out)
}
