// Package workpool has goroutines that a pool of the runtime module can run: the
// second fix of each.
package workpool

import (
	"context"
	"net/http"
	"sync"
)

func get(url string) {
	resp, err := http.Get(url)
	if err == nil {
		resp.Body.Close()
	}
}

func ctxGood(ctx context.Context, in <-chan string) {
	for url := range in {
		go get(url) // want `go-per-item`
	}
}

func errorGood(ctx context.Context, in <-chan string) error {
	for url := range in {
		if url == "" {
			continue
		}
		// One at a time would be too slow.
		go func() { // want `go-per-item`
			get(url)
			get(url + "/again")
		}()
	}
	return ctx.Err()
}

func resultsGood(ctx context.Context, in <-chan string) (int, error) {
	n := 0
	for url := range in {
		n++
		go get(url) // want `go-per-item`
	}
	return n, nil
}

func listGood(urls []string) {
	var wg sync.WaitGroup
	for _, url := range urls {
		wg.Add(1)
		go func() { // want `go-per-item`
			defer wg.Done()
			get(url)
		}()
	}
	wg.Wait()
}
