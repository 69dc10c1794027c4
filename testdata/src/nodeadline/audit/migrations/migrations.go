// Package migrations changes the schema: that takes as long as it takes.
package migrations

import "database/sql"

func addIndexBad(db *sql.DB) error {
	_, err := db.Exec("create index on t (a)") // want `sql`
	return err
}
