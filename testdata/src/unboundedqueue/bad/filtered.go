package bad

import "net/http"

// The length is counted in a loop: no number that somebody has set.
func filteredBad(urls []string, keep func(string) bool) {
	n := 0
	for _, u := range urls {
		if keep(u) {
			urls[n] = u
			n++
		}
	}
	urls = urls[:n]
	for _, u := range urls {
		go http.Get(u) // want `a goroutine is started for every element of .*go-per-item`
	}
}
