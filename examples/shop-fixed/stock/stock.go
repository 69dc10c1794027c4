// Package stock knows how many of each article the warehouse has.
package stock

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"time"
)

// MaxAge is how long a level is believed.
const MaxAge = 30 * time.Second

type level struct {
	quantity int
	read     time.Time
}

// A Cache keeps the levels that were asked for lately.
type Cache struct {
	warehouse string
	http      *http.Client

	mu     sync.Mutex
	levels map[string]level
}

// New returns an empty cache in front of the warehouse at the address given.
func New(warehouse string) *Cache {
	return &Cache{
		warehouse: warehouse,
		http:      &http.Client{Timeout: 5 * time.Second},
		levels:    make(map[string]level),
	}
}

// Level returns how many of an article are left.
func (c *Cache) Level(ctx context.Context, sku string) (int, error) {
	if l, ok := c.known(sku); ok && time.Since(l.read) < MaxAge {
		return l.quantity, nil
	}
	return c.refresh(ctx, sku)
}

func (c *Cache) known(sku string) (level, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	l, ok := c.levels[sku]
	return l, ok
}

// Take notes that some were sold, until the warehouse is asked again.
func (c *Cache) Take(sku string, quantity int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if l, ok := c.levels[sku]; ok {
		l.quantity -= quantity
		c.levels[sku] = l
	}
}

// refresh reads a level from the warehouse and keeps it.
func (c *Cache) refresh(ctx context.Context, sku string) (int, error) {
	quantity, err := c.ask(ctx, sku)
	if err != nil {
		return 0, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.levels[sku] = level{quantity: quantity, read: time.Now()}
	return quantity, nil
}

func (c *Cache) ask(ctx context.Context, sku string) (int, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.warehouse+"/levels/"+url.PathEscape(sku), nil)
	if err != nil {
		return 0, err
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return 0, fmt.Errorf("stock of %s: %w", sku, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return 0, fmt.Errorf("stock of %s: %s", sku, resp.Status)
	}
	var answer struct {
		Quantity int `json:"quantity"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil {
		return 0, fmt.Errorf("stock of %s: %w", sku, err)
	}
	return answer.Quantity, nil
}
