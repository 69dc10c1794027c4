package bad

import (
	"context"
	"database/sql"
	"net/http"
	"time"
)

func query(ctx context.Context, db *sql.DB) error {
	_, err := db.ExecContext(ctx, "delete from t")
	return err
}

func prune(ctx context.Context, db *sql.DB) error {
	_, err := db.ExecContext(ctx, "delete from old")
	return err
}

func count(ctx context.Context, db *sql.DB) (n int, err error) {
	err = db.QueryRowContext(ctx, "select count(*) from t").Scan(&n)
	return n, err
}

func ping(ctx context.Context, db *sql.DB) error { return db.PingContext(ctx) }

func backgroundBad(_ context.Context, db *sql.DB) error {
	_, err := db.ExecContext(context.Background(), "delete from t") // want `a context that never ends reaches \(\*sql\.DB\)\.ExecContext.*\[nodeadline/ctx-none\]`
	return err
}

func throughHelperBad(_ context.Context, db *sql.DB) error {
	return query(context.TODO(), db) // want `reaches \(\*sql\.DB\)\.ExecContext via query.*ctx-none`
}

// The context is in a field that only ever gets one that never ends.
type worker struct {
	ctx context.Context
	db  *sql.DB
}

func newWorker(db *sql.DB) *worker { return &worker{ctx: context.Background(), db: db} }

func (w *worker) cleanBad(context.Context) error {
	return query(w.ctx, w.db) // want `ctx-none`
}

// The same through a method.
func (w *worker) context() context.Context { return w.ctx }

func (w *worker) sweepBad(context.Context) error {
	return query(w.context(), w.db) // want `ctx-none`
}

// A context that is made by a helper.
func detached(context.Context) context.Context { return context.Background() }

func madeBad(ctx context.Context, db *sql.DB) error {
	return prune(detached(ctx), db) // want `ctx-none`
}

// A variable that a closure captures.
func closureBad(_ context.Context, db *sql.DB) error {
	ctx := context.Background()
	run := func() error {
		return ping(ctx, db) // want `ctx-none`
	}
	return run()
}

// Both branches give one that never ends.
func branchBad(_ context.Context, db *sql.DB, todo bool) error {
	ctx := context.Background()
	if todo {
		ctx = context.TODO()
	}
	return prune(ctx, db) // want `ctx-none`
}

func loopBad(_ context.Context, db *sql.DB, n int) error {
	ctx := context.Background()
	for range n {
		if err := prune(ctx, db); err != nil { // want `ctx-none`
			return err
		}
	}
	return nil
}

// A transaction that began with a deadline does not give it to its statements.
func txBad(ctx context.Context, db *sql.DB) error {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(context.Background(), "update t set a = 1"); err != nil { // want `reaches \(\*sql\.Tx\)\.ExecContext.*ctx-none`
		return err
	}
	return tx.Commit()
}

// The deadline is cancelled for good before the wait.
func detachedAfterBad(ctx context.Context, db *sql.DB) error {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	return ping(context.WithoutCancel(ctx), db) // want `ctx-none`
}

// A wait beside a timer that ends nothing.
func selectBad(_ context.Context, db *sql.DB) error {
	done := make(chan error, 1)
	go func() {
		done <- ping(context.Background(), db) // want `ctx-none`
	}()
	select {
	case err := <-done:
		return err
	case <-time.After(time.Second):
		return context.DeadlineExceeded
	}
}

// A method value takes its context where it is called.
func valueBad(_ context.Context, db *sql.DB) error {
	probe := db.PingContext
	return probe(context.Background()) // want `ctx-none`
}

func handlerBad(db *sql.DB) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if _, err := count(context.Background(), db); err != nil { // want `ctx-none`
			w.WriteHeader(http.StatusInternalServerError)
		}
	}
}
