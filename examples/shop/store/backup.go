package store

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
)

// backupKey is the number of the advisory lock that one backup of all
// instances takes.
const backupKey = 7301

// Backup dumps the orders into a file, unless another instance is at it.
func (s *Store) Backup(ctx context.Context, file string) error {
	conn, err := s.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()

	var ours bool
	if err := conn.QueryRowContext(ctx, `SELECT pg_try_advisory_lock($1)`, backupKey).Scan(&ours); err != nil {
		return fmt.Errorf("backup lock: %w", err)
	}
	if !ours {
		return nil
	}
	err = dump(ctx, file)
	_, unlockErr := conn.ExecContext(ctx, `SELECT pg_advisory_unlock($1)`, backupKey)
	return errors.Join(err, unlockErr)
}

// dump runs the database's own tool.
func dump(ctx context.Context, file string) error {
	cmd := exec.CommandContext(ctx, "pg_dump", "--format=custom", "--table=orders", "--file="+file, "shop")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("pg_dump: %w: %s", err, out)
	}
	return nil
}
