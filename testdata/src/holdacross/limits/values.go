package limits

import (
	"database/sql"
)

// A constructor that calls another one loses the pool: only fields that are set
// from a parameter itself are followed.
type inner struct{ db *sql.DB }

type outer struct{ in *inner }

func newInner(db *sql.DB) *inner { return &inner{db: db} }

func newOuter(db *sql.DB) *outer { return &outer{in: newInner(db)} }

func FN_constructorOfConstructor(db *sql.DB) error {
	o := newOuter(db)
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	o.in.db.Exec("delete from t")
	return tx.Commit()
}
