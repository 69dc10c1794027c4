// Package bad has tasks that wait for their own pool.
package bad

import (
	"context"
	"sync"

	"golang.org/x/sync/errgroup"
)

func nestedGoBad(items []string, parts func(string) []string, do func(string) error) error {
	var g errgroup.Group
	g.SetLimit(4)
	for _, it := range items {
		g.Go(func() error {
			for _, p := range parts(it) {
				g.Go(func() error { return do(p) }) // want `task of g \(line 15\) → \(\*errgroup.Group\).Go → waits until a task of g ends: 4 tasks that do so at once wait for each other for ever \[selfsubmit/errgroup-nested\]`
			}
			return nil
		})
	}
	return g.Wait()
}

func withContextBad(ctx context.Context, items []string, do func(context.Context, string) error) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(2)
	for _, it := range items {
		g.Go(func() error {
			if err := do(ctx, it); err != nil {
				g.Go(func() error { return do(ctx, it) }) // want `task of g .* 2 tasks that do so at once .*errgroup-nested`
			}
			return nil
		})
	}
	return g.Wait()
}

// The group is a parameter of the helper that recurses.
func passedBad(root string, read func(string) []string) error {
	g := new(errgroup.Group)
	g.SetLimit(8)
	g.Go(func() error { return visitPassed(g, root, read) })
	return g.Wait()
}

func visitPassed(g *errgroup.Group, dir string, read func(string) []string) error {
	for _, s := range read(dir) {
		g.Go(func() error { return visitPassed(g, s, read) }) // want `task of g .*errgroup-nested`
	}
	return nil
}

type crawler struct {
	g    errgroup.Group
	read func(string) ([]string, error)
}

func newCrawler(n int) *crawler {
	c := &crawler{}
	c.g.SetLimit(n)
	return c
}

func (c *crawler) fieldBad(url string) error {
	links, err := c.read(url)
	for _, l := range links {
		c.spawn(l)
	}
	return err
}

func (c *crawler) spawn(url string) {
	c.g.Go(func() error { return c.fieldBad(url) }) // want `task of c.g .* → \(\*errgroup.Group\).Go .*errgroup-nested`
}

// A method value is a task, too.
type visitor struct {
	g    *errgroup.Group
	todo []string
}

func newVisitor() *visitor {
	v := &visitor{g: new(errgroup.Group)}
	v.g.SetLimit(3)
	return v
}

func (v *visitor) start() { v.g.Go(v.step) }

func (v *visitor) step() error {
	if len(v.todo) > 0 {
		v.g.Go(v.step) // want `task of v.g .*errgroup-nested`
	}
	return nil
}

// Wait in a task waits for the task itself, with a limit or without.
func waitInTaskBad(do func() error) error {
	var g errgroup.Group
	g.Go(func() error {
		g.Go(do)
		return g.Wait() // want `task of g \(line \d+\) → \(\*errgroup.Group\).Wait → waits for every task of g, itself among them: deadlock .*pool-wait`
	})
	return g.Wait()
}

// A task that waits for one of its own group needs two places.
func resultOfTaskBad(items []int, do func(int) int) error {
	var g errgroup.Group
	g.SetLimit(1)
	for _, it := range items {
		g.Go(func() error {
			out := make(chan int, 1)
			if !g.TryGo(func() error { out <- do(it); return nil }) {
				out <- do(it)
			}
			var wg sync.WaitGroup
			wg.Add(1)
			g.Go(func() error { defer wg.Done(); return nil }) // want `one task .*errgroup-nested`
			wg.Wait()
			<-out
			return nil
		})
	}
	return g.Wait()
}

// A group that is embedded, with a method of its own that adds tasks.
type recovering struct{ errgroup.Group }

func (g *recovering) goRecovered(f func()) {
	g.Group.Go(func() (err error) {
		defer func() {
			if recover() != nil {
				err = context.Canceled
			}
		}()
		f()
		return nil
	})
}

func embeddedBad(streams []string, targets []string, send func(string, string)) error {
	g := recovering{}
	g.SetLimit(5)
	for _, s := range streams {
		g.goRecovered(func() {
			for _, t := range targets {
				g.goRecovered(func() { send(s, t) }) // want `task of g.Group \(line \d+\) → \(\*errgroup.Group\).Go via .*goRecovered → waits until .* 5 tasks .*errgroup-nested`
			}
		})
	}
	return g.Wait()
}
