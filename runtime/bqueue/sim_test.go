package bqueue

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/concvet/concvet/runtime/bulkhead"
)

// The simulated service: ten workers at 20 ms a request do 500 a second, and an
// answer is worth something within 200 ms. A fake clock runs.
const (
	simServers  = 10
	simService  = 20 * time.Millisecond
	simDeadline = 200 * time.Millisecond
	simSeconds  = 60
)

type simRequest struct{ at time.Time }

// simResult has figures a second, and the latency of the good answers.
type simResult struct {
	good, late, shed, dropped float64
	p50, p99                  time.Duration
}

func quantile(xs []time.Duration, q float64) time.Duration {
	if len(xs) == 0 {
		return 0
	}
	slices.Sort(xs)
	return xs[int(q*float64(len(xs)-1))]
}

func serviceTime(rng *rand.Rand) time.Duration {
	return time.Duration((0.5 + 0.5*rng.ExpFloat64()) * float64(simService))
}

// simulate sends requests at the rate a second through a queue.
func simulate(t *testing.T, rate float64, capacity int, opts ...Option) (r simResult) {
	synctest.Test(t, func(t *testing.T) {
		q := New[simRequest](capacity, Reject, opts...)
		var mu sync.Mutex
		var latencies []time.Duration
		var wg sync.WaitGroup
		for i := range simServers {
			wg.Go(func() {
				rng := rand.New(rand.NewPCG(uint64(i), 5))
				for {
					req, err := q.Pop(t.Context())
					if err != nil {
						return
					}
					time.Sleep(serviceTime(rng))
					mu.Lock()
					if l := time.Since(req.at); l <= simDeadline {
						latencies = append(latencies, l)
					} else {
						r.late++
					}
					mu.Unlock()
				}
			})
		}
		rng := rand.New(rand.NewPCG(1, 6))
		for start := time.Now(); time.Since(start) < simSeconds*time.Second; {
			time.Sleep(time.Duration(rng.ExpFloat64() / rate * 1e9))
			if q.TryPush(simRequest{time.Now()}) != nil {
				r.shed++
			}
		}
		q.Close()
		wg.Wait()
		r.good = float64(len(latencies)) / simSeconds
		r.late /= simSeconds
		r.shed /= simSeconds
		r.dropped = float64(q.Stats().Overdue) / simSeconds
		r.p50, r.p99 = quantile(latencies, 0.5), quantile(latencies, 0.99)
	})
	return r
}

// TestAQueueOfTheWaitBudgetKeepsTheGoodput is the case for a short queue: under
// overload a long one answers almost nobody in time.
func TestAQueueOfTheWaitBudgetKeepsTheGoodput(t *testing.T) {
	codel := WithCoDel(20*time.Millisecond, 100*time.Millisecond)
	for _, c := range []struct {
		name     string
		rate     float64
		capacity int
		opts     []Option
		least    float64 // good answers a second
		most     float64
		p99      time.Duration
	}{
		{"no overload, 10000 places", 450, 10000, nil, 420, 470, simDeadline},
		{"no overload, 50 places", 450, 50, nil, 420, 470, simDeadline},
		{"120 %, 10000 places", 600, 10000, nil, 0, 30, simDeadline},
		{"120 %, 50 places", 600, 50, nil, 470, 520, 180 * time.Millisecond},
		{"120 %, 1000 places with CoDel", 600, 1000, []Option{codel}, 470, 520, 130 * time.Millisecond},
		{"120 %, 1000 places, the newest first", 600, 1000, []Option{WithAdaptiveLIFO(10)}, 450, 520, simDeadline},
		{"300 %, 10000 places", 1500, 10000, nil, 0, 20, simDeadline},
		{"300 %, 50 places", 1500, 50, nil, 470, 520, 180 * time.Millisecond},
		{"300 %, 1000 places with CoDel", 1500, 1000, []Option{codel}, 470, 520, 130 * time.Millisecond},
	} {
		r := simulate(t, c.rate, c.capacity, c.opts...)
		t.Logf("%-40s good %4.0f/s, late %4.0f/s, shed %4.0f/s, dropped %4.0f/s, p50 %v, p99 %v",
			c.name, r.good, r.late, r.shed, r.dropped, r.p50.Round(time.Millisecond), r.p99.Round(time.Millisecond))
		if r.good < c.least || r.good > c.most || r.p99 > c.p99 {
			t.Errorf("%s: want %v to %v good answers a second and p99 up to %v, have %+v", c.name, c.least, c.most, c.p99, r)
		}
	}
}

