package bad

import (
	"context"
	"database/sql"
	"net/http"
	"time"
)

// A connection and open rows pin one too.

func connBad(ctx context.Context, db *sql.DB) error {
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	http.Get(peer) // want `connection conn \(taken at line \d+\) is held across an outbound call.*holdacross/conn-outbound`
	return nil
}

func connParameterBad(conn *sql.Conn) {
	time.Sleep(time.Second) // want `connection conn \(held by the caller\) is held across a sleep of 1s.*holdacross/conn-outbound`
}

func rowsBad(db *sql.DB) error {
	rows, err := db.Query("select url from t")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		http.Get(peer) // want `open rows \(opened at line \d+\) is held across an outbound call.*holdacross/rows-outbound`
	}
	return rows.Err()
}

func rowsBeforeLoopBad(db *sql.DB) {
	rows, err := db.Query("select url from t")
	if err != nil {
		return
	}
	http.Get(peer) // want `open rows .*holdacross/rows-outbound`
	for rows.Next() {
	}
}

// The loop is left early, so the rows are still open.
func rowsBreakBad(db *sql.DB) {
	rows, err := db.Query("select url from t")
	if err != nil {
		return
	}
	for {
		if !rows.Next() {
			return
		}
		break
	}
	http.Get(peer) // want `open rows .*holdacross/rows-outbound`
	rows.Close()
}

func rowsParameterBad(rows *sql.Rows) {
	for rows.Next() {
		http.Get(peer) // want `open rows \(held by the caller\) .*holdacross/rows-outbound`
	}
}

// With as many goroutines as connections, each holds one and waits for a second.

func samePoolBad(db *sql.DB) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	db.Exec("update t set n = 1") // want `^transaction tx \(begun at line \d+\) holds a connection of db while \(\*sql\.DB\)\.Exec takes a second one of the same pool: with N connections, N such calls at once wait for each other for ever \[holdacross/same-pool\]$`
	return tx.Commit()
}

func samePoolRowsBad(db *sql.DB) error {
	rows, err := db.Query("select id from t")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		db.QueryRow("select 1") // want `open rows .* holds a connection of db .*holdacross/same-pool`
	}
	return rows.Err()
}

func samePoolConnBad(ctx context.Context, db *sql.DB) error {
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	return db.PingContext(ctx) // want `connection conn .* holds a connection of db .*holdacross/same-pool`
}

// A transaction in a transaction.
func nestedBad(db *sql.DB) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	inner, err := db.Begin() // want `holdacross/same-pool`
	if err != nil {
		return err
	}
	defer inner.Rollback()
	return nil
}

// The pool is a field, and the second connection is taken by a helper.
type accounts struct{ db *sql.DB }

func (a *accounts) name(id int) (s string) {
	a.db.QueryRow("select name from t where id = ?", id).Scan(&s)
	return s
}

func (a *accounts) fieldBad(id int) error {
	tx, err := a.db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	a.name(id) // want `transaction tx .* holds a connection of a\.db while .*QueryRow via \(\*accounts\)\.name takes a second one of the same pool.*holdacross/same-pool`
	return tx.Commit()
}

// Through a field of a field.
type server struct{ accounts *accounts }

func (s *server) nestedFieldBad(id int) error {
	tx, err := s.accounts.db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	s.accounts.name(id) // want `holds a connection of s\.accounts\.db .*holdacross/same-pool`
	return tx.Commit()
}

// The pool is a package variable.
var shared *sql.DB

func lookup() { shared.QueryRow("select 1") }

func packageVariableBadPool() error {
	tx, err := shared.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	lookup() // want `transaction tx .* holds a connection of shared .*holdacross/same-pool`
	return tx.Commit()
}

// A constructor put the pool into the struct.
func newAccounts(db *sql.DB) *accounts { return &accounts{db: db} }

func constructorBad(db *sql.DB) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	newAccounts(db).name(1) // want `transaction tx .* holds a connection of db .*holdacross/same-pool`
	return tx.Commit()
}

// A getter returns the pool.
func (a *accounts) pool() *sql.DB { return a.db }

func (a *accounts) getterBad() error {
	tx, err := a.pool().Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	a.db.Exec("delete from t") // want `transaction tx .* holds a connection of a\.db .*holdacross/same-pool`
	return tx.Commit()
}

// In a callback that runs in a transaction of the pool.
func (s *store) samePoolCallbackBad() error {
	return s.withTx(func(tx *sql.Tx) error {
		_, err := s.db.Exec("delete from t") // want `transaction tx .* holds a connection of s\.db .*holdacross/same-pool`
		return err
	})
}

func (s *store) samePoolMethodValueBad() error {
	return s.withTx(s.stepAgain) // want `transaction tx .* holds a connection of s\.db while .* via \(\*store\)\.withTx, \(\*store\)\.stepAgain, \(\*store\)\.count takes a second one.*holdacross/same-pool`
}

func (s *store) stepAgain(tx *sql.Tx) error { return s.count() }

func (s *store) count() error {
	_, err := s.db.Exec("select 1")
	return err
}

// A transaction in the callback of another one.
func (s *store) nestedCallbackBad() error {
	return s.withTx(func(tx *sql.Tx) error {
		return s.withTx(func(inner *sql.Tx) error { // want `holdacross/same-pool`
			return nil
		})
	})
}

// What is given no transaction takes a connection of its own.
func outsideBad(db *sql.DB) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := addMember(db, nil, "a"); err != nil { // want `transaction tx .* takes a second one of the same pool.*holdacross/same-pool`
		return err
	}
	return tx.Commit()
}

func addMember(db *sql.DB, tx *sql.Tx, name string) error {
	var err error
	if tx != nil {
		_, err = tx.Exec("insert into members values ($1)", name)
	} else {
		_, err = db.Exec("insert into members values ($1)", name)
	}
	return err
}
