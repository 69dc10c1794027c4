// Package grouped has statements without contexts, which its callers have: that is one finding.
package grouped

import (
	"context"
	"database/sql"
)

type store struct{ db *sql.DB }

func (s *store) pruneBad() error {
	_, err := s.db.Exec("delete from t") // want `\(\*sql\.DB\)\.Exec has no context.*and 1 more statements without one in the package`
	return err
}

func (s *store) count(tx *sql.Tx) (n int, err error) {
	err = tx.QueryRow("select count(*) from t").Scan(&n)
	return n, err
}

// It says so in other words, and one by one.
func (s *store) allBad(query string) (*sql.Rows, error) {
	return s.db.QueryContext(context.Background(), query) // want `ctx-none`
}

// They have a context, and drop it.
func (s *store) sweep(ctx context.Context, tx *sql.Tx) error {
	if _, err := s.count(tx); err != nil {
		return err
	}
	return s.pruneBad()
}
