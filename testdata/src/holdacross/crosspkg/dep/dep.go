// Package dep is what package use imports: what its functions may do travels
// in facts.
package dep

import (
	"context"
	"database/sql"
	"iter"
	"net/http"
	"slices"
	"sync"
	"time"
)

const peer = "http://peer.example"

// Fetch calls a peer.
func Fetch() error { return fetch() }

func fetch() error {
	_, err := http.Get(peer)
	return err
}

// Pause sleeps.
func Pause() { time.Sleep(time.Second) }

// Quick does nothing that waits.
func Quick() int { return 1 }

// Background moves the call to a goroutine.
func Background() { go fetch() }

// A Store has a pool.
type Store struct {
	DB    *sql.DB
	mu    sync.Mutex
	names map[string]string
}

// New remembers the pool.
func New(db *sql.DB) *Store { return &Store{DB: db, names: map[string]string{}} }

// Name takes a connection.
func (s *Store) Name(id int) (name string) {
	s.DB.QueryRow("select name from t where id = ?", id).Scan(&name)
	return name
}

// Begin hands a transaction out.
func (s *Store) Begin(ctx context.Context) (*sql.Tx, error) { return s.DB.BeginTx(ctx, nil) }

// InTx runs f in a transaction.
func (s *Store) InTx(ctx context.Context, f func(*sql.Tx) error) error {
	tx, err := s.DB.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := f(tx); err != nil {
		return err
	}
	return tx.Commit()
}

// Finish commits or rolls back.
func Finish(tx *sql.Tx, err error) error {
	if err != nil {
		return tx.Rollback()
	}
	return tx.Commit()
}

// Lock and Unlock are for whoever needs several calls in one piece.
func (s *Store) Lock()   { s.mu.Lock() }
func (s *Store) Unlock() { s.mu.Unlock() }

// Locked runs f under the lock.
func (s *Store) Locked(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f()
}

// Outside runs f without the lock that its caller holds.
func (s *Store) Outside() {
	s.mu.Unlock()
	defer s.mu.Lock()
	fetch()
}

// Run calls f in this goroutine, Later in another.
func Run(f func())   { f() }
func Later(f func()) { go f() }

// Guard unlocks for its caller.
func Guard(mu *sync.Mutex) func() {
	mu.Lock()
	return mu.Unlock
}

// Release unlocks what its caller locked.
func Release(mu *sync.Mutex) { mu.Unlock() }

// Wait receives from a channel of its caller.
func Wait(ch <-chan int) int { return <-ch }

// Step has a transaction of somebody else, and so owns its finding.
func Step(tx *sql.Tx) error {
	return fetch() // want `transaction tx \(held by the caller\) is held across an outbound call`
}

// Shared is a pool in a package variable.
var Shared *sql.DB

// Count uses it.
func Count() { Shared.QueryRow("select 1") }

// Names iterates under the rows of its own pool.
func (s *Store) Names() iter.Seq[string] {
	return func(yield func(string) bool) {
		rows, err := s.DB.Query("SELECT name FROM t")
		if err != nil {
			return
		}
		defer rows.Close()
		for rows.Next() {
			var name string
			rows.Scan(&name)
			if !yield(name) {
				return
			}
		}
	}
}

// List has read all rows before it iterates.
func (s *Store) List() iter.Seq[string] {
	var list []string
	rows, err := s.DB.Query("SELECT name FROM t")
	if err == nil {
		for rows.Next() {
			var name string
			rows.Scan(&name)
			list = append(list, name)
		}
		rows.Close()
	}
	return slices.Values(list)
}

// Add works in the transaction, or alone without one.
func (s *Store) Add(ctx context.Context, tx *sql.Tx, id int) error {
	if tx == nil {
		_, err := s.DB.ExecContext(ctx, "INSERT INTO t VALUES (?)", id)
		return err
	}
	_, err := tx.ExecContext(ctx, "INSERT INTO t VALUES (?)", id)
	return err
}
