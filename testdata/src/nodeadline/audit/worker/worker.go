// Package worker fills a table in the background.
package worker

import "database/sql"

// A worker in the background: its statements wait for the database because it
// has nothing else to do. None of its callers has a context.
type importer struct{ db *sql.DB }

func startImporter(db *sql.DB, in chan string) {
	i := &importer{db: db}
	go func() {
		for name := range in {
			i.insertBad(name)
		}
	}()
}

func (i *importer) insertBad(name string) error {
	_, err := i.db.Exec("insert into t values ($1)", name) // want `sql.*and 1 more statements`
	return err
}

// The text is that of its callers, and constant.
func (i *importer) one(query string, args ...any) (name string, err error) {
	err = i.db.QueryRow(query, args...).Scan(&name)
	return name, err
}

func (i *importer) byID(id int) (string, error) { return i.one("select name from t where id = $1", id) }

func (i *importer) last() (string, error) { return i.one("select max(name) from t") }
