// Package supply buys what is running out.
package supply

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"
)

// A Delivery is goods that have come.
type Delivery struct {
	SKU      string `json:"sku"`
	Quantity int    `json:"quantity"`
}

// A Buyer keeps the list of what is short, and orders it once an hour.
type Buyer struct {
	url        string
	client     *http.Client
	short      chan string
	deliveries chan Delivery
}

// NewBuyer returns a buyer who orders at the given address.
func NewBuyer(url string, client *http.Client) *Buyer {
	return &Buyer{url: url, client: client, short: make(chan string), deliveries: make(chan Delivery)}
}

// Short says that an article is running out.
func (b *Buyer) Short(ctx context.Context, sku string) error {
	select {
	case b.short <- sku:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Delivered says that goods have come.
func (b *Buyer) Delivered(ctx context.Context, d Delivery) error {
	select {
	case b.deliveries <- d:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Run does the work of the buyer until ctx ends.
func (b *Buyer) Run(ctx context.Context) error {
	missing := make(map[string]bool)
	hourly := time.NewTicker(time.Hour)
	defer hourly.Stop()
	ordered := make(chan struct{}, 1)
	ordering := false
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case sku := <-b.short:
			missing[sku] = true
		case d := <-b.deliveries:
			delete(missing, d.SKU)
		case <-ordered:
			ordering = false
		case <-hourly.C:
			if !ordering { // one at a time: a slow supplier gets no second list
				ordering = true
				go func(list []string) {
					b.orderAll(ctx, list)
					ordered <- struct{}{}
				}(slices.Sorted(maps.Keys(missing)))
			}
		}
	}
}

// orderAll orders what it can. The rest is tried again in an hour.
func (b *Buyer) orderAll(ctx context.Context, list []string) {
	for _, sku := range list {
		if err := b.order(ctx, sku); err != nil {
			continue
		}
	}
}

// order asks the supplier for more of an article.
func (b *Buyer) order(ctx context.Context, sku string) error {
	body, err := json.Marshal(Delivery{SKU: sku, Quantity: 100})
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, b.url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	resp, err := b.client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusAccepted {
		return fmt.Errorf("ordering %s: %s", sku, resp.Status)
	}
	return nil
}
