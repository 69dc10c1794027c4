package ok

import (
	"context"
	"database/sql"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"time"
)

func query(ctx context.Context, db *sql.DB) error {
	_, err := db.ExecContext(ctx, "delete from t")
	return err
}

// The caller's context is the caller's business.
func passOk(ctx context.Context, db *sql.DB) error { return query(ctx, db) }

func detachedOk(ctx context.Context, db *sql.DB) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	return query(ctx, db)
}

func cleanUpCtx() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), time.Second)
}

func madeOk(db *sql.DB) error {
	ctx, cancel := cleanUpCtx()
	defer cancel()
	return query(ctx, db)
}

func valueOk(db *sql.DB) error {
	ctx, cancel := context.WithDeadline(context.Background(), time.Now().Add(time.Second))
	defer cancel()
	return query(context.WithValue(ctx, "k", 1), db)
}

func loopOk(db *sql.DB, n int) error {
	for range n {
		err := func() error {
			ctx, cancel := context.WithTimeout(context.Background(), time.Second)
			defer cancel()
			return query(ctx, db)
		}()
		if err != nil {
			return err
		}
	}
	return nil
}

// A field that gets different ones is not known.
type worker struct {
	ctx context.Context
	db  *sql.DB
}

func newWorker(db *sql.DB) *worker { return &worker{ctx: context.Background(), db: db} }

func (w *worker) with(ctx context.Context) { w.ctx = ctx }

func (w *worker) cleanOk() error { return query(w.ctx, w.db) }

// What is meant to last.
func (w *worker) Run(ctx context.Context) error {
	for {
		if err := query(ctx, w.db); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(time.Minute):
		}
	}
}

func lastingOk(w *worker) error { return w.Run(context.Background()) }

func startedOk(w *worker) { go w.loop(context.Background()) }

func (w *worker) loop(ctx context.Context) {
	for query(ctx, w.db) == nil {
	}
}

// A timer kills the process.
func killedOk(limit time.Duration, name string) error {
	cmd := exec.Command(name)
	if err := cmd.Start(); err != nil {
		return err
	}
	t := time.AfterFunc(limit, func() { cmd.Process.Kill() })
	defer t.Stop()
	return cmd.Wait()
}

func commandOk(ctx context.Context, script string) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	return exec.CommandContext(ctx, "sh", "-c", script).Run()
}

func callerCommandOk(ctx context.Context, script string) error {
	return exec.CommandContext(ctx, "sh", "-c", script).Run()
}

// The deadline is set before the first read.
func greetingOk(addr string) error {
	c, err := net.DialTimeout("tcp", addr, time.Second)
	if err != nil {
		return err
	}
	defer c.Close()
	if err := c.SetReadDeadline(time.Now().Add(time.Second)); err != nil {
		return err
	}
	_, err = c.Read(make([]byte, 1))
	return err
}

// A helper sets it.
func limit(c net.Conn) { c.SetDeadline(time.Now().Add(time.Second)) }

func connHelperOk(addr string) error {
	c, err := net.DialTimeout("tcp", addr, time.Second)
	if err != nil {
		return err
	}
	defer c.Close()
	limit(c)
	_, err = c.Read(make([]byte, 1))
	return err
}

// A context closes it.
func closedOk(ctx context.Context, addr string) error {
	c, err := net.DialTimeout("tcp", addr, time.Second)
	if err != nil {
		return err
	}
	defer c.Close()
	stop := context.AfterFunc(ctx, func() { c.Close() })
	defer stop()
	_, err = c.Read(make([]byte, 1))
	return err
}

// The context is the caller's, the cancel is by a signal.
func signalOk(ctx context.Context, db *sql.DB) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	return query(ctx, db)
}

func pipeOk() error {
	a, b := net.Pipe()
	go b.Write([]byte{1})
	_, err := a.Read(make([]byte, 1))
	return err
}

// Background stands in for a context that an exported struct need not have.
type Lookup struct {
	Ctx  context.Context
	Name string
}

func guardedOk(db *sql.DB, l Lookup) error {
	ctx := l.Ctx
	if ctx == nil {
		ctx = context.Background()
	}
	return query(ctx, db)
}

func guardedCopyOk(db *sql.DB, list []Lookup) error {
	for _, l := range list {
		if l.Ctx == nil {
			l.Ctx = context.Background()
		}
		if err := query(l.Ctx, db); err != nil {
			return err
		}
	}
	return nil
}

func guardedPointerOk(db *sql.DB, l *Lookup) error {
	if l.Ctx == nil {
		l.Ctx = context.TODO()
	}
	return query(l.Ctx, db)
}

func defaultedOk(db *sql.DB, ctx context.Context) error {
	if ctx == nil {
		ctx = context.Background()
	}
	return query(ctx, db)
}
