// Package steps has what a database goes through, by what its steps are handed to.
package steps

import "database/sql"

type step struct {
	to string
	do func(*sql.DB, *sql.Tx) error
}

func newMigration(to string, do func(*sql.DB, *sql.Tx) error) step { return step{to, do} }

// All are the steps.
var All = []step{
	newMigration("0.7.0", func(db *sql.DB, tx *sql.Tx) error {
		_, err := db.Exec("UPDATE entries SET words = NULL") // want `sql`
		return err
	}),
}
