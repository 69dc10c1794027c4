// Package pool has statements that can run on the connection that is held.
package pool

import (
	"context"
	"database/sql"

	"gorm.io/gorm"
)

type store struct {
	db *sql.DB
	g  *gorm.DB
}

func create(db *gorm.DB, v any) error {
	return db.Create(v).Error
}

func (s *store) firstReadGood(ctx context.Context, id int) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var name string
	if err := s.db.QueryRowContext(ctx, "SELECT name FROM users WHERE id = ?", id).Scan(&name); err != nil { // want `takes a second one of the same pool`
		return err
	}
	if _, err := tx.ExecContext(ctx, "INSERT INTO names VALUES (?)", name); err != nil {
		return err
	}
	return tx.Commit()
}

func (s *store) laterReadJudge(ctx context.Context, id int) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, "UPDATE users SET n = n + 1"); err != nil {
		return err
	}
	var n int
	if err := s.db.QueryRowContext(ctx, "SELECT n FROM users WHERE id = ?", id).Scan(&n); err != nil { // want `takes a second one of the same pool`
		return err
	}
	return tx.Commit()
}

func (s *store) writeJudge(ctx context.Context, id int) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := s.db.ExecContext(ctx, "UPDATE users SET n = n + 1"); err != nil { // want `takes a second one of the same pool`
		return err
	}
	return tx.Commit()
}

func (s *store) forUpdateJudge(ctx context.Context, id int) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var n int
	if err := s.db.QueryRowContext(ctx, "SELECT n FROM users WHERE id = ? FOR UPDATE", id).Scan(&n); err != nil { // want `takes a second one of the same pool`
		return err
	}
	return tx.Commit()
}

func (s *store) argumentJudge(v any) error {
	return s.g.Transaction(func(tx *gorm.DB) error {
		return create(s.g, v) // want `takes a second one of the same pool`
	})
}

func (s *store) connJudge(ctx context.Context) error {
	conn, err := s.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	_, err = s.db.ExecContext(ctx, "UPDATE users SET n = n + 1") // want `takes a second one of the same pool`
	return err
}

func (s *store) gormJudge(ctx context.Context, v any) error {
	return s.g.Transaction(func(tx *gorm.DB) error {
		return s.g.WithContext(ctx).Create(v).Error // want `takes a second one of the same pool`
	})
}

func (s *store) helper(ctx context.Context, id int) (n int, err error) {
	err = s.db.QueryRowContext(ctx, "SELECT n FROM users WHERE id = ?", id).Scan(&n)
	return n, err
}

func (s *store) helperRefuse(ctx context.Context, id int) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := s.helper(ctx, id); err != nil { // want `takes a second one of the same pool`
		return err
	}
	return tx.Commit()
}

func (s *store) openRowsRefuse(ctx context.Context) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	rows, err := tx.QueryContext(ctx, "SELECT id FROM users")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if _, err := s.db.ExecContext(ctx, "UPDATE users SET n = n + 1"); err != nil { // want `takes a second one of the same pool`
			return err
		}
	}
	return tx.Commit()
}

func (s *store) nestedBeginRefuse(ctx context.Context) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	other, err := s.db.BeginTx(ctx, nil) // want `takes a second one of the same pool`
	if err != nil {
		return err
	}
	defer other.Rollback()
	return tx.Commit()
}

func (s *store) shadowedRefuse(ctx context.Context) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if tx := ctx.Value("tx"); tx != nil {
		if _, err := s.db.ExecContext(ctx, "UPDATE users SET n = n + 1"); err != nil { // want `takes a second one of the same pool`
			return err
		}
	}
	return tx.Commit()
}

func (s *store) rowsInLoopRefuse(ctx context.Context) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	rows, err := s.db.QueryContext(ctx, "SELECT id FROM users") // want `takes a second one of the same pool`
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if _, err := tx.ExecContext(ctx, "UPDATE users SET n = n + 1"); err != nil {
			return err
		}
	}
	return tx.Commit()
}
