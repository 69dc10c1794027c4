// Package poolsize gives its pool a constant size, which makes the cost of a
// mistake a number.
package poolsize

import (
	"database/sql"
	"net/http"
)

func open(name string) (*sql.DB, error) {
	db, err := sql.Open("driver", name)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(25)
	return db, nil
}

func outboundBad(db *sql.DB) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	http.Get("http://peer.example") // want `a wait of 1 s lets the pool of 25 serve no more than 25 requests/s`
	return tx.Commit()
}

func samePoolBad(db *sql.DB) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	db.Exec("delete from t") // want `with 25 connections, 25 such calls at once wait for each other for ever`
	return tx.Commit()
}