// simulateLanes sends 1500 bulk and 100 interactive requests a second, and
// returns how the interactive ones fare, and the bulk ones that were done in a
// second.
func simulateLanes(t *testing.T, push func(c bulkhead.Class, v simRequest) error, pop func() (simRequest, bulkhead.Class, error), done func(bulkhead.Class), stop func()) (interactive simResult, bulk float64) {
	var mu sync.Mutex
	var latencies []time.Duration
	var wg sync.WaitGroup
	for i := range simServers {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(i), 5))
			for {
				req, c, err := pop()
				if err != nil {
					return
				}
				time.Sleep(serviceTime(rng))
				done(c)
				mu.Lock()
				if c == bulkhead.Interactive {
					latencies = append(latencies, time.Since(req.at))
				} else {
					bulk++
				}
				mu.Unlock()
			}
		})
	}
	rng := rand.New(rand.NewPCG(1, 6))
	for start := time.Now(); time.Since(start) < simSeconds*time.Second; {
		time.Sleep(time.Duration(rng.ExpFloat64() / 1600 * 1e9))
		c := bulkhead.Bulk
		if rng.IntN(16) == 0 {
			c = bulkhead.Interactive
		}
		if push(c, simRequest{time.Now()}) != nil && c == bulkhead.Interactive {
			interactive.shed++
		}
	}
	stop()
	wg.Wait()
	interactive.good = float64(len(latencies)) / simSeconds
	interactive.shed /= simSeconds
	interactive.p50, interactive.p99 = quantile(latencies, 0.5), quantile(latencies, 0.99)
	return interactive, bulk / simSeconds
}

// TestBulkOverloadDoesNotReachInteractive is S14: two kinds of work on one
// service, one of which comes three times as fast as it can be done.
func TestBulkOverloadDoesNotReachInteractive(t *testing.T) {
	report := func(name string, r simResult, bulk float64) {
		t.Logf("%-28s interactive: good %4.1f/s, shed %4.1f/s, p50 %v, p99 %v; bulk %4.0f/s", name,
			r.good, r.shed, r.p50.Round(time.Millisecond), r.p99.Round(time.Millisecond), bulk)
	}
	synctest.Test(t, func(t *testing.T) {
		type item struct {
			simRequest
			c bulkhead.Class
		}
		q := New[item](50, Reject)
		r, bulk := simulateLanes(t,
			func(c bulkhead.Class, v simRequest) error { return q.TryPush(item{v, c}) },
			func() (simRequest, bulkhead.Class, error) {
				v, err := q.Pop(context.Background())
				return v.simRequest, v.c, err
			},
			func(bulkhead.Class) {}, q.Close)
		report("one queue", r, bulk)
		if r.shed < 50 || r.p99 < 100*time.Millisecond {
			t.Errorf("one queue for both should shed most of the interactive work: %+v", r)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		l := NewLanes[simRequest](50, 50)
		r, bulk := simulateLanes(t, l.TryPush,
			func() (simRequest, bulkhead.Class, error) { return l.Pop(context.Background()) },
			func(bulkhead.Class) {}, l.Close)
		report("two lanes", r, bulk)
		if r.shed != 0 || r.p99 > 80*time.Millisecond || bulk < 380 {
			t.Errorf("two lanes: %+v, bulk %v/s", r, bulk)
		}
	})
}
