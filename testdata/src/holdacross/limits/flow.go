package limits

import (
	"iter"
	"net/http"
	"slices"
	"sync"
)

type cache struct {
	mu     sync.Mutex
	values map[string]string
}

// The body of a range over a function becomes a literal. It is handed to an
// iterator that nothing is known of, and such a literal is taken to run
// elsewhere; but the language lets the body of a range run nowhere but here.
func (c *cache) FN_rangeFunc(seq iter.Seq[int]) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for range seq {
		http.Get(peer)
	}
}

func (c *cache) FN_rangeSlices(list []int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for range slices.Values(list) {
		http.Get(peer)
	}
}
