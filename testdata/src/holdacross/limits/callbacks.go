// Package limits pins what holdacross gets wrong today. Functions that start
// with FP_ have a finding that nobody needs; functions that start with FN_
// should have one and have none. Each says why.
package limits

import (
	"database/sql"
	"net/http"
)

const peer = "http://peer.example"

type store struct{ db *sql.DB }

func (s *store) withTx(f func(*sql.Tx) error) error {
	tx, err := s.db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := f(tx); err != nil {
		return err
	}
	return tx.Commit()
}

// The send hands the transaction over, so what waits in it is no longer ours.
// It waits with the transaction in hand, though, and an unbuffered channel may
// keep it for long: a matter of opinion, decided for the finding.
func FP_sentTransaction(db *sql.DB, out chan<- *sql.Tx) {
	tx, err := db.Begin()
	if err != nil {
		return
	}
	out <- tx // want `transaction tx .* is held across a channel send`
	http.Get(peer)
}
