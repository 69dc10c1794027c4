package limits

import (
	"database/sql"
	"net/http"
	"sync"
)

// The fields of a struct that is passed by value are those of a copy, which is
// a variable of the callee: nobody sees that the pool in it is the caller's.
type repo struct {
	db *sql.DB
	mu *sync.Mutex
}

func (r repo) name() { r.db.QueryRow("select 1") }

func (r repo) FN_valueReceiver() error {
	tx, err := r.db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	r.name()
	return tx.Commit()
}

// Nor does anybody see that the lock in it is: it is taken for one of an object
// that was made here, which hardly anybody else can want, and so for an audit.
func (r repo) FN_lockByValue() {
	r.mu.Lock()
	defer r.mu.Unlock()
	http.Get(peer)
}

// A constructor that calls another one loses the pool: only fields that are set
// from a parameter itself are followed.
type inner struct{ db *sql.DB }

type outer struct{ in *inner }

func newInner(db *sql.DB) *inner { return &inner{db: db} }

func newOuter(db *sql.DB) *outer { return &outer{in: newInner(db)} }

func FN_constructorOfConstructor(db *sql.DB) error {
	o := newOuter(db)
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	o.in.db.Exec("delete from t")
	return tx.Commit()
}

// What a deferred call locks is not looked at: after the helper the lock is
// taken to be free for good.
func (c *cache) around() {
	c.mu.Unlock()
	defer c.mu.Lock()
	c.values["a"] = ""
}

func (c *cache) FN_lockedAgainByDefer() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.around()
	http.Get(peer)
}

// A parameter that is called, or handed on, inside a literal of the function is
// not seen to be called.
func retry(f func() error) error { return f() }

func (s *store) withTxRetried(f func(*sql.Tx) error) error {
	return retry(func() error { return s.withTx(f) })
}

func (s *store) FN_callbackThroughLiteral() error {
	return s.withTxRetried(func(*sql.Tx) error {
		_, err := s.db.Exec("delete from t")
		return err
	})
}
