// Package use calls dep in loops.
package use

import (
	"context"
	"net/http"

	"unboundedqueue/crosspkg/dep"
)

func notifyBad(urls <-chan string) {
	for url := range urls {
		dep.Notify(url) // want `every value that is received from urls \(go http\.Get via dep\.Notify\) .*outbound call.*go-per-item`
	}
}

func asyncBad(urls <-chan string) {
	for url := range urls {
		dep.Async(func() { http.Get(url) }) // want `outbound call.*go-per-item`
	}
}

func readerBad(r *dep.Reader) {
	for {
		msg, err := r.Next()
		if err != nil {
			return
		}
		go http.Get(string(msg)) // want `every message that is read .*go-per-item`
	}
}

func limitedOk(l *dep.Limited, urls <-chan string) {
	for url := range urls {
		l.Notify(url)
	}
}

func joinedOk(pairs <-chan [2]string) {
	for p := range pairs {
		dep.NotifyAll(p)
	}
}

func groupOk(urls []string) {
	g := dep.Group()
	for _, url := range urls {
		g.Go(func() error { _, err := http.Get(url); return err })
	}
}

func eachBad(urls []string) {
	dep.Each(urls, func(url string) { http.Get(url) }) // want `every element of urls \(.* via dep\.Each\) .*each makes an outbound call .*go-per-item`
}

func ping(ctx context.Context, url string) error {
	resp, err := http.Get(url)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func gatherBad(ctx context.Context, urls []string) error {
	return dep.Gather(ctx, urls, ping) // want `the group starts a goroutine for every element of urls .*errgroup-nolimit`
}

func eachOk(urls []string, sum *int) {
	dep.Few(urls, func(url string) { http.Get(url) })
	dep.InTurn(urls, func(url string) { http.Get(url) })
	dep.Each(urls, func(url string) { *sum += len(url) })
	dep.Each([]string{"https://a.example", "https://b.example"}, func(url string) { http.Get(url) })
}
