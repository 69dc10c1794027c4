package store

import (
	"context"
	"fmt"
	"os/exec"
	"time"
)

// backupTime is how long a backup may take. An instance that dies during one
// keeps the others from theirs for no longer than that.
const backupTime = time.Hour

// Backup dumps the orders into a file, unless another instance is at it.
func (s *Store) Backup(ctx context.Context, file string) error {
	ctx, cancel := context.WithTimeout(ctx, backupTime)
	defer cancel()
	ours, err := s.claimBackup(ctx)
	if err != nil || !ours {
		return err
	}
	if err := dump(ctx, file); err != nil {
		return err
	}
	_, err = s.db.ExecContext(ctx, `UPDATE backup SET until = now()`)
	return err
}

// claimBackup makes this instance the one that dumps.
func (s *Store) claimBackup(ctx context.Context) (bool, error) {
	const query = `UPDATE backup SET until = now() + $1 * interval '1 second' WHERE until <= now()`
	res, err := s.db.ExecContext(ctx, query, backupTime.Seconds())
	if err != nil {
		return false, fmt.Errorf("claim backup: %w", err)
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// dump runs the database's own tool.
func dump(ctx context.Context, file string) error {
	cmd := exec.CommandContext(ctx, "pg_dump", "--format=custom", "--table=orders", "--file="+file, "shop")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("pg_dump: %w: %s", err, out)
	}
	return nil
}
