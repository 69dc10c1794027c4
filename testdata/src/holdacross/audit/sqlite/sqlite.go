// Package sqlite has a database that is a file: who waits for the lock waits for
// the disk, and for nobody else.
package sqlite

import (
	"context"
	"database/sql"
	"sync"

	_ "modernc.org/sqlite"
)

type store struct {
	mu   sync.Mutex
	db   *sql.DB
	seen map[string]int
}

func (s *store) pruneAudit(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen = nil
	_, err := s.db.ExecContext(ctx, "delete from t") // want `s\.mu .* is held across a database call`
	return err
}

func (s *store) see(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen[k]++
}
