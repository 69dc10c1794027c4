package limits

import (
	"database/sql"
	"iter"
	"net/http"
	"sync"
)

type cache struct {
	mu     sync.Mutex
	values map[string]string
}

type hooks struct{ db *sql.DB }

func (h *hooks) due() iter.Seq[string] {
	return func(yield func(string) bool) {
		rows, err := h.db.Query("SELECT url FROM hooks")
		if err != nil {
			return
		}
		defer rows.Close()
		for rows.Next() {
			var url string
			rows.Scan(&url)
			if !yield(url) {
				return
			}
		}
	}
}

func filter(seq iter.Seq[string], keep func(string) bool) iter.Seq[string] {
	return func(yield func(string) bool) {
		for url := range seq {
			if keep(url) && !yield(url) {
				return
			}
		}
	}
}

// An iterator that is made of another one calls the other in its own loop, whose
// body calls yield. What the inner one holds is not handed on through it: an
// iterator that is a parameter is called like any function, and what it holds
// would be known only where the two are put together.
func (h *hooks) FN_adapted() {
	for url := range filter(h.due(), func(s string) bool { return s != "" }) {
		http.Get(url)
	}
}
