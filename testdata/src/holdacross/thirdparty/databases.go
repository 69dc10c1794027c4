// Package thirdparty has the libraries that hold something for their callers,
// through stubs at their real import path.
package thirdparty

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/gobuffalo/pop/v6"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jmoiron/sqlx"
	bolt "go.etcd.io/bbolt"
	"gorm.io/gorm"
)

const peer = "http://peer.example"

// pgx

func pgxTxBad(ctx context.Context, pool *pgxpool.Pool) error {
	tx, err := pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	http.Get(peer) // want `transaction tx .* is held across an outbound call.*holdacross/tx-outbound`
	return tx.Commit(ctx)
}

func pgxTxOk(ctx context.Context, pool *pgxpool.Pool) error {
	tx, err := pool.Begin(ctx)
	if err != nil {
		return err
	}
	if err := tx.Commit(ctx); err != nil {
		return err
	}
	http.Get(peer)
	return nil
}

func pgxBeginFuncBad(ctx context.Context, pool *pgxpool.Pool) error {
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		http.Get(peer) // want `transaction tx .* is held across an outbound call.*holdacross/tx-outbound`
		return nil
	})
}

func pgxBeginFuncSamePoolBad(ctx context.Context, pool *pgxpool.Pool) error {
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		_, err := pool.Exec(ctx, "delete from t") // want `transaction tx .* holds a connection of pool .*holdacross/same-pool`
		return err
	})
}

func pgxBeginFuncOk(ctx context.Context, pool *pgxpool.Pool) error {
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, "delete from t")
		return err
	})
}

func pgxAcquireBad(ctx context.Context, pool *pgxpool.Pool) error {
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	http.Get(peer) // want `connection conn .* is held across an outbound call.*holdacross/conn-outbound`
	return nil
}

func pgxAcquireOk(ctx context.Context, pool *pgxpool.Pool) error {
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return err
	}
	conn.Release()
	http.Get(peer)
	return nil
}

func pgxRowsBad(ctx context.Context, pool *pgxpool.Pool) error {
	rows, err := pool.Query(ctx, "select url from t")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		http.Get(peer) // want `open rows .* is held across an outbound call.*holdacross/rows-outbound`
	}
	return rows.Err()
}

func pgxRowsSamePoolBad(ctx context.Context, pool *pgxpool.Pool) error {
	rows, err := pool.Query(ctx, "select id from t")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		pool.QueryRow(ctx, "select 1") // want `open rows .* holds a connection of pool .*holdacross/same-pool`
	}
	return rows.Err()
}

func pgxCollectOk(ctx context.Context, pool *pgxpool.Pool) ([]string, error) {
	rows, err := pool.Query(ctx, "select url from t")
	if err != nil {
		return nil, err
	}
	urls, err := pgx.CollectRows(rows, pgx.RowTo[string])
	http.Get(peer)
	return urls, err
}

func pgxParameterBad(ctx context.Context, tx pgx.Tx) {
	http.Get(peer) // want `transaction tx \(held by the caller\) .*holdacross/tx-outbound`
}

// sqlx

func sqlxBad(db *sqlx.DB) error {
	tx, err := db.Beginx()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	http.Get(peer) // want `transaction tx .*holdacross/tx-outbound`
	return tx.Commit()
}

func sqlxSamePoolBad(db *sqlx.DB) error {
	tx, err := db.Beginx()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var list []int
	db.Select(&list, "select id from t") // want `transaction tx .* holds a connection of db .*holdacross/same-pool`
	return tx.Commit()
}

func sqlxOk(db *sqlx.DB) error {
	var list []int
	if err := db.Select(&list, "select id from t"); err != nil {
		return err
	}
	http.Get(peer)
	tx, err := db.Beginx()
	if err != nil {
		return err
	}
	tx.Select(&list, "select id from t")
	return tx.Commit()
}

func sqlxRowsBad(db *sqlx.DB) {
	rows, err := db.Queryx("select url from t")
	if err != nil {
		return
	}
	for rows.Next() {
		http.Get(peer) // want `open rows .*holdacross/rows-outbound`
	}
}

// gorm

func gormTransactionBad(db *gorm.DB) error {
	return db.Transaction(func(tx *gorm.DB) error {
		http.Get(peer) // want `transaction tx .* is held across an outbound call.*holdacross/tx-outbound`
		return tx.Create(&struct{}{}).Error
	})
}

func gormSamePoolBad(db *gorm.DB) error {
	return db.Transaction(func(tx *gorm.DB) error {
		return db.Create(&struct{}{}).Error // want `transaction tx .* holds a connection of db .*holdacross/same-pool`
	})
}

func gormOk(db *gorm.DB) error {
	http.Get(peer)
	return db.Transaction(func(tx *gorm.DB) error {
		return tx.Where("id = ?", 1).Delete(&struct{}{}).Error
	})
}

