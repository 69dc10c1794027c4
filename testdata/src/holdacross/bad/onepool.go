package bad

import (
	"context"
	"database/sql"
)

// Another object has the same pool: the constructor has put it into both.

type stock struct{ db *sql.DB }

func (s *stock) left(ctx context.Context) (n int, err error) {
	err = s.db.QueryRowContext(ctx, "SELECT n FROM stock").Scan(&n)
	return n, err
}

func newStock(db *sql.DB) *stock { return &stock{db: db} }

type sales struct {
	db     *sql.DB
	stock  *stock
	second *stock
}

func newSales(db *sql.DB) *sales {
	return &sales{db: db, stock: &stock{db: db}, second: newStock(db)}
}

func (s *sales) literalBad(ctx context.Context) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := s.stock.left(ctx); err != nil { // want `transaction tx .* holds a connection of s\.db while .*left takes a second one of the same pool.*holdacross/same-pool`
		return err
	}
	return tx.Commit()
}

func (s *sales) constructorBad(ctx context.Context) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := s.second.left(ctx); err != nil { // want `takes a second one of the same pool.*holdacross/same-pool`
		return err
	}
	return tx.Commit()
}
