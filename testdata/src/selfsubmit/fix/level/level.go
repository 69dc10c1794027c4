// Package level has tasks that can have a group of their own.
package level

import (
	"context"

	"golang.org/x/sync/errgroup"
)

func partsJudge(items []string, parts func(string) []string, do func(string) error) error {
	var g errgroup.Group
	g.SetLimit(4)
	for _, it := range items {
		g.Go(func() error {
			for _, p := range parts(it) {
				g.Go(func() error { return do(p) }) // want `errgroup-nested`
			}
			return nil
		})
	}
	return g.Wait()
}

// The task looks first whether there is something to do.
func earlyJudge(ctx context.Context, n int, items []string, do func(context.Context, string) error) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(n)
	for _, it := range items {
		g.Go(func() error {
			if it == "" {
				return nil
			}
			if err := do(ctx, it); err != nil {
				return err
			}
			// What follows can wait.
			for i := range 3 {
				if i == 1 {
					continue
				}
				g.Go(func() error { // want `errgroup-nested`
					return do(ctx, it)
				})
			}
			return nil
		})
	}
	return g.Wait()
}

// No second fix: it would make a group at each level of the recursion, leave
// tasks behind, wait in a function that others call, or wait too early.

func recursionJudge(root string, read func(string) []string) error {
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

func leavesJudge(items []string, parts func(string) ([]string, error), do func(string) error) error {
	var g errgroup.Group
	g.SetLimit(4)
	for _, it := range items {
		g.Go(func() error {
			for _, s := range it {
				more, err := parts(string(s))
				if err != nil {
					return err
				}
				g.Go(func() error { return do(more[0]) }) // want `errgroup-nested`
			}
			return nil
		})
	}
	return g.Wait()
}

func helper(items []string, do func(string) error) error {
	var g errgroup.Group
	g.SetLimit(4)
	for _, it := range items {
		g.Go(func() error { return againGood(&g, it, do) })
	}
	return g.Wait()
}

func againGood(g *errgroup.Group, it string, do func(string) error) error {
	g.Go(func() error { return do(it) }) // want `errgroup-nested`
	return nil
}

func laterJudge(items []string, do func(string) error) error {
	var g errgroup.Group
	g.SetLimit(4)
	for _, it := range items {
		g.Go(func() error {
			g.Go(func() error { return do(it) }) // want `errgroup-nested`
			return do("the rest of " + it)
		})
	}
	return g.Wait()
}
