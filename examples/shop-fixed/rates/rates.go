// Package rates asks a bank for exchange rates.
package rates

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"time"
)

// A Client asks one bank.
type Client struct {
	base string
	http *http.Client
}

// New returns a client of the bank at base.
func New(base string) *Client {
	return &Client{base: base, http: &http.Client{Timeout: 10 * time.Second}}
}

// Refresh returns the rates of the currencies. It is run once an hour.
func (c *Client) Refresh(ctx context.Context, currencies []string) (map[string]float64, error) {
	rates := make(map[string]float64, len(currencies))
	for _, currency := range currencies {
		rate, err := c.rate(ctx, currency)
		if err != nil {
			return nil, err
		}
		rates[currency] = rate
	}
	return rates, nil
}

func (c *Client) rate(ctx context.Context, currency string) (rate float64, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base+"/rates/"+url.PathEscape(currency), nil)
	if err != nil {
		return 0, err
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return 0, fmt.Errorf("rate of %s: %s", currency, resp.Status)
	}
	err = json.NewDecoder(resp.Body).Decode(&rate)
	return rate, err
}
