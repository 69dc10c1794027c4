// Package limit gives calls a deadline of their own.
package limit

import (
	"context"
	"database/sql"
	"net/http"
	"time"
)

const every = time.Minute

func shutdownGood(srv *http.Server) error {
	return srv.Shutdown(context.Background()) // want `shutdown`
}

func inIfGood(srv *http.Server) {
	if err := srv.Shutdown(context.Background()); err != nil { // want `shutdown`
		srv.Close()
	}
}

func inCaseGood(ctx context.Context, srv *http.Server, errc chan error) error {
	select {
	case err := <-errc:
		return err
	case <-ctx.Done():
		return srv.Shutdown(context.Background()) // want `shutdown`
	}
}

// The transaction ends with its context.
func txJudge(db *sql.DB) error {
	tx, err := db.BeginTx(context.Background(), nil) // want `ctx-none`
	if err != nil {
		return err
	}
	return tx.Commit()
}

func callGood(db *sql.DB) error {
	_, err := db.ExecContext(context.Background(), "delete from t") // want `ctx-none`
	return err
}

func inLoopGood(db *sql.DB, ids []int) (err error) {
	for _, id := range ids {
		err = touch(context.Background(), db, id) // want `ctx-none`
		if err != nil {
			return err
		}
	}
	return nil
}

func touch(ctx context.Context, db *sql.DB, id int) error {
	_, err := db.ExecContext(ctx, "update t set seen = now() where id = $1", id)
	return err
}

func inGoroutineGood(srv *http.Server, stop, stopped chan struct{}) {
	go func() {
		defer close(stopped)
		<-stop
		srv.Shutdown(context.Background()) // want `shutdown`
	}()
}
