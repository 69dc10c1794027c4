// Package sqlite has a database that is a file: who waits for the lock waits for
// the disk, and for nobody else.
package sqlite

import (
	"context"
	"database/sql"
	"sync"
	"time"

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

// A Store is for packages that do not see the driver.
type Store struct{ db *sql.DB }

// Vacuum rewrites the file.
func (s *Store) Vacuum(ctx context.Context) error {
	_, err := s.db.ExecContext(ctx, "vacuum")
	return err
}

// A copy steps through the file, and sleeps between two steps.
func (s *Store) copyAudit(ctx context.Context, step func(*sql.Conn) bool) error {
	conn, err := s.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	for !step(conn) {
		time.Sleep(50 * time.Millisecond) // want `connection conn .* is held across a sleep`
	}
	return nil
}
