// Package use holds something across what package dep does.
package use

import (
	"context"
	"database/sql"
	"net/http"
	"sync"
	"time"

	"holdacross/crosspkg/dep"
)

const peer = "http://peer.example"

type cache struct {
	mu     sync.Mutex
	values map[string]string
}

func (c *cache) fetchBad() {
	c.mu.Lock()
	defer c.mu.Unlock()
	dep.Fetch() // want `^c\.mu \(locked at line \d+\) is held across an outbound call \(http\.Get via dep\.Fetch, .*fetch\).*\[holdacross/lock-blocking\]$`
}

func (c *cache) pauseBad() {
	c.mu.Lock()
	defer c.mu.Unlock()
	dep.Pause() // want `c\.mu .* is held across a sleep of 1s \(time\.Sleep via dep\.Pause\)`
}

func (c *cache) quickOk() {
	c.mu.Lock()
	defer c.mu.Unlock()
	dep.Quick()
	dep.Background()
}

// The other package takes and gives back for us.

func beginBad(ctx context.Context, s *dep.Store) error {
	tx, err := s.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	http.Get(peer) // want `transaction tx .* is held across an outbound call.*holdacross/tx-outbound`
	return tx.Commit()
}

func finishOk(ctx context.Context, s *dep.Store) error {
	tx, err := s.Begin(ctx)
	if err != nil {
		return err
	}
	err = dep.Finish(tx, nil)
	http.Get(peer)
	return err
}

// The findings of a function with a transaction are its own.
func stepOk(ctx context.Context, s *dep.Store) error {
	tx, err := s.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	return dep.Step(tx)
}

func callbackBad(ctx context.Context, s *dep.Store) error {
	return s.InTx(ctx, func(tx *sql.Tx) error {
		http.Get(peer) // want `transaction tx .* is held across an outbound call.*holdacross/tx-outbound`
		return nil
	})
}

func callbackSamePoolBad(ctx context.Context, s *dep.Store) error {
	return s.InTx(ctx, func(tx *sql.Tx) error {
		s.Name(1) // want `transaction tx .* holds a connection of s\.DB .*holdacross/same-pool`
		return nil
	})
}

func samePoolBad(ctx context.Context, s *dep.Store) error {
	tx, err := s.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	s.Name(1) // want `transaction tx .* holds a connection of s\.DB .*holdacross/same-pool`
	return tx.Commit()
}

// The constructor of the other package knows which pool it put where.
func constructorBad(db *sql.DB) error {
	s := dep.New(db)
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	s.Name(1) // want `transaction tx .* holds a connection of db .*holdacross/same-pool`
	return tx.Commit()
}

func otherPoolOk(a, b *sql.DB) error {
	s := dep.New(b)
	tx, err := a.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	s.Name(1)
	return tx.Commit()
}

func sharedBad() error {
	tx, err := dep.Shared.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	dep.Count() // want `transaction tx .* holds a connection of Shared .*holdacross/same-pool`
	return tx.Commit()
}

// Locks of the other package.

func lockBad(s *dep.Store) {
	s.Lock()
	defer s.Unlock()
	http.Get(peer) // want `s\.mu .* is held across an outbound call`
}

func lockOk(s *dep.Store) {
	s.Lock()
	s.Unlock()
	http.Get(peer)
}

func lockedBad(s *dep.Store) {
	s.Locked(func() {
		http.Get(peer) // want `s\.mu .* is held across an outbound call`
	})
}

func outsideOk(s *dep.Store) {
	s.Lock()
	defer s.Unlock()
	s.Outside()
}

func (c *cache) guardBad() {
	defer dep.Guard(&c.mu)()
	http.Get(peer) // want `c\.mu .* is held across an outbound call`
}

func (c *cache) releaseOk() {
	c.mu.Lock()
	dep.Release(&c.mu)
	http.Get(peer)
}

// Callbacks.

func (c *cache) runBad() {
	c.mu.Lock()
	defer c.mu.Unlock()
	dep.Run(func() {
		time.Sleep(time.Second) // want `c\.mu .* is held across a sleep of 1s`
	})
}

func (c *cache) laterOk() {
	c.mu.Lock()
	defer c.mu.Unlock()
	dep.Later(func() { time.Sleep(time.Second) })
}

// Who ends a wait in another package most likely knows nothing of this lock:
// that is for an audit.
func (c *cache) waitOk(ch chan int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	dep.Wait(ch)
}

// What the iterator of another package holds while the body of the loop runs.
func iteratorBad(s *dep.Store) {
	for name := range s.Names() {
		http.Get(peer + name) // want `open rows .* is held across an outbound call \(http\.Get\).*holdacross/rows-outbound`
	}
}

func iteratorPoolBad(s *dep.Store) {
	for name := range s.Names() {
		s.DB.Exec("DELETE FROM t WHERE name = $1", name) // want `holds a connection of s\.DB while .*Exec takes a second one.*holdacross/same-pool`
	}
}

func iteratorOk(s *dep.Store) {
	for name := range s.List() {
		http.Get(peer + name)
		s.DB.Exec("DELETE FROM t WHERE name = $1", name)
	}
}

func addOk(ctx context.Context, s *dep.Store) error {
	return s.InTx(ctx, func(tx *sql.Tx) error { return s.Add(ctx, tx, 1) })
}

func addWithoutBad(ctx context.Context, s *dep.Store) error {
	return s.InTx(ctx, func(tx *sql.Tx) error {
		return s.Add(ctx, nil, 1) // want `transaction tx .* holds a connection of s\.DB .*holdacross/same-pool`
	})
}
