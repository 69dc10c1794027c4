package audit

import (
	"context"
	"database/sql"
	"sync"
)

// A read lock that keeps a database from being replaced while it is used: who
// takes it for writing does nothing else.
type swappable struct {
	mu sync.RWMutex
	db *sql.DB
}

func (s *swappable) queryAudit(ctx context.Context) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	_, err := s.db.ExecContext(ctx, "update t set n = n + 1") // want `s\.mu .* is held across a database call.*holdacross/lock-blocking`
	return err
}

func (s *swappable) swap(db *sql.DB) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.db.Close()
	s.db = db
}
