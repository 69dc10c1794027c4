package audit

import (
	"context"
	"database/sql"

	"golang.org/x/sync/semaphore"
	"google.golang.org/grpc"
)

type db struct {
	sem *semaphore.Weighted
	sql *sql.DB
}

// What is given up has to be put in order, whoever has gone meanwhile.
func (d *db) Close(ctx context.Context) error {
	if err := d.sem.Acquire(context.WithoutCancel(ctx), 1); err != nil { // want `ctx-none`
		return err
	}
	defer d.sem.Release(1)
	return d.sync(ctx)
}

func (d *db) sync(ctx context.Context) error {
	_, err := d.sql.ExecContext(ctx, "select 1")
	return err
}

type dbs struct{ all map[string]*db }

func (s *dbs) add(ctx context.Context, name string, d *db) error {
	if s.all[name] != nil {
		return d.Close(context.Background()) // want `ctx-none`
	}
	s.all[name] = d
	return nil
}

type validatorClient interface {
	Validate(ctx context.Context, in *string, opts ...grpc.CallOption) (*string, error)
}

type authority struct{ va validatorClient }

// One of the interceptors of a generated client may set a deadline.
func (a *authority) perform(ctx context.Context, name string) {
	go func() {
		ctx := context.WithoutCancel(ctx)
		a.va.Validate(ctx, &name) // want `ctx-none`
	}()
}
