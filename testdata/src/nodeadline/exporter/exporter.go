// Package exporter asks a database for what it exports.
package exporter

import "database/sql"

// It is given a database, and could be given a context.
func scrapeBad(db *sql.DB, emit func(string)) error {
	rows, err := db.Query("select name from stats") // want `sql`
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return err
		}
		emit(name)
	}
	return rows.Err()
}
