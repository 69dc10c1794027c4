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

// A named function with a transaction parameter owns its findings, so the call
// that hands it to a runner of transactions has none of its own. The engine
// knows that of a call, but not yet of a callback, and says it twice.
func (s *store) FP_namedCallback() error {
	return s.withTx(insertAndCall) // want `transaction tx .*via \(\*store\)\.withTx, insertAndCall.*holdacross/tx-outbound`
}

func insertAndCall(tx *sql.Tx) error {
	http.Get(peer) // want `transaction tx \(held by the caller\) .*holdacross/tx-outbound`
	return nil
}

// The same with a method value.
func (s *store) FP_methodValueCallback() error {
	return s.withTx(s.step) // want `transaction tx .*via \(\*store\)\.withTx, \(\*store\)\.step.*holdacross/tx-outbound`
}

func (s *store) step(tx *sql.Tx) error {
	http.Get(peer) // want `transaction tx \(held by the caller\) .*holdacross/tx-outbound`
	return nil
}

// A helper that lets go of the caller's lock around a callback. The summary says
// that it calls its parameter, and what it holds meanwhile, but not that a lock
// of its caller is free meanwhile.
func (c *cache) outside(f func()) {
	c.mu.Unlock()
	defer c.mu.Lock()
	f()
}

func (c *cache) FP_temporaryUnlockAroundCallback() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.outside(func() {
		http.Get(peer) // want `c\.mu .* is held across an outbound call`
	})
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
