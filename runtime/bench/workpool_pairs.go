package bench

import (
	"context"
	"sync"
	"testing"

	"github.com/Jeffail/tunny"
	"github.com/alitto/pond/v2"
	"github.com/gammazero/workerpool"
	"github.com/panjf2000/ants/v2"
	"github.com/sourcegraph/conc/pool"
	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"

	"github.com/concvet/concvet/runtime/workpool"
)

const (
	workers  = 8
	capacity = 1024
)

var background = context.Background()

func init() {
	register(
		Pair{Name: "workpool/reject", Peer: "x/sync TryAcquire", Goal: 0.5, Ours: reject, Theirs: rejectSemaphore},
		Pair{Name: "workpool/reject-parallel", Peer: "x/sync TryAcquire", Goal: 0.5, Ours: rejectParallel, Theirs: rejectSemaphoreParallel},
	)
	for _, producers := range []struct {
		name string
		n    int
	}{{"1-producer", 1}, {"4-producers", 4}} {
		name := "workpool/submit-to-done-" + producers.name
		against := func(peer string, goal float64, start func(*testing.B) (submit func(func()), stop func())) {
			register(Pair{Name: name, Peer: peer, Goal: goal, Ours: submitOurs(producers.n), Theirs: submitPeer(producers.n, start)})
		}
		against("bare channel pool", 1.2, startChannel)
		against("conc", 0.5, startConc)
		against("errgroup SetLimit", 0, startErrgroup)
		against("pond Go", 0, startPond)
		against("ants", 0, startAnts)
		against("gammazero", 0, startGammazero)
		against("go statement", 0, startGoroutines)
	}
	for _, callers := range []struct {
		name string
		n    int
	}{{"1-caller", 1}, {"4-callers", 4}} {
		register(
			Pair{Name: "workpool/round-trip-" + callers.name, Peer: "pond Submit+Wait", Goal: 0.5, Ours: roundTrip(callers.n), Theirs: roundTripPond(callers.n)},
			Pair{Name: "workpool/round-trip-" + callers.name, Peer: "tunny Process", Ours: roundTrip(callers.n), Theirs: roundTripTunny(callers.n)},
		)
	}
	register(Pair{Name: "workpool/futures", Peer: "pond Submit", Goal: 0.5, Ours: futures, Theirs: futuresPond})
}

func fullPool(b *testing.B) (p *workpool.Pool, release func()) {
	p = workpool.New(1, 1)
	block := make(chan struct{})
	for range 2 {
		if err := p.TrySubmit(func(context.Context) { <-block }); err != nil {
			b.Fatal(err)
		}
	}
	return p, func() {
		close(block)
		if err := p.Shutdown(background); err != nil {
			b.Error(err)
		}
	}
}

func nothing(context.Context) {}

func reject(b *testing.B) {
	p, release := fullPool(b)
	defer release()
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N { // b.Loop would add half of what is measured
		if p.TrySubmit(nothing) == nil {
			b.Fatal("accepted")
		}
	}
}

func rejectSemaphore(b *testing.B) {
	s := semaphore.NewWeighted(1)
	s.TryAcquire(1)
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		if s.TryAcquire(1) {
			b.Fatal("acquired")
		}
	}
}

func rejectParallel(b *testing.B) {
	p, release := fullPool(b)
	defer release()
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if p.TrySubmit(nothing) == nil {
				panic("accepted")
			}
		}
	})
}

func rejectSemaphoreParallel(b *testing.B) {
	s := semaphore.NewWeighted(1)
	s.TryAcquire(1)
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if s.TryAcquire(1) {
				panic("acquired")
			}
		}
	})
}

// produce calls submit b.N times from n goroutines and waits until all that was
// submitted has called wg.Done.
func produce(b *testing.B, n int, wg *sync.WaitGroup, submit func()) {
	b.ReportAllocs()
	wg.Add(b.N)
	b.ResetTimer()
	var producers sync.WaitGroup
	for i := range n {
		share := b.N / n
		if i == 0 {
			share += b.N % n
		}
		producers.Go(func() {
			for range share {
				submit()
			}
		})
	}
	producers.Wait()
	wg.Wait()
	b.StopTimer()
}

