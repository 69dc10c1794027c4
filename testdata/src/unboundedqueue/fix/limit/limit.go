// Package limit has groups that SetLimit gives a limit.
package limit

import (
	"context"
	"net/http"

	"golang.org/x/sync/errgroup"
)

func get(ctx context.Context, url string) error {
	req, err := http.NewRequestWithContext(ctx, "GET", url, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err == nil {
		resp.Body.Close()
	}
	return err
}

func contextGood(ctx context.Context, urls []string) error {
	g, ctx := errgroup.WithContext(ctx)
	for _, url := range urls {
		g.Go(func() error { return get(ctx, url) }) // want `has no limit`
	}
	return g.Wait()
}

func varGood(ctx context.Context, urls []string) error {
	var g errgroup.Group // waits for all
	for _, url := range urls {
		g.Go(func() error { return get(ctx, url) }) // want `has no limit`
	}
	return g.Wait()
}

func allocGood(ctx context.Context, urls []string) error {
	g := new(errgroup.Group)
	for _, url := range urls {
		g.Go(func() error { // want `has no limit`
			return get(ctx, url)
		})
	}
	return g.Wait()
}

func minusOneGood(ctx context.Context, urls []string) error {
	g := &errgroup.Group{}
	g.SetLimit(-1)
	for _, url := range urls {
		g.Go(func() error { return get(ctx, url) }) // want `has no limit`
	}
	return g.Wait()
}

// The tasks may wait for each other.
func resultsJudge(ctx context.Context, urls []string, results chan<- string) error {
	g, ctx := errgroup.WithContext(ctx)
	for _, url := range urls {
		g.Go(func() error { // want `has no limit`
			err := get(ctx, url)
			results <- url
			return err
		})
	}
	return g.Wait()
}
