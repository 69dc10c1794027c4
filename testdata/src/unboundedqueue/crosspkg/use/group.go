package use

import (
	"context"
	"net/http"

	"unboundedqueue/crosspkg/dep"
)

func ctxLimitedOk(ctx context.Context, urls []string) error {
	g := dep.LimitedGroup(ctx, 8)
	for _, url := range urls {
		g.Go(func() error {
			_, err := http.Get(url)
			return err
		})
	}
	return g.Wait()
}

func ctxLimitedHereOk(ctx context.Context, urls []string) error {
	g := dep.NewGroup(ctx)
	g.SetLimit(8)
	for _, url := range urls {
		g.Go(func() error {
			_, err := http.Get(url)
			return err
		})
	}
	return g.Wait()
}

func ctxHandedOutOk(ctx context.Context, urls []string) error {
	g := dep.NewGroup(ctx)
	dep.SetUp(g)
	for _, url := range urls {
		g.Go(func() error {
			_, err := http.Get(url)
			return err
		})
	}
	return g.Wait()
}

func ctxGroupBad(ctx context.Context, urls []string) error {
	g := dep.NewGroup(ctx)
	for _, url := range urls {
		g.Go(func() error { // want `errgroup-nolimit`
			_, err := http.Get(url)
			return err
		})
	}
	return g.Wait()
}
