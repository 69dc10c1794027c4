// Package use has tasks of the pools of another package.
package use

import (
	"context"

	"selfsubmit/crosspkg/dep"

	"golang.org/x/sync/errgroup"
)

func submitBad(w *dep.Workers, do func()) {
	w.Submit(func() {
		w.Submit(do) // want `task of w.tasks .*chan-worker`
	})
}

func otherWorkersOk(a, b *dep.Workers, do func()) {
	a.Submit(func() { b.Submit(do) })
	a.Submit(func() {
		if !a.TrySubmit(do) {
			do()
		}
	})
}

type app struct{ bus *dep.Bus }

func (a *app) wire() {
	a.bus.Subscribe("created", a.handlerBad)
	a.bus.Subscribe("deleted", func(e string) {
		a.publish(e)
	})
}

func (a *app) handlerBad(e string) {
	a.bus.Publish("indexed") // want `task of a.bus.events .*chan-worker`
}

func (a *app) publish(e string) {
	a.bus.Publish(e) // want `task of a.bus.events .*chan-worker`
}

func spawnBad(dir string, read func(string) []string) error {
	var g errgroup.Group
	g.SetLimit(4)
	dep.Spawn(&g, func() error {
		for range read(dir) {
			dep.Spawn(&g, func() error { return nil }) // want `task of g .*errgroup-nested`
		}
		return nil
	})
	return g.Wait()
}

func limitedElsewhereBad(do func() error) error {
	g := dep.Limited(2)
	g.Go(func() error {
		g.Go(do) // want `task of g .*errgroup-nested`
		return nil
	})
	return g.Wait()
}

func unlimitedOk(do func() error) error {
	var g errgroup.Group
	dep.Spawn(&g, func() error {
		dep.Spawn(&g, do)
		return nil
	})
	return g.Wait()
}

func count(ctx context.Context, db *dep.DB) error {
	tx, err := db.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	return nil
}

func tokenBad(ctx context.Context, db *dep.DB) error {
	tx, err := db.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	return count(ctx, db) // want `a slot of db.slots is held .*token-nested`
}

func tokenOk(ctx context.Context, db *dep.DB) error {
	if err := count(ctx, db); err != nil {
		return err
	}
	return count(ctx, db)
}

// A pool by hand.

func spawnerBad(s *dep.Spawner, dirs []string, do func(string)) {
	for _, d := range dirs {
		s.Go(func() {
			s.Go(func() { do(d) }) // want `task of s.slots \(line \d+\) → \(\*dep.Spawner\).Go → waits until a task of s.slots ends.*pool-submit`
		})
	}
}

type indexer struct{ by *dep.Spawner }

func (x *indexer) indexBad(ctx context.Context, dir string, under func(string) []string) {
	for _, d := range under(dir) {
		_ = x.by.GoContext(ctx, func() { x.indexBad(ctx, d, under) }) // want `task of x.by.sem .*pool-submit`
	}
}

func spawnerOk(a, b *dep.Spawner, do func()) {
	a.Go(func() { b.Go(do) })
	a.Go(func() { go a.Go(do) })
	a.Early(func() { a.Early(do) })
	a.Go(do)
	a.Go(do)
}
