// Package closefirst has rows and connections that can be given back before
// the call.
package closefirst

import (
	"context"
	"database/sql"
	"net/http"
	"time"

	"github.com/gomodule/redigo/redis"
	"github.com/jackc/pgx/v5/pgxpool"
)

func explicitGood(ctx context.Context, db *sql.DB, c *http.Client) error {
	rows, err := db.QueryContext(ctx, "SELECT url FROM t")
	if err != nil {
		return err
	}
	var url string
	rows.Next()
	if err := rows.Scan(&url); err != nil {
		rows.Close()
		return err
	}
	time.Sleep(time.Second) // want `across a sleep`
	rows.Close()
	return nil
}

func deferredGood(ctx context.Context, db *sql.DB, c *http.Client) error {
	rows, err := db.QueryContext(ctx, "SELECT url FROM t")
	if err != nil {
		return err
	}
	defer rows.Close()
	var url string
	rows.Next()
	if err := rows.Scan(&url); err != nil {
		return err
	}
	resp, err := c.Get(url) // want `across an outbound call`
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func connGood(ctx context.Context, db *sql.DB, c *http.Client) error {
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	var url string
	err = conn.QueryRowContext(ctx, "SELECT url FROM t").Scan(&url)
	if err == nil {
		_, err = c.Get(url) // want `across an outbound call`
	}
	_ = conn.Close()
	return err
}

func deferredConnGood(ctx context.Context, db *sql.DB, c *http.Client) error {
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	var url string
	if err := conn.QueryRowContext(ctx, "SELECT url FROM t").Scan(&url); err != nil {
		return err
	}

	// Tell the server.
	_, err = c.Get(url) // want `across an outbound call`
	return err
}

func usedAfterRefuse(ctx context.Context, db *sql.DB, c *http.Client) error {
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	if _, err := c.Get("http://example.org"); err != nil { // want `across an outbound call`
		return err
	}
	_, err = conn.ExecContext(ctx, "UPDATE t SET done = true")
	return err
}

func loopRefuse(ctx context.Context, db *sql.DB, c *http.Client) error {
	rows, err := db.QueryContext(ctx, "SELECT url FROM t")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var url string
		if err := rows.Scan(&url); err != nil {
			return err
		}
		if _, err := c.Get(url); err != nil { // want `across an outbound call`
			return err
		}
	}
	return rows.Err()
}

func rawBytesRefuse(ctx context.Context, db *sql.DB) (string, error) {
	rows, err := db.QueryContext(ctx, "SELECT url FROM t")
	if err != nil {
		return "", err
	}
	defer rows.Close()
	var raw sql.RawBytes
	rows.Next()
	if err := rows.Scan(&raw); err != nil {
		return "", err
	}
	time.Sleep(time.Second) // want `across a sleep`
	return string(raw), nil
}

func stmtRefuse(ctx context.Context, db *sql.DB) error {
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	stmt, err := conn.PrepareContext(ctx, "UPDATE t SET n = n + 1")
	if err != nil {
		return err
	}
	time.Sleep(time.Second) // want `across a sleep`
	_, err = stmt.ExecContext(ctx)
	return err
}

func closureRefuse(ctx context.Context, db *sql.DB) error {
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	time.Sleep(time.Second) // want `across a sleep`
	return nil
}

func shadowRefuse(ctx context.Context, db *sql.DB) error {
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	if conn := ctx.Err(); conn == nil {
		time.Sleep(time.Second) // want `across a sleep`
	}
	return nil
}

func conditionalRefuse(ctx context.Context, db *sql.DB, c *http.Client) error {
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	if _, err := c.Get("http://example.org"); err != nil { // want `across an outbound call`
		conn.Close()
		return err
	}
	conn.Close()
	return nil
}

func redisGood(pool *redis.Pool) error {
	c := pool.Get()
	defer c.Close()
	n, err := redis.Int(c.Do("INCR", "n"))
	if err != nil {
		return err
	}
	time.Sleep(time.Duration(n) * time.Second) // want `across a sleep`
	return nil
}

func pgxGood(ctx context.Context, pool *pgxpool.Pool) error {
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return err
	}
	if _, err = conn.Exec(ctx, "UPDATE t SET n = n + 1"); err != nil {
		conn.Release()
		return err
	}
	time.Sleep(time.Second) // want `across a sleep`
	conn.Release()
	return nil
}

func pgxRowsGood(ctx context.Context, pool *pgxpool.Pool) error {
	rows, err := pool.Query(ctx, "SELECT n FROM t")
	if err != nil {
		return err
	}
	defer rows.Close()
	time.Sleep(time.Second) // want `across a sleep`
	return nil
}

func returnedRefuse(ctx context.Context, db *sql.DB) (n int, err error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return 0, err
	}
	defer conn.Close()
	time.Sleep(time.Second) // want `across a sleep`
	return n, conn.PingContext(ctx)
}

func sessionRefuse(ctx context.Context, db *sql.DB) error {
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, "SELECT pg_advisory_lock(1)"); err != nil {
		return err
	}
	time.Sleep(time.Second) // want `across a sleep`
	return nil
}
