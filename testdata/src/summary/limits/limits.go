// Package limits pins what summaries do not say yet. The want comments are what
// they say today, and each function has a paragraph why that is not enough.
package limits

import (
	"database/sql"

	"summary/facts"
)

// A constructor that calls another one loses the pool: only fields that are set
// from a parameter itself are followed.
type Wrapper struct{ store *facts.Store }

func NewWrapper(db *sql.DB) *Wrapper { return &Wrapper{store: facts.New(db)} }

// Called in a new goroutine, the parameter is called for certain, but later;
// nobody who waits for it sees what it does.
func RunLater(f func()) { go f() } // want RunLater:`^starts\(spawn opaque\) calls\(p0 async\)$`
