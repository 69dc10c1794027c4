package bad

import "database/sql"

func statementBad(db *sql.DB) error {
	_, err := db.Exec("delete from t") // want `\(\*sql\.DB\)\.Exec has no context: a statement.*\[nodeadline/sql\]`
	return err
}

func rowBad(tx *sql.Tx, id int) (name string, err error) {
	err = tx.QueryRow("select name from t where id = $1", id).Scan(&name) // want `\(\*sql\.Tx\)\.QueryRow has no context.*sql`
	return name, err
}

type store struct{ db *sql.DB }

func (s *store) pingBad() error {
	return s.db.Ping() // want `sql`
}

func (s *store) beginBad() (*sql.Tx, error) {
	return s.db.Begin() // want `sql`
}

func (s *store) allBad(query string) (*sql.Rows, error) {
	return s.db.Query(query) // want `sql.*and 2 more of this kind in the package`
}

// Of many statements of one database three are reported.
func (s *store) fourthOk(query string) (*sql.Rows, error) { return s.db.Query(query) }

func (s *store) fifthOk(query string) (*sql.Rows, error) { return s.db.Query(query) }
