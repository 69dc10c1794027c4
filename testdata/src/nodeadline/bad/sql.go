package bad

import (
	"context"
	"database/sql"
	"net/http"
)

type store struct{ db *sql.DB }

func (s *store) pingBad(ctx context.Context) error {
	return s.db.Ping() // want `\(\*sql\.DB\)\.Ping has no context: a statement.*\[nodeadline/sql\]`
}

func (s *store) beginBad(ctx context.Context) (*sql.Tx, error) {
	return s.db.Begin() // want `sql`
}

func (s *store) allBad(ctx context.Context, query string) (*sql.Rows, error) {
	return s.db.Query(query) // want `sql.*and 2 more of this kind in the package`
}

// Of many statements of one database three are reported.
func (s *store) fourthOk(ctx context.Context, query string) (*sql.Rows, error) {
	return s.db.Query(query)
}

func (s *store) fifthOk(ctx context.Context, query string) (*sql.Rows, error) {
	return s.db.Query(query)
}

func rowBad(ctx context.Context, tx *sql.Tx, id int) (name string, err error) {
	err = tx.QueryRow("select name from t where id = $1", id).Scan(&name) // want `\(\*sql\.Tx\)\.QueryRow has no context.*sql`
	return name, err
}

func requestBad(stmt *sql.Stmt) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if _, err := stmt.Exec(r.FormValue("id")); err != nil { // want `sql`
			w.WriteHeader(http.StatusInternalServerError)
		}
	}
}

// It runs whatever statement it is given.
func reportBad(db *sql.DB, query string) error {
	rows, err := db.Query(query) // want `sql`
	if err != nil {
		return err
	}
	return rows.Close()
}
