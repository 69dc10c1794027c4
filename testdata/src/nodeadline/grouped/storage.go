package grouped

import (
	"context"
	"database/sql"
)

func ask(ctx context.Context, db *sql.DB, query string) error {
	_, err := db.ExecContext(ctx, query)
	return err
}

// Each of the first three of one cause is reported, whatever the file is called.

func firstBad(ctx context.Context, db *sql.DB) error {
	return ask(context.Background(), db, "delete from a") // want `ctx-none`
}

func secondBad(ctx context.Context, db *sql.DB) error {
	return ask(context.Background(), db, "delete from b") // want `ctx-none`
}

func thirdBad(ctx context.Context, db *sql.DB) error {
	return ask(context.Background(), db, "delete from c") // want `ctx-none`
}
