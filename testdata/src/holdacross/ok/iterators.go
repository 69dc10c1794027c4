package ok

import (
	"context"
	"database/sql"
	"iter"
	"net/http"
	"sync"
)

type reminders struct {
	db *sql.DB
	mu sync.Mutex
	m  map[string]int
}

// The iterator has read all rows before it yields the first value.
func (r *reminders) due(ctx context.Context) iter.Seq[string] {
	return func(yield func(string) bool) {
		var urls []string
		rows, err := r.db.QueryContext(ctx, "SELECT url FROM reminders")
		if err != nil {
			return
		}
		for rows.Next() {
			var url string
			rows.Scan(&url)
			urls = append(urls, url)
		}
		rows.Close()
		for _, url := range urls {
			if !yield(url) {
				return
			}
		}
	}
}

func (r *reminders) bodyAfterRowsOk(ctx context.Context) {
	for url := range r.due(ctx) {
		http.Get(url)
	}
}

// It unlocks around yield.
func (r *reminders) all(yield func(string) bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for url := range r.m {
		r.mu.Unlock()
		more := yield(url)
		r.mu.Lock()
		if !more {
			return
		}
	}
}

func (r *reminders) bodyUnlockedOk() {
	for url := range r.all {
		http.Get(url)
	}
}

// The body only keeps what it gets, and calls out when the loop is over.
func (r *reminders) rowsOf(ctx context.Context) iter.Seq2[string, error] {
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

func (r *reminders) callAfterLoopOk(ctx context.Context) {
	var urls []string
	for url := range r.rowsOf(ctx) {
		urls = append(urls, url)
	}
	for _, url := range urls {
		http.Get(url)
	}
}

// A goroutine of its own holds nothing.
func (r *reminders) bodyStartsOk(ctx context.Context) {
	for url := range r.rowsOf(ctx) {
		go http.Get(url)
	}
}
