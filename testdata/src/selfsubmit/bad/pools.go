package bad

import (
	"sync"

	"github.com/Jeffail/tunny"
	pond1 "github.com/alitto/pond"
	"github.com/alitto/pond/v2"
	"github.com/gammazero/workerpool"
	"github.com/panjf2000/ants/v2"
	"github.com/sourcegraph/conc/pool"
)

type resizer struct{ pool *ants.Pool }

func newResizer() (*resizer, error) {
	p, err := ants.NewPool(10)
	if err != nil {
		return nil, err
	}
	return &resizer{pool: p}, nil
}

func (r *resizer) Resize(photo string) error {
	return r.pool.Submit(func() { r.uploadBad(photo) })
}

func (r *resizer) uploadBad(photo string) {
	var wg sync.WaitGroup
	for range 3 {
		wg.Add(1)
		_ = r.pool.Submit(func() { // want `task of r.pool \(line \d+\) → \(\*ants.Pool\).Submit → waits until a task of r.pool ends: 10 tasks that do so at once wait for each other for ever .*pool-submit`
			defer wg.Done()
		})
	}
	wg.Wait()
}

func submitWaitBad(do func()) {
	wp := workerpool.New(2)
	wp.Submit(func() {
		wp.SubmitWait(do) // want `task of wp \(line \d+\) → \(\*workerpool.WorkerPool\).SubmitWait → waits for a task of wp: 2 tasks that do so at once wait for tasks that no worker is left for .*pool-wait`
	})
}

// The queue has no bound, the wait has no end.
func joinBad(items []int, do func(int) int) {
	wp := workerpool.New(4)
	for _, it := range items {
		wp.Submit(func() {
			out := make(chan int, 1)
			wp.Submit(func() { out <- do(it) })
			<-out // want `task of wp \(line \d+\) → waits in receive from out → for a task of wp \(line \d+\): 4 tasks .*pool-wait`
		})
	}
}

func groupInTaskBad(p pond.Pool, parts []func()) {
	p.Submit(func() {
		g := p.NewGroup()
		for _, f := range parts {
			g.Submit(f)
		}
		_ = g.Wait() // want `task of p .*TaskGroup.* → waits for a task of p: as many tasks as there are workers that do so .*pool-wait`
	})
}

func taskInTaskBad(parts func() int) {
	p := pond.NewPool(3)
	p.Submit(func() {
		t := p.Submit(func() { parts() })
		_ = t.Wait() // want `→ waits for a task of p: 3 tasks .*pool-wait`
	})
}

func concBad(items []int, do func(int)) {
	p := pool.New().WithMaxGoroutines(5)
	for _, it := range items {
		p.Go(func() {
			p.Go(func() { do(it) }) // want `task of p .*Pool\).Go → waits until a task of p ends: 5 tasks .*pool-submit`
		})
	}
	p.Wait()
}

func funcPoolBad() (*ants.PoolWithFunc, error) {
	var wp *ants.PoolWithFunc
	wp, err := ants.NewPoolWithFunc(6, func(v any) {
		if v == nil {
			_ = wp.Invoke(1) // want `task of wp .*Invoke → waits until a task of wp ends: 6 tasks .*pool-submit`
		}
	})
	return wp, err
}

func processBad() *tunny.Pool {
	var p *tunny.Pool
	p = tunny.NewFunc(2, func(v any) any {
		return p.Process(v) // want `task of p .*Process → waits .*: 2 tasks .*pool-submit|pool-wait`
	})
	return p
}

func oldPondBad(do func()) {
	p := pond1.New(3, 0)
	p.Submit(func() {
		p.SubmitAndWait(do) // want `task of p .*SubmitAndWait → .*3 tasks .*selfsubmit/pool-submit`
	})
	p.Submit(func() {
		g := p.Group()
		g.Submit(do) // want `task of p .*Submit → waits until a task of p ends: 3 tasks .*pool-submit`
		g.Wait()     // want `task of p .*Wait → waits for a task of p: 3 tasks .*pool-wait`
	})
}

// Two pools whose tasks submit to each other.
type stages struct{ fetch, parse *ants.Pool }

func (s *stages) fetchPage(url string) {
	_ = s.fetch.Submit(func() { s.parsePage(url) })
}

func (s *stages) twoPoolsBad(url string) {
	_ = s.parse.Submit(func() { s.fetchPage(url) }) // want `task of s.fetch \(line \d+\) → \(\*ants.Pool\).Submit → room in s.parse → task of s.parse → \(\*ants.Pool\).Submit \(line \d+\) → room in s.fetch: when both are full, each waits for the other for ever .*pool-submit`
}

func (s *stages) parsePage(url string) { s.twoPoolsBad(url) }
