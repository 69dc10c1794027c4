package bad

import (
	"context"
	"net/http"
	"os/exec"
	"sync"

	"golang.org/x/sync/errgroup"
)

// A helper that starts its function for every element, and waits for all.
func each(list []string, f func(string)) {
	var wg sync.WaitGroup
	for _, s := range list {
		wg.Add(1)
		go func() {
			defer wg.Done()
			f(s)
		}()
	}
	wg.Wait()
}

func eachBad(urls []string) {
	each(urls, func(url string) { http.Get(url) }) // want `every element of urls \(go .* via each\) .*each makes an outbound call .*go-per-item`
}

func gather[T, R any](ctx context.Context, list []T, f func(context.Context, T) (R, error)) ([]R, error) {
	out := make([]R, len(list))
	g, ctx := errgroup.WithContext(ctx)
	for i, v := range list {
		g.Go(func() (err error) {
			out[i], err = f(ctx, v)
			return err
		})
	}
	return out, g.Wait()
}

func status(ctx context.Context, url string) (int, error) {
	resp, err := http.Get(url)
	if err != nil {
		return 0, err
	}
	return resp.StatusCode, resp.Body.Close()
}

func gatherBad(ctx context.Context, urls []string) ([]int, error) {
	return gather(ctx, urls, status) // want `the group starts a goroutine for every element of urls .*errgroup-nolimit`
}

// SetLimit(-1) sets none, whoever the list belongs to.
const parallel = -1

type checkout struct{ dirs []string }

func (c *checkout) pullBad(ctx context.Context) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(parallel)
	for _, d := range c.dirs {
		g.Go(func() error { return exec.CommandContext(ctx, "git", "-C", d, "pull").Run() }) // want `errgroup-nolimit`
	}
	return g.Wait()
}
