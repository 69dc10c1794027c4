// Package use calls dep in loops.
package use

import (
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
