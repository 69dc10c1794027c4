// Package sqliteuser uses a database that is a file through the package that
// opens it, and does not see the driver.
package sqliteuser

import (
	"context"
	"sync"

	"holdacross/audit/sqlite"
)

type cache struct {
	mu    sync.Mutex
	store *sqlite.Store
	seen  map[string]int
}

func (c *cache) dropAudit(ctx context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seen = nil
	return c.store.Vacuum(ctx) // want `c\.mu .* is held across a database call`
}

func (c *cache) see(k string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seen[k]++
}
