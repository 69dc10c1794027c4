package bad

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

// It is called without the transaction that is there.
func (m *members) addWithoutBad(ctx context.Context, id int) error {
	tx, err := m.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := m.add(ctx, nil, id); err != nil { // want `transaction tx \(begun at line 23\) holds a connection of m.db while .*ExecContext via .*add takes a second one of the same pool`
		return err
	}
	return tx.Commit()
}

// The question after it is asked of the pool in either case.
func (m *members) addAndCount(ctx context.Context, tx *sql.Tx, id int) (n int, err error) {
	if tx != nil {
		_, err = tx.ExecContext(ctx, "INSERT INTO members VALUES (?)", id)
	} else {
		_, err = m.db.ExecContext(ctx, "INSERT INTO members VALUES (?)", id)
	}
	if err != nil {
		return 0, err
	}
	err = m.db.QueryRowContext(ctx, "SELECT count(*) FROM members").Scan(&n)
	return n, err
}

func (m *members) countBad(ctx context.Context, id int) error {
	tx, err := m.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := m.addAndCount(ctx, tx, id); err != nil { // want `transaction tx \(begun at line 49\) holds a connection of m.db while .*QueryRowContext via .*addAndCount takes a second one of the same pool`
		return err
	}
	return tx.Commit()
}
