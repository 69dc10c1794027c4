package ok

import (
	"context"
	"database/sql"
)

// A helper that works in the transaction of its caller, or alone without one.
type members struct{ db *sql.DB }

func (m *members) add(ctx context.Context, tx *sql.Tx, id int) error {
	var err error
	if tx != nil {
		_, err = tx.ExecContext(ctx, "INSERT INTO members VALUES (?)", id)
	} else {
		_, err = m.db.ExecContext(ctx, "INSERT INTO members VALUES (?)", id)
	}
	return err
}

func (m *members) addInTxOk(ctx context.Context, id int) error {
	tx, err := m.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := m.add(ctx, tx, id); err != nil {
		return err
	}
	return tx.Commit()
}

// The pool and the transaction are both arguments, the transaction comes from a
// wrapper, and there is one more call between.
func inTx(ctx context.Context, db *sql.DB, fn func(*sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := fn(tx); err != nil {
		return err
	}
	return tx.Commit()
}

func join(ctx context.Context, db *sql.DB, tx *sql.Tx, id int) error {
	return edge(ctx, db, tx, id)
}

func edge(ctx context.Context, db *sql.DB, tx *sql.Tx, id int) error {
	if tx == nil {
		_, err := db.ExecContext(ctx, "INSERT INTO edges VALUES (?)", id)
		return err
	}
	_, err := tx.ExecContext(ctx, "INSERT INTO edges VALUES (?)", id)
	return err
}

func joinOk(ctx context.Context, db *sql.DB, id int) error {
	return inTx(ctx, db, func(tx *sql.Tx) error {
		return join(ctx, db, tx, id)
	})
}

// It begins one of its own if there is none.
func (m *members) move(ctx context.Context, tx *sql.Tx, id int) error {
	own := tx == nil
	if own {
		var err error
		if tx, err = m.db.BeginTx(ctx, nil); err != nil {
			return err
		}
		defer tx.Rollback()
	}
	if _, err := tx.ExecContext(ctx, "UPDATE members SET moved = 1 WHERE id = ?", id); err != nil {
		return err
	}
	if own {
		return tx.Commit()
	}
	return nil
}

func (m *members) moveInTxOk(ctx context.Context, id int) error {
	tx, err := m.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := m.move(ctx, tx, id); err != nil {
		return err
	}
	return tx.Commit()
}

// Either may be asked.
type querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

func (m *members) count(ctx context.Context, tx *sql.Tx) (n int, err error) {
	var q querier = m.db
	if tx != nil {
		q = tx
	}
	err = q.QueryRowContext(ctx, "SELECT count(*) FROM members").Scan(&n)
	return n, err
}

func (m *members) countInTxOk(ctx context.Context) (int, error) {
	tx, err := m.db.BeginTx(ctx, nil)
	if err != nil {
		return 0, err
	}
	defer tx.Rollback()
	n, err := m.count(ctx, tx)
	if err != nil {
		return 0, err
	}
	return n, tx.Commit()
}
