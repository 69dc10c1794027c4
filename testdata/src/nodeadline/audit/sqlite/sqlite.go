// Package sqlite has a database that is a file: a statement waits for the disk.
package sqlite

import (
	"database/sql"

	_ "modernc.org/sqlite"
)

func pruneBad(db *sql.DB) error {
	_, err := db.Exec("delete from t") // want `sql`
	return err
}
