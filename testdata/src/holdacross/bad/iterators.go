package bad

import (
	"context"
	"database/sql"
	"iter"
	"net/http"
	"sync"
)

// The body of a loop over an iterator function runs while the iterator waits in
// yield, and so under what the iterator holds.

type reminders struct {
	db *sql.DB
	mu sync.Mutex
	m  map[string]int
}

func (r *reminders) due(ctx context.Context) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		rows, err := r.db.QueryContext(ctx, "SELECT url FROM reminders")
		if err != nil {
			yield("", err)
			return
		}
		defer rows.Close()
		for rows.Next() {
			var url string
			err := rows.Scan(&url)
			if !yield(url, err) {
				return
			}
		}
	}
}

func (r *reminders) bodyUnderRowsBad(ctx context.Context) error {
	for url, err := range r.due(ctx) {
		if err != nil {
			return err
		}
		if _, err := http.Get(url); err != nil { // want `^open rows \(opened at line \d+\) is held across an outbound call \(http\.Get\).*holdacross/rows-outbound`
			return err
		}
	}
	return nil
}

// Through a helper, and with the iterator in a variable.
func (r *reminders) visit(url string) error {
	_, err := http.Get(url)
	return err
}

func (r *reminders) bodyThroughHelperBad(ctx context.Context) error {
	seq := r.due(ctx)
	for url, err := range seq {
		if err != nil {
			continue
		}
		if err := r.visit(url); err != nil { // want `open rows .* outbound call \(http\.Get via \(\*reminders\)\.visit\).*holdacross/rows-outbound`
			return err
		}
	}
	return nil
}

// A second connection of the pool that the rows come from.
func (r *reminders) bodySamePoolBad(ctx context.Context) {
	for url := range r.due(ctx) {
		r.db.ExecContext(ctx, "UPDATE reminders SET sent = true WHERE url = $1", url) // want `holds a connection of r\.db while .*ExecContext takes a second one.*holdacross/same-pool`
	}
}

// The iterator is a method, and its receiver's lock is held in the body.
func (r *reminders) all(yield func(string) bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for url := range r.m {
		if !yield(url) {
			return
		}
	}
}

func (r *reminders) bodyUnderLockBad() {
	for url := range r.all {
		http.Get(url) // want `r\.mu \(locked at line \d+\) is held across an outbound call \(http\.Get\).*holdacross/lock-blocking`
	}
}

func (r *reminders) urls() iter.Seq[string] {
	return func(yield func(string) bool) {
		for url := range r.m {
			if !yield(url) {
				return
			}
		}
	}
}

// What is held around the loop is held in its body, whatever the iterator is.
func (r *reminders) loopUnderLockBad() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for url := range r.urls() {
		http.Get(url) // want `r\.mu \(locked at line \d+\) is held across an outbound call \(http\.Get\).*holdacross/lock-blocking`
	}
}

func loopUnderLockBad(mu *sync.Mutex, db *sql.DB, urls iter.Seq[string]) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	for url := range urls {
		http.Get(url) // want `transaction tx .* is held across an outbound call \(http\.Get\).*holdacross/tx-outbound`
	}
	return tx.Commit()
}

// A caller sees what the body of a loop does.
func notifyAll(urls iter.Seq[string]) {
	for url := range urls {
		http.Get(url)
	}
}

func callerOfLoopBad(db *sql.DB, urls iter.Seq[string]) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	notifyAll(urls) // want `transaction tx .* is held across an outbound call \(http\.Get via notifyAll\).*holdacross/tx-outbound`
	return tx.Commit()
}
