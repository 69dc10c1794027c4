// Package walk has a group that another package makes round one of a library.
package walk

import (
	"context"
	"io/fs"
	"net/http"
	"path/filepath"

	"unboundedqueue/crosspkg/dep"
)

func walkBad(ctx context.Context, root string) error {
	g := dep.NewGroup(ctx)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		g.Go(func() error { // want `errgroup-nolimit`
			_, err := http.Get(path)
			return err
		})
		return nil
	})
	g.Wait()
	return err
}

func limitedOk(ctx context.Context, root string) error {
	g := dep.LimitedGroup(ctx, 8)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		g.Go(func() error {
			_, err := http.Get(path)
			return err
		})
		return nil
	})
	g.Wait()
	return err
}
