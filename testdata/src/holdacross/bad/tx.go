package bad

import (
	"context"
	"database/sql"
	"fmt"
	"net/http"
	"os/exec"
	"sync"
	"time"
)

// A transaction pins a connection from begin to commit.

func beginBad(db *sql.DB) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	http.Get(peer) // want `^transaction tx \(begun at line \d+\) is held across an outbound call \(http\.Get\); meanwhile its pool is one connection short.*\[holdacross/tx-outbound\]$`
	return tx.Commit()
}

func beginTxBad(ctx context.Context, db *sql.DB) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := exec.Command("convert", "a", "b").Run(); err != nil { // want `transaction tx .* is held across a wait for another process.*holdacross/tx-outbound`
		tx.Rollback()
		return err
	}
	return tx.Commit()
}

// The error branch is tested the other way round, and in an else.
func errorElseBad(db *sql.DB) {
	if tx, err := db.Begin(); err == nil {
		http.Get(peer) // want `transaction tx .*holdacross/tx-outbound`
		tx.Commit()
	} else {
		http.Get(peer)
	}
}

func txSleepBad(db *sql.DB) {
	tx, err := db.Begin()
	if err != nil {
		return
	}
	time.Sleep(time.Second) // want `transaction tx .* is held across a sleep of 1s.*holdacross/tx-outbound`
	tx.Commit()
}

func txWaitBad(db *sql.DB, results <-chan int) {
	tx, err := db.Begin()
	if err != nil {
		return
	}
	defer tx.Rollback()
	tx.Exec("insert into t values (?)", <-results) // want `transaction tx .* is held across a channel receive.*holdacross/tx-outbound`
}

// The retry sleeps while the transaction of this round is still open.
func txRetryBad(db *sql.DB) error {
	for range 3 {
		tx, err := db.Begin()
		if err != nil {
			return err
		}
		if _, err := tx.Exec("update t set n = n + 1"); err != nil {
			time.Sleep(time.Second) // want `transaction tx .* is held across a sleep.*holdacross/tx-outbound`
			tx.Rollback()
			continue
		}
		return tx.Commit()
	}
	return nil
}

// Rollback on one path only.
func txOnePathBad(db *sql.DB, dry bool) {
	tx, err := db.Begin()
	if err != nil {
		return
	}
	if dry {
		tx.Rollback()
		http.Get(peer)
		return
	}
	http.Get(peer) // want `transaction tx .*holdacross/tx-outbound`
	tx.Commit()
}

// Work of another pool does not end this one.
func txOtherCommitBad(a, b *sql.DB) {
	ta, err := a.Begin()
	if err != nil {
		return
	}
	tb, err := b.Begin()
	if err != nil {
		ta.Rollback()
		return
	}
	tb.Commit()
	http.Get(peer) // want `transaction ta .*holdacross/tx-outbound`
	ta.Commit()
}

// A transaction that is a parameter is held for the whole function, and the
// function owns the finding.
func withParameterBad(tx *sql.Tx) error {
	if _, err := tx.Exec("insert into t values (1)"); err != nil {
		return err
	}
	http.Get(peer) // want `transaction tx \(held by the caller\) is held across an outbound call.*holdacross/tx-outbound`
	return nil
}

// callerOk of it has no finding of its own.
func callerOk(db *sql.DB) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	return withParameterBad(tx)
}

// A helper that begins for its caller.
func open(db *sql.DB) (*sql.Tx, error) {
	tx, err := db.Begin()
	if err != nil {
		return nil, fmt.Errorf("begin: %w", err)
	}
	return tx, nil
}

func helperBeginsBad(db *sql.DB) error {
	tx, err := open(db)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	http.Get(peer) // want `transaction tx .*holdacross/tx-outbound`
	return tx.Commit()
}

// The functions that run a transaction for others.

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

func (s *store) literalBad() error {
	return s.withTx(func(tx *sql.Tx) error {
		http.Get(peer) // want `transaction tx .* is held across an outbound call.*holdacross/tx-outbound`
		return nil
	})
}

// The callback does not even use its transaction.
func (s *store) unusedParameterBad() error {
	return s.withTx(func(*sql.Tx) error {
		http.Get(peer) // want `holdacross/tx-outbound`
		return nil
	})
}

// A callback without the transaction still runs inside it.
func (s *store) inTx(f func() error) error {
	tx, err := s.db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := f(); err != nil {
		return err
	}
	return tx.Commit()
}

func (s *store) noArgumentBad() error {
	return s.inTx(func() error {
		http.Get(peer) // want `holdacross/tx-outbound`
		return nil
	})
}

// Through a second function that runs transactions.
func (s *store) withRetry(f func(*sql.Tx) error) error {
	for range 3 {
		if err := s.withTx(f); err == nil {
			return nil
		}
	}
	return s.withTx(f)
}

func (s *store) nestedRunnerBad() error {
	return s.withRetry(func(tx *sql.Tx) error {
		http.Get(peer) // want `transaction tx .*holdacross/tx-outbound`
		return nil
	})
}

// A lock is held while the callback runs.
func (h *hub) locked(f func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	f()
}

func (h *hub) callbackUnderLockBad() {
	h.locked(func() {
		http.Get(peer) // want `h\.mu .* is held across an outbound call.*holdacross/lock-blocking`
	})
}

func (h *hub) namedCallbackUnderLockBad() {
	h.locked(visit) // want `h\.mu .* is held across an outbound call.*holdacross/lock-blocking`
}

func visit() { http.Get(peer) }

// Once runs its function in place.
func (h *hub) onceBad(once *sync.Once) {
	h.mu.Lock()
	defer h.mu.Unlock()
	once.Do(func() {
		http.Get(peer) // want `h\.mu .*holdacross/lock-blocking`
	})
}
