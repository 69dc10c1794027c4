package audit

import (
	"database/sql"
	"net/http"
)

// The file says what its statements are for.
var steps = []func(*sql.Tx) error{
	func(tx *sql.Tx) error {
		_, err := tx.Exec("UPDATE entries SET words = to_words(title)") // want `sql`
		return err
	},
}

// It is asked once, to move what is there.
func migrateUsersBad(url string) error {
	resp, err := http.Get(url) // want `http-client`
	if err != nil {
		return err
	}
	return resp.Body.Close()
}
