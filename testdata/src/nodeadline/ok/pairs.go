package ok

import (
	"context"
	"database/sql"
	"net/http"
	"os"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"
)

// A client in the struct itself, with a limit.
type embedding struct {
	*http.Client
	base string
}

func newEmbedding() *embedding {
	return &embedding{Client: &http.Client{Timeout: time.Second}, base: "http://peer"}
}

func (e *embedding) fetchOk() (*http.Response, error) { return e.Get(e.base) }

// A field with a context that has a deadline.
type job struct {
	ctx context.Context
	db  *sql.DB
}

func startJob(db *sql.DB) (*job, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	return &job{ctx: ctx, db: db}, cancel
}

func (j *job) stepOk() error { return query(j.ctx, j.db) }

func methodValueOk(ctx context.Context, db *sql.DB) error {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	ping := db.PingContext
	return ping(ctx)
}

// The statement has the deadline of the transaction.
func txOk(ctx context.Context, db *sql.DB) error {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, "update t set a = 1"); err != nil {
		return err
	}
	return tx.Commit()
}

// The timer cancels what it waits for.
func selectOk(db *sql.DB) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- query(ctx, db) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func groupOk(ctx context.Context, db *sql.DB) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return query(ctx, db) })
	return g.Wait()
}

// It ends with the parent and at its own deadline.
func afterFuncOk(parent context.Context, db *sql.DB) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(parent), time.Minute)
	defer cancel()
	stop := context.AfterFunc(parent, cancel)
	defer stop()
	return query(ctx, db)
}

func signalledShutdownOk(srv *http.Server, signals chan os.Signal) {
	go func() {
		<-signals
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		srv.Shutdown(ctx)
	}()
}

func (r *remote) fetchOk(url string) (*http.Response, error) { return r.client.Get(url) }

// Who does what is asked for, and within which time, is not to be seen.
type anyDoer interface {
	Do(*http.Request) (*http.Response, error)
}

type cached struct{ next anyDoer }

func NewCached(next anyDoer) *cached { return &cached{next: next} }

func (c *cached) FetchOk(url string) (*http.Response, error) {
	req, err := http.NewRequest("GET", url, nil)
	if err != nil {
		return nil, err
	}
	return c.next.Do(req)
}

// All of it is acquired: that waits for the workers, not for a slot.
func drainOk(ctx context.Context, n int64, work func(context.Context)) error {
	sem := semaphore.NewWeighted(n)
	for range n {
		if err := sem.Acquire(ctx, 1); err != nil {
			break
		}
		go func() {
			defer sem.Release(1)
			work(ctx)
		}()
	}
	return sem.Acquire(context.Background(), n)
}