func gormBeginBad(db *gorm.DB) error {
	tx := db.Begin()
	defer tx.Rollback()
	http.Get(peer) // want `transaction tx .*holdacross/tx-outbound`
	return tx.Commit().Error
}

func gormBeginOk(db *gorm.DB) error {
	tx := db.Begin()
	tx.Create(&struct{}{})
	if err := tx.Commit().Error; err != nil {
		return err
	}
	http.Get(peer)
	return db.Create(&struct{}{}).Error
}

func gormChainSamePoolBad(db *gorm.DB) error {
	tx := db.Begin()
	defer tx.Rollback()
	db.Where("id = ?", 1).First(&struct{}{}) // want `transaction tx .* holds a connection of db .*holdacross/same-pool`
	return tx.Commit().Error
}

// bbolt: a write transaction in a read transaction of one goroutine waits for
// itself when the file has to grow.

func boltBad(db *bolt.DB) error {
	return db.View(func(tx *bolt.Tx) error {
		return db.Update(func(tx *bolt.Tx) error { // want `transaction tx .*holdacross/same-pool`
			return nil
		})
	})
}

func boltOutboundBad(db *bolt.DB) error {
	return db.Update(func(tx *bolt.Tx) error {
		http.Get(peer) // want `transaction tx .*holdacross/tx-outbound`
		return nil
	})
}

func boltOk(db *bolt.DB) error {
	if err := db.View(func(tx *bolt.Tx) error {
		tx.Bucket([]byte("a")).Get([]byte("k"))
		return nil
	}); err != nil {
		return err
	}
	http.Get(peer)
	return db.Update(func(tx *bolt.Tx) error { return tx.Bucket([]byte("a")).Put([]byte("k"), nil) })
}

func boltSleepBad(tx *bolt.Tx) {
	time.Sleep(time.Second) // want `transaction tx \(held by the caller\) is held across a sleep of 1s.*holdacross/tx-outbound`
}

// A lock across a statement of any of them.

type cache struct {
	mu     sync.Mutex
	values map[string]string
}

func (c *cache) pgxBad(ctx context.Context, pool *pgxpool.Pool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	pool.Exec(ctx, "delete from t") // want `c\.mu .* is held across a database call \(\(\*pgxpool\.Pool\)\.Exec\)`
}

func (c *cache) gormBad(db *gorm.DB) {
	c.mu.Lock()
	defer c.mu.Unlock()
	db.Where("id = ?", 1).Find(&c.values) // want `c\.mu .* is held across a database call`
}

// pop

func popTxBad(c *pop.Connection, u any) error {
	return c.Transaction(func(tx *pop.Connection) error {
		if err := tx.Create(u); err != nil {
			return err
		}
		_, err := http.Get(peer) // want `transaction tx .* is held across an outbound call.*holdacross/tx-outbound`
		return err
	})
}

func popSamePoolBad(c *pop.Connection, u any) error {
	return c.Transaction(func(tx *pop.Connection) error {
		return c.Where("id = ?", 1).First(u) // want `takes a second one of the same pool.*holdacross/same-pool`
	})
}

func popTxOk(c *pop.Connection, u any) error {
	err := c.Transaction(func(tx *pop.Connection) error {
		return tx.Where("id = ?", 1).First(u)
	})
	if err != nil {
		return err
	}
	_, err = http.Get(peer)
	return err
}

// A connection of the program's own that wraps one, and begins a transaction
// unless there is one.
type popConn struct {
	*pop.Connection
	inTx bool
}

func (c *popConn) Transaction(fn func(*popConn) error) error {
	if !c.inTx {
		return c.Connection.Transaction(func(tx *pop.Connection) error {
			return fn(&popConn{tx, true})
		})
	}
	return fn(c)
}

func popWrapperBad(c *popConn, u any) error {
	return c.Transaction(func(tx *popConn) error {
		if err := tx.Create(u); err != nil {
			return err
		}
		_, err := http.Get(peer) // want `is held across an outbound call.*holdacross/tx-outbound`
		return err
	})
}

func popWrapperOk(c *popConn, u any) error {
	return c.Transaction(func(tx *popConn) error { return tx.Create(u) })
}

// A wrapper whose function gets the transaction in a literal of the wrapper.

func gormInTx(db *gorm.DB, fn func(*gorm.DB) error) error {
	return db.Transaction(func(tx *gorm.DB) error {
		return fn(tx.Debug())
	})
}

func gormWrapperBad(db *gorm.DB, u any) error {
	return gormInTx(db, func(tx *gorm.DB) error {
		_, err := http.Get(peer) // want `is held across an outbound call.*holdacross/tx-outbound`
		return err
	})
}

func gormWrapperSamePoolBad(db *gorm.DB, u any) error {
	return gormInTx(db, func(tx *gorm.DB) error {
		return db.Create(u).Error // want `takes a second one of the same pool.*holdacross/same-pool`
	})
}

func gormWrapperOk(db *gorm.DB, u any) error {
	return gormInTx(db, func(tx *gorm.DB) error { return tx.Create(u).Error })
}
