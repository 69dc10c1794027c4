// Package mid stands between the loop and what waits.
package mid

import "blockinloop/crosspkg/dep"

// Refresh asks for all.
func Refresh(urls []string) {
	for _, url := range urls {
		dep.Fetch(url)
	}
}
