package bad

import (
	"database/sql"
	"net/http"
	"sync"
)

// The fields of a struct passed by value are the caller's.
type repo struct {
	db *sql.DB
	mu *sync.Mutex
}

func (r repo) name() { r.db.QueryRow("select 1") }

func (r repo) valueReceiverBad() error {
	tx, err := r.db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	r.name() // want `transaction tx .* holds a connection of r\.db .*holdacross/same-pool`
	return tx.Commit()
}

func (r repo) lockByValueBad() {
	r.mu.Lock()
	defer r.mu.Unlock()
	http.Get(peer) // want `r\.mu .*holdacross/lock-blocking`
}

// A helper that lets go of the lock and takes it again when it returns.
type guarded struct {
	mu sync.Mutex
	n  int
}

func (g *guarded) around() {
	g.mu.Unlock()
	defer g.mu.Lock()
	g.n++
}

func (g *guarded) lockedAgainByDeferBad() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.around()
	http.Get(peer) // want `g\.mu .*holdacross/lock-blocking`
}

// A runner of transactions that hands its parameter on inside a literal.
type runner struct{ db *sql.DB }

func again(f func() error) error { return f() }

func (r *runner) withTx(f func(*sql.Tx) error) error {
	tx, err := r.db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := f(tx); err != nil {
		return err
	}
	return tx.Commit()
}

func (r *runner) withTxRetried(f func(*sql.Tx) error) error {
	return again(func() error { return r.withTx(f) })
}

func (r *runner) withTxWrapped(f func(*sql.Tx) error) error {
	return r.withTx(func(tx *sql.Tx) error { return f(tx) })
}

func (r *runner) callbackThroughLiteralBad() error {
	return r.withTxRetried(func(*sql.Tx) error {
		_, err := r.db.Exec("delete from t") // want `a transaction .* holds a connection of r\.db .*holdacross/same-pool`
		return err
	})
}

func (r *runner) callbackInLiteralBad() error {
	return r.withTxWrapped(func(inner *sql.Tx) error {
		_, err := r.db.Exec("delete from t") // want `transaction inner .* holds a connection of r\.db .*holdacross/same-pool`
		return err
	})
}

// Locks that are no fields are different locks in every function: four of them
// that come to the same helper are four mistakes.
func local4Bad(mu *sync.RWMutex) {
	mu.Lock()
	defer mu.Unlock()
	slow() // want `mu .*holdacross/lock-blocking`
}

func local1Bad(mu *sync.Mutex) {
	mu.Lock()
	defer mu.Unlock()
	slow() // want `mu .*holdacross/lock-blocking`
}

func local2Bad(other *sync.Mutex) {
	other.Lock()
	defer other.Unlock()
	slow() // want `other .*holdacross/lock-blocking`
}

var third sync.Mutex

func local3Bad() {
	third.Lock()
	defer third.Unlock()
	slow() // want `third .*holdacross/lock-blocking`
}

func slow() { http.Get(peer) }

// A loop over an iterator of ours runs the iterator.
func slowSeq(yield func(int) bool) {
	http.Get(peer)
	yield(1)
}

func (g *guarded) iteratorBad() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for i := range slowSeq { // want `g\.mu .*holdacross/lock-blocking`
		g.n += i
	}
}
