// Package limits pins what is not found, each with a paragraph why.
package limits

import "net/http"

// A recursion is a loop, too, but what ends it is not looked at.
func crawlBad(url string, links func(string) []string) {
	for _, next := range links(url)[:1] {
		go crawlBad(next, links)
	}
}

// The loop receives what its goroutines send, so it seems to wait for them in
// each round. But it may as well start the next one first.
func resultsBad(in <-chan string, stop chan struct{}) {
	results := make(chan error)
	for {
		select {
		case url := <-in:
			go func() {
				_, err := http.Get(url)
				results <- err
			}()
		case <-results:
		case <-stop:
			return
		}
	}
}
