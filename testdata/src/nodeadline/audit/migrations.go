package audit

import (
	"context"
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

// What is called says it.
type store struct{ db *sql.DB }

func (s *store) Migrate(ctx context.Context) error {
	var version int
	return s.db.QueryRowContext(ctx, "SELECT version FROM versions").Scan(&version)
}

func openStore(ctx context.Context, db *sql.DB) (*store, error) {
	s := &store{db}
	return s, s.Migrate(context.Background()) // want `ctx-none`
}

// It is made once.
func createDBIfNotExist(ctx context.Context, db *sql.DB, name string) error {
	var there bool
	return db.QueryRow("SELECT 1 FROM databases WHERE name = ?", name).Scan(&there) // want `sql`
}
