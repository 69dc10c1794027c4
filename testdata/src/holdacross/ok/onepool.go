package ok

import (
	"context"
	"database/sql"
)

type stock struct{ db *sql.DB }

func (s *stock) left(ctx context.Context) (n int, err error) {
	err = s.db.QueryRowContext(ctx, "SELECT n FROM stock").Scan(&n)
	return n, err
}

// Two pools: nothing says that they are one.
type sales struct {
	db    *sql.DB
	stock *stock
}

func newSales(db, replica *sql.DB) *sales { return &sales{db: db, stock: &stock{db: replica}} }

func (s *sales) otherPoolOk(ctx context.Context) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := s.stock.left(ctx); err != nil {
		return err
	}
	return tx.Commit()
}

// One constructor puts in another pool, or it is changed later.
type report struct {
	db    *sql.DB
	stock *stock
}

func newReport(db *sql.DB) *report { return &report{db: db, stock: &stock{db: db}} }

func newReportOn(db, replica *sql.DB) *report { return &report{db: db, stock: &stock{db: replica}} }

func (r *report) twoConstructorsOk(ctx context.Context) error {
	tx, err := r.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := r.stock.left(ctx); err != nil {
		return err
	}
	return tx.Commit()
}

type depot struct {
	db    *sql.DB
	stock *stock
}

func newDepot(db *sql.DB) *depot { return &depot{db: db, stock: &stock{db: db}} }

func (d *depot) use(replica *sql.DB) { d.stock.db = replica }

func (d *depot) changedOk(ctx context.Context) error {
	tx, err := d.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := d.stock.left(ctx); err != nil {
		return err
	}
	return tx.Commit()
}
