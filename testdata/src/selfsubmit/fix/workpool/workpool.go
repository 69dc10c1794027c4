// Package workpool has pools that cannot say that they have no room.
package workpool

import (
	"fmt"

	"github.com/sourcegraph/conc/pool"
)

func nestedJudge(items []string, parts func(string) []string) {
	p := pool.New().WithMaxGoroutines(5)
	for _, it := range items {
		p.Go(func() {
			for _, s := range parts(it) {
				p.Go(func() { // want `pool-submit`
					fmt.Println(s)
				})
			}
		})
	}
	p.Wait()
}
