package ok

import (
	"context"
	"database/sql"
	"net/http"
	"time"
)

// The call comes before the begin, or after the commit.
func beforeOk(db *sql.DB) error {
	http.Get(peer)
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	tx.Exec("insert into t values (1)")
	return tx.Commit()
}

func afterOk(db *sql.DB) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	http.Get(peer)
	db.Exec("update t set n = 1")
	return nil
}

// Where begin has failed there is no transaction.
func errorBranchOk(db *sql.DB) {
	tx, err := db.Begin()
	if err != nil {
		http.Get(peer)
		db.Exec("insert into errors values (1)")
		return
	}
	tx.Rollback()
}

func errorElseOk(db *sql.DB) {
	if tx, err := db.Begin(); err == nil {
		tx.Rollback()
	} else {
		http.Get(peer)
	}
}

// The transaction is given to somebody else.
type holder struct{ tx *sql.Tx }

func (h *holder) storedOk(db *sql.DB) {
	tx, err := db.Begin()
	if err != nil {
		return
	}
	h.tx = tx
	http.Get(peer)
}

func returnedOk(db *sql.DB) (*sql.Tx, error) {
	tx, err := db.Begin()
	return tx, err
}

func sentOk(db *sql.DB, out chan<- *sql.Tx) {
	tx, err := db.Begin()
	if err != nil {
		return
	}
	select {
	case out <- tx:
	default:
		tx.Rollback()
	}
	http.Get(peer)
}

func capturedByGoOk(db *sql.DB) {
	tx, err := db.Begin()
	if err != nil {
		return
	}
	go func() {
		defer tx.Rollback()
		tx.Exec("delete from t")
	}()
	http.Get(peer)
}

func passedToGoOk(db *sql.DB) {
	tx, err := db.Begin()
	if err != nil {
		return
	}
	go finish(tx)
	http.Get(peer)
}

func finish(tx *sql.Tx) { tx.Commit() }

func putIntoMapOk(db *sql.DB, open map[int]*sql.Tx) {
	tx, err := db.Begin()
	if err != nil {
		return
	}
	open[1] = tx
	http.Get(peer)
}

// A helper commits.
func helperCommitsOk(db *sql.DB) {
	tx, err := db.Begin()
	if err != nil {
		return
	}
	finish(tx)
	http.Get(peer)
}

func finishIf(tx *sql.Tx, err *error) {
	if *err != nil {
		tx.Rollback()
		return
	}
	*err = tx.Commit()
}

func helperRollsBackOrCommitsOk(db *sql.DB) (err error) {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	finishIf(tx, &err)
	http.Get(peer)
	return err
}

// Deferred last, it runs first.
func deferredCommitOk(db *sql.DB) {
	defer http.Get(peer)
	tx, err := db.Begin()
	if err != nil {
		return
	}
	defer tx.Commit()
	tx.Exec("delete from t")
}

// Work on the transaction itself is what it is for.
func ownWorkOk(ctx context.Context, db *sql.DB) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, "update t set n = 1"); err != nil {
		return err
	}
	rows, err := tx.QueryContext(ctx, "select 1")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
	}
	return tx.Commit()
}

// Another pool has connections of its own.
func otherPoolOk(primary, replica *sql.DB) error {
	tx, err := primary.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	replica.QueryRow("select 1")
	return tx.Commit()
}

type pools struct{ primary, replica *sql.DB }

func (p *pools) read() { p.replica.QueryRow("select 1") }

func (p *pools) otherFieldOk() error {
	tx, err := p.primary.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	p.read()
	return tx.Commit()
}

// Rows are closed, explicitly or by reading to the end.
func rowsClosedOk(db *sql.DB) error {
	rows, err := db.Query("select url from t")
	if err != nil {
		return err
	}
	var urls []string
	for rows.Next() {
		var u string
		rows.Scan(&u)
		urls = append(urls, u)
	}
	rows.Close()
	for _, u := range urls {
		http.Get(u)
	}
	return rows.Err()
}

func rowsReadToEndOk(db *sql.DB) error {
	rows, err := db.Query("select url from t")
	if err != nil {
		return err
	}
	defer rows.Close()
	n := 0
	for rows.Next() {
		n++
	}
	if err := rows.Err(); err != nil {
		return err
	}
	db.Exec("update t set n = ?", n)
	http.Get(peer)
	return nil
}

// QueryRow and Exec give their connection back themselves.
func statementsOk(db *sql.DB) {
	var n int
	db.QueryRow("select 1").Scan(&n)
	db.Exec("delete from t")
	http.Get(peer)
	time.Sleep(time.Second)
}

func connClosedOk(ctx context.Context, db *sql.DB) error {
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	conn.ExecContext(ctx, "delete from t")
	conn.Close()
	http.Get(peer)
	return db.PingContext(ctx)
}

// A callback that only does its statements.
type store struct{ db *sql.DB }

func (s *store) withTx(f func(*sql.Tx) error) error {
	tx, err := s.db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := f(tx); err != nil {
		return err
	}
	return tx.Commit()
}

func (s *store) callbackOk() error {
	http.Get(peer)
	if err := s.withTx(func(tx *sql.Tx) error {
		_, err := tx.Exec("delete from t")
		return err
	}); err != nil {
		return err
	}
	http.Get(peer)
	return s.withTx(step)
}

func step(tx *sql.Tx) error {
	_, err := tx.Exec("delete from t")
	return err
}

// The goroutine that the callback starts runs on its own.
func (s *store) callbackGoOk() error {
	return s.withTx(func(tx *sql.Tx) error {
		go outbound()
		return nil
	})
}

// A new transaction each round, committed before the pause.
func retryOk(db *sql.DB) error {
	for range 3 {
		tx, err := db.Begin()
		if err != nil {
			time.Sleep(time.Second)
			continue
		}
		if _, err := tx.Exec("update t set n = 1"); err != nil {
			tx.Rollback()
			time.Sleep(time.Second)
			continue
		}
		return tx.Commit()
	}
	return nil
}

// A deferred literal decides between commit and rollback.
func deferredLiteralOk(db *sql.DB) (err error) {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	func() {
		defer func() {
			if err != nil {
				tx.Rollback()
				return
			}
			err = tx.Commit()
		}()
		_, err = tx.Exec("delete from t")
	}()
	http.Get(peer)
	return err
}
