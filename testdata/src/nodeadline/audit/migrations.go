package audit

import "database/sql"

// The file says what its statements are for.
var steps = []func(*sql.Tx) error{
	func(tx *sql.Tx) error {
		_, err := tx.Exec("UPDATE entries SET words = to_words(title)") // want `sql`
		return err
	},
}
