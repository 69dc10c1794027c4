package ok

import (
	"sync"
	"time"

	"github.com/Jeffail/tunny"
	pond1 "github.com/alitto/pond"
	"github.com/alitto/pond/v2"
	"github.com/gammazero/workerpool"
	"github.com/panjf2000/ants/v2"
	"github.com/sourcegraph/conc/pool"
)

// The caller, which is no worker, submits and waits.
func roundsOk(p *ants.Pool, a []func()) error {
	var wg sync.WaitGroup
	for _, f := range a {
		wg.Add(1)
		if err := p.Submit(func() { defer wg.Done(); f() }); err != nil {
			return err
		}
	}
	wg.Wait()
	return nil
}

// A pool that refuses does not wait.
func nonblockingOk(do func()) error {
	p, err := ants.NewPool(4, ants.WithNonblocking(true))
	if err != nil {
		return err
	}
	return p.Submit(func() {
		if p.Submit(do) != nil {
			do()
		}
	})
}

// A pool without a limit always has a worker.
func unlimitedPoolOk(do func()) error {
	p, err := ants.NewPool(-1)
	if err != nil {
		return err
	}
	return p.Submit(func() { _ = p.Submit(do) })
}

// The queue has no bound, and nobody waits.
func unboundedOk(do func()) {
	wp := workerpool.New(2)
	wp.Submit(func() { wp.Submit(do) })
	p := pond.NewPool(2)
	p.Submit(func() { p.Submit(do) })
}

// Fast work does not share workers with slow work.
func otherPoolOk(resize, upload *workerpool.WorkerPool, do func()) {
	resize.Submit(func() { upload.SubmitWait(do) })
}

// Without WithMaxGoroutines conc starts a goroutine at once.
func concOk(do func()) {
	p := pool.New()
	p.Go(func() { p.Go(do) })
	p.Wait()
}

func otherTunnyOk(parts *tunny.Pool) *tunny.Pool {
	return tunny.NewFunc(2, func(v any) any { return parts.Process(v) })
}

func timedOk() *tunny.Pool {
	var p *tunny.Pool
	p = tunny.NewFunc(2, func(v any) any {
		out, _ := p.ProcessTimed(v, time.Second)
		return out
	})
	return p
}

func oldPondOk(do func()) {
	p := pond1.New(3, 0)
	p.Submit(func() {
		if !p.TrySubmit(do) {
			do()
		}
	})
}
