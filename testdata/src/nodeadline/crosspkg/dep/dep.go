// Package dep is two packages away from its user.
package dep

import (
	"context"
	"database/sql"
	"net/http"
	"time"
)

// Store has the statements.
type Store struct{ db *sql.DB }

// New returns a store.
func New(db *sql.DB) *Store { return &Store{db: db} }

// Save needs the deadline of its context.
func (s *Store) Save(ctx context.Context) error {
	_, err := s.db.ExecContext(ctx, "insert into t values (1)")
	return err
}

// SaveSoon brings its own.
func (s *Store) SaveSoon(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	return s.Save(ctx)
}

// Client returns a client without a limit.
func Client() *http.Client { return &http.Client{} }

// LimitedClient returns one with a limit.
func LimitedClient() *http.Client { return &http.Client{Timeout: time.Second} }

// Detached ends never.
func Detached(context.Context) context.Context { return context.Background() }

// Short ends soon.
func Short() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), time.Second)
}
