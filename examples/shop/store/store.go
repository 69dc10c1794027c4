// Package store keeps orders and customers in PostgreSQL.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// States of an order.
const (
	New       = "new"
	Paid      = "paid"
	Cancelled = "cancelled"
)

// An Order is one article that a customer buys.
type Order struct {
	ID       int64
	Customer int64
	SKU      string
	Quantity int
	Cents    int64
	State    string
	Receipt  string
}

// A Customer buys, and hears of it at its webhook.
type Customer struct {
	ID   int64
	Name string
	Hook string
}

// ErrState says that an order is not in the state a change starts from.
var ErrState = errors.New("order is in another state")

// A Store is the database of the shop.
type Store struct {
	db *sql.DB
}

// Open connects to the database. The limit leaves room for four instances
// below the hundred connections of the server.
func Open(driver, dsn string) (*Store, error) {
	db, err := sql.Open(driver, dsn)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(20)
	db.SetConnMaxLifetime(30 * time.Minute)
	return &Store{db: db}, nil
}

// Close closes all connections.
func (s *Store) Close() error { return s.db.Close() }

// Begin starts a transaction.
func (s *Store) Begin(ctx context.Context) (*sql.Tx, error) {
	return s.db.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelReadCommitted})
}

// Create stores a new order and returns its number.
func (s *Store) Create(ctx context.Context, o Order) (int64, error) {
	const query = `INSERT INTO orders (customer, sku, quantity, cents, state) VALUES ($1, $2, $3, $4, $5) RETURNING id`
	var id int64
	err := s.db.QueryRowContext(ctx, query, o.Customer, o.SKU, o.Quantity, o.Cents, New).Scan(&id)
	if err != nil {
		return 0, fmt.Errorf("create order: %w", err)
	}
	return id, nil
}

// Lock reads an order and keeps others from changing it until tx ends.
func Lock(ctx context.Context, tx *sql.Tx, id int64) (Order, error) {
	const query = `SELECT customer, sku, quantity, cents, state, receipt FROM orders WHERE id = $1 FOR UPDATE`
	o := Order{ID: id}
	err := tx.QueryRowContext(ctx, query, id).Scan(&o.Customer, &o.SKU, &o.Quantity, &o.Cents, &o.State, &o.Receipt)
	if err != nil {
		return Order{}, fmt.Errorf("order %d: %w", id, err)
	}
	return o, nil
}

// SetState moves an order on.
func SetState(ctx context.Context, tx *sql.Tx, id int64, state, receipt string) error {
	const query = `UPDATE orders SET state = $1, receipt = $2, changed = now() WHERE id = $3`
	if _, err := tx.ExecContext(ctx, query, state, receipt, id); err != nil {
		return fmt.Errorf("order %d to %s: %w", id, state, err)
	}
	return nil
}

// Customer reads a customer.
func (s *Store) Customer(ctx context.Context, id int64) (Customer, error) {
	c := Customer{ID: id}
	err := s.db.QueryRowContext(ctx, `SELECT name, hook FROM customers WHERE id = $1`, id).Scan(&c.Name, &c.Hook)
	if err != nil {
		return Customer{}, fmt.Errorf("customer %d: %w", id, err)
	}
	return c, nil
}

// Unsettled returns the paid orders that the provider has not settled, as
// number and receipt. The caller closes the rows.
func (s *Store) Unsettled(ctx context.Context, limit int) (*sql.Rows, error) {
	const query = `SELECT id, receipt FROM orders WHERE state = $1 AND NOT settled ORDER BY id LIMIT $2`
	return s.db.QueryContext(ctx, query, Paid, limit)
}

// Settle marks an order as settled.
func (s *Store) Settle(ctx context.Context, id int64) error {
	_, err := s.db.ExecContext(ctx, `UPDATE orders SET settled = true WHERE id = $1`, id)
	return err
}