func submitOurs(n int) func(*testing.B) {
	return func(b *testing.B) {
		p := workpool.New(workers, capacity)
		var wg sync.WaitGroup
		task := func(context.Context) { wg.Done() }
		produce(b, n, &wg, func() {
			if err := p.Submit(background, task); err != nil {
				panic(err)
			}
		})
		if err := p.Shutdown(background); err != nil {
			b.Fatal(err)
		}
	}
}

func submitPeer(n int, start func(*testing.B) (func(func()), func())) func(*testing.B) {
	return func(b *testing.B) {
		submit, stop := start(b)
		var wg sync.WaitGroup
		task := func() { wg.Done() }
		produce(b, n, &wg, func() { submit(task) })
		stop()
	}
}

// startChannel is what people write: workers that range over a channel. It has
// no context, no refusal and no shutdown that is safe beside a submit.
func startChannel(*testing.B) (func(func()), func()) {
	tasks := make(chan func(), capacity)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for f := range tasks {
				f()
			}
		})
	}
	return func(f func()) { tasks <- f }, func() { close(tasks); wg.Wait() }
}

func startConc(*testing.B) (func(func()), func()) {
	p := pool.New().WithMaxGoroutines(workers)
	return p.Go, p.Wait
}

func startErrgroup(b *testing.B) (func(func()), func()) {
	var g errgroup.Group
	g.SetLimit(workers)
	return func(f func()) { g.Go(func() error { f(); return nil }) }, func() {
		if err := g.Wait(); err != nil {
			b.Error(err)
		}
	}
}

func startPond(b *testing.B) (func(func()), func()) {
	p := pond.NewPool(workers, pond.WithQueueSize(capacity))
	return func(f func()) {
		if err := p.Go(f); err != nil {
			panic(err)
		}
	}, p.StopAndWait
}

func startAnts(b *testing.B) (func(func()), func()) {
	p, err := ants.NewPool(workers)
	if err != nil {
		b.Fatal(err)
	}
	return func(f func()) {
		if err := p.Submit(f); err != nil {
			panic(err)
		}
	}, p.Release
}

func startGammazero(*testing.B) (func(func()), func()) {
	p := workerpool.New(workers)
	return p.Submit, p.StopWait
}

func startGoroutines(*testing.B) (func(func()), func()) {
	return func(f func()) { go f() }, func() {}
}

func one(context.Context) (int, error) { return 1, nil }

func roundTrip(callers int) func(*testing.B) {
	return func(b *testing.B) {
		p := workpool.New(workers, capacity)
		b.ReportAllocs()
		b.SetParallelism(callers)
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				f, err := workpool.Go(background, p, one)
				if err != nil {
					panic(err)
				}
				if v, err := f.Wait(background); v != 1 || err != nil {
					panic(err)
				}
			}
		})
		if err := p.Shutdown(background); err != nil {
			b.Fatal(err)
		}
	}
}

func roundTripPond(callers int) func(*testing.B) {
	return func(b *testing.B) {
		p := pond.NewResultPool[int](workers, pond.WithQueueSize(capacity))
		b.ReportAllocs()
		b.SetParallelism(callers)
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				if v, err := p.Submit(func() int { return 1 }).Wait(); v != 1 || err != nil {
					panic(err)
				}
			}
		})
		p.StopAndWait()
	}
}

func roundTripTunny(callers int) func(*testing.B) {
	return func(b *testing.B) {
		p := tunny.NewFunc(workers, func(v any) any { return v })
		b.ReportAllocs()
		b.SetParallelism(callers)
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				if p.Process(1) != 1 {
					panic("lost")
				}
			}
		})
		p.Close()
	}
}

// futures makes futures that nobody waits for one by one.
func futures(b *testing.B) {
	p := workpool.New(workers, capacity)
	var wg sync.WaitGroup
	f := func(context.Context) (int, error) { wg.Done(); return 1, nil }
	produce(b, 1, &wg, func() {
		if _, err := workpool.Go(background, p, f); err != nil {
			panic(err)
		}
	})
	if err := p.Shutdown(background); err != nil {
		b.Fatal(err)
	}
}

func futuresPond(b *testing.B) {
	p := pond.NewResultPool[int](workers, pond.WithQueueSize(capacity))
	var wg sync.WaitGroup
	f := func() int { wg.Done(); return 1 }
	produce(b, 1, &wg, func() { p.Submit(f) })
	p.StopAndWait()
}
