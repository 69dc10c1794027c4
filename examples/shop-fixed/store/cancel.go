package store

import (
	"context"
	"database/sql"
	"fmt"
)

// Cancel calls an order off and writes the customer a credit note. It returns
// the order as it was.
func (s *Store) Cancel(ctx context.Context, id int64) (Order, error) {
	tx, err := s.Begin(ctx)
	if err != nil {
		return Order{}, err
	}
	defer tx.Rollback()

	order, err := Lock(ctx, tx, id)
	if err != nil {
		return Order{}, err
	}
	if order.State != New && order.State != Paid {
		return Order{}, fmt.Errorf("order %d: %w", id, ErrState)
	}
	if err := SetState(ctx, tx, id, Cancelled, order.Receipt); err != nil {
		return Order{}, err
	}
	if order.State == Paid {
		text, err := creditText(ctx, tx, order)
		if err != nil {
			return Order{}, err
		}
		if err := addCredit(ctx, tx, order, text); err != nil {
			return Order{}, err
		}
	}
	return order, tx.Commit()
}

// creditText is what the credit note says.
func creditText(ctx context.Context, tx *sql.Tx, o Order) (string, error) {
	customer, err := customer(ctx, tx, o.Customer)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s: %d.%02d for %d × %s", customer.Name, o.Cents/100, o.Cents%100, o.Quantity, o.SKU), nil
}

func addCredit(ctx context.Context, tx *sql.Tx, o Order, text string) error {
	const query = `INSERT INTO credits (customer, order_id, cents, text) VALUES ($1, $2, $3, $4)`
	if _, err := tx.ExecContext(ctx, query, o.Customer, o.ID, o.Cents, text); err != nil {
		return fmt.Errorf("credit for order %d: %w", o.ID, err)
	}
	return nil
}
