// Package try has submits that run in the task where there is no room.
package try

import (
	"context"

	"github.com/alitto/pond"
	"golang.org/x/sync/errgroup"
)

func lastGood(do func() error) error {
	var g errgroup.Group
	g.SetLimit(2)
	g.Go(func() error {
		g.Go(do) // want `errgroup-nested`
		return nil
	})
	return g.Wait()
}

func loopJudge(root string, read func(string) []string) error {
	var g errgroup.Group
	g.SetLimit(2)
	var visit func(string) error
	visit = func(dir string) error {
		for _, s := range read(dir) {
			g.Go(func() error { return visit(s) }) // want `errgroup-nested`
		}
		return nil
	}
	g.Go(func() error { return visit(root) })
	return g.Wait()
}

func severalLinesJudge(ctx context.Context, items []int, do func(context.Context, int) error) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(2)
	for _, it := range items {
		g.Go(func() error {
			for range it {
				// Each part is a task.
				g.Go(func() error { // want `errgroup-nested`
					err := do(ctx, it)
					return err
				})
			}
			return nil
		})
	}
	return g.Wait()
}

func oldPondGood(do func()) {
	p := pond.New(3, 0)
	p.Submit(func() {
		p.Submit(do) // want `pool-submit`
	})
}
