package bad

import (
	"context"
	"net/http"

	"golang.org/x/sync/errgroup"
)

func get(url string) error {
	resp, err := http.Get(url)
	if err == nil {
		resp.Body.Close()
	}
	return err
}

func groupBad(ctx context.Context, urls []string) error {
	g, _ := errgroup.WithContext(ctx)
	for _, url := range urls {
		g.Go(func() error { return get(url) }) // want `the group starts a goroutine for every element of urls and has no limit: each makes an outbound call; call SetLimit .*errgroup-nolimit`
	}
	return g.Wait()
}

func zeroBad(urls []string) error {
	var g errgroup.Group
	for _, url := range urls {
		g.Go(func() error { return get(url) }) // want `errgroup-nolimit`
	}
	return g.Wait()
}

func minusOneBad(urls []string) error {
	g := new(errgroup.Group)
	g.SetLimit(-1)
	for _, url := range urls {
		g.Go(func() error { return get(url) }) // want `errgroup-nolimit`
	}
	return g.Wait()
}

func channelGroupBad(in <-chan string) error {
	var g errgroup.Group
	for url := range in {
		g.Go(func() error { return get(url) }) // want `for every value that is received from in and has no limit.*errgroup-nolimit`
	}
	return g.Wait()
}

// A helper that makes the group without a limit.
func newGroup(ctx context.Context) (*errgroup.Group, context.Context) {
	return errgroup.WithContext(ctx)
}

func madeBad(ctx context.Context, urls []string) error {
	g, _ := newGroup(ctx)
	for _, url := range urls {
		g.Go(func() error { return get(url) }) // want `errgroup-nolimit`
	}
	return g.Wait()
}
