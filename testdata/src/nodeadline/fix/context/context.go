// Package context_ passes on the context that is at hand.
package context_

import (
	"context"
	"database/sql"
	"net/http"
	"os/exec"
)

type store struct{ db *sql.DB }

func (s *store) execGood(ctx context.Context, id int) error {
	_, err := s.db.Exec("delete from t where id = $1", id) // want `sql`
	return err
}

func (s *store) pingGood(ctx context.Context) error {
	return s.db.Ping() // want `sql`
}

func (s *store) beginJudge(ctx context.Context) error {
	tx, err := s.db.Begin() // want `sql`
	if err != nil {
		return err
	}
	return tx.Commit()
}

func handlerGood(tx *sql.Tx) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if _, err := tx.Exec("delete from t"); err != nil { // want `sql`
			w.WriteHeader(500)
		}
	}
}

func commandGood(ctx context.Context, script string) error {
	cmd := exec.Command("sh", "-c", script)
	return cmd.Run() // want `exec`
}

func commandContextJudge(ctx context.Context, script string) error {
	return exec.CommandContext(context.Background(), "sh", "-c", script).Run() // want `exec`
}

func todoGood(ctx context.Context, db *sql.DB) error {
	_, err := db.ExecContext(context.TODO(), "delete from t") // want `ctx-none`
	return err
}

func backgroundJudge(ctx context.Context, db *sql.DB) error {
	_, err := db.ExecContext(context.Background(), "delete from t") // want `ctx-none`
	return err
}

func requestGood(ctx context.Context, url string) error {
	req, err := http.NewRequest("GET", url, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req) // want `http-client`
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func requestJudge(ctx context.Context, url string) error {
	req, err := http.NewRequestWithContext(context.Background(), "GET", url, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req) // want `http-client`
	if err != nil {
		return err
	}
	return resp.Body.Close()
}
