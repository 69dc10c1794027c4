// Package limits pins what summaries do not say yet. The want comments are what
// they say today, and each function has a paragraph why that is not enough.
package limits

import (
	"database/sql"
	"sync"
	"time"

	"summary/facts"
)

type Store struct{ mu sync.Mutex }

// What a deferred call locks is not looked at, so the lock seems to be left
// unlocked for good, and a caller that calls out after this one gets no finding.
func (s *Store) Outside() { // want Outside:`^blocks\(sleep <=1s free recv\.mu\) unlocks\(lock recv\.mu\) unlocks\(rlock recv\.mu\)$`
	s.mu.Unlock()
	defer s.mu.Lock()
	time.Sleep(time.Second)
}

// A parameter that is called inside a literal is not seen to be called: a
// literal shares the roots of the function around it, and only a path that is
// rooted in the literal's own parameters becomes a clause.
func RunInLiteral(f func()) {
	func() { f() }()
}

// The same when the literal hands the parameter on: every helper that wraps a
// transaction into a retry is written like this.
func Retry(s *facts.Store, f func(*sql.Tx) error) error { // want Retry:`^blocks\(db pool p0\.DB\) blocks\(db\)$`
	return attempt(func() error { return s.InTx(f) })
}

func attempt(f func() error) error { return f() }

// A constructor that calls another one loses the pool: only fields that are set
// from a parameter itself are followed.
type Wrapper struct{ store *facts.Store }

func NewWrapper(db *sql.DB) *Wrapper { return &Wrapper{store: facts.New(db)} }

// Called in a new goroutine, the parameter is called for certain, but later; no
// clause says so, and nobody who waits for it sees what it does.
func RunLater(f func()) { go f() }
