// Package closure has a literal that may run when the context around it has ended.
package closure

import (
	"context"
	"database/sql"
)

func literalRefuse(ctx context.Context, db *sql.DB) func() error {
	return func() error {
		return db.Ping() // want `sql`
	}
}
