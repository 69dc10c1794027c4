// Package generic has wrappers with type parameters.
package generic

import (
	"context"
	"database/sql"
	"net/http"
	"time"
)

// Repo is a store of one kind of rows.
type Repo[T any] struct {
	db  *sql.DB
	ctx context.Context
}

func newRepo[T any](db *sql.DB) *Repo[T] { return &Repo[T]{db: db, ctx: context.Background()} }

func (r *Repo[T]) get(ctx context.Context, dst *T) error {
	return r.db.QueryRowContext(ctx, "select v from t").Scan(dst)
}

func (r *Repo[T]) latestBad(dst *T) error {
	return r.get(r.ctx, dst) // want `ctx-none`
}

func (r *Repo[T]) latestOk(ctx context.Context, dst *T) error {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	return r.get(ctx, dst)
}

func call[T any](ctx context.Context, f func(context.Context) (T, error)) (T, error) { return f(ctx) }

func exec[R any](ctx context.Context, db *sql.DB, out R) (R, error) {
	_, err := db.ExecContext(ctx, "delete from t")
	return out, err
}

func instanceBad(db *sql.DB) (int, error) {
	return exec(context.Background(), db, 1) // want `ctx-none`
}

func instanceOk(ctx context.Context, db *sql.DB) (int, error) { return exec(ctx, db, 1) }

func clientOf[T any](T) *http.Client { return &http.Client{} }

func clientBad(url string) (*http.Response, error) {
	return clientOf(1).Get(url) // want `http-client`
}

func callOk(ctx context.Context, db *sql.DB) (int, error) {
	return call(ctx, func(ctx context.Context) (int, error) { return exec(ctx, db, 1) })
}
