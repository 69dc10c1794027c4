package workpool

import (
	"log"

	"github.com/sourcegraph/conc/pool"
)

func namedJudge(n int, first, second func()) {
	log.Print(n)
	p := pool.New().WithMaxGoroutines(n)
	p.Go(first)
	p.Go(func() {
		p.Go(second) // want `pool-submit`
	})
	p.Wait()
}
