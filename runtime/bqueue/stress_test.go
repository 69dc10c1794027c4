package bqueue

import (
	"context"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/concvet/concvet/runtime/bulkhead"
)

// TestStressEveryItemIsAccountedFor has producers and consumers that give up at
// random, and a Close in the middle. Every item must end in exactly one place:
// with a consumer, with OnDrop, or as the error of its Push; and those of one
// producer must arrive in its order.
func TestStressEveryItemIsAccountedFor(t *testing.T) {
	const producers, consumers, each = 4, 4, 2000
	for _, policy := range []Policy{Block, Reject, DropOldest, DropNewest} {
		t.Run(policy.String(), func(t *testing.T) {
			var seen [producers * each]atomic.Int32
			var dropped atomic.Int64
			q := New[int](7, policy, WithOnDrop(func(v int, _ Reason) {
				dropped.Add(1)
				seen[v].Add(1)
			}))
			var accepted, refused, popped atomic.Int64
			var prod, cons sync.WaitGroup
			for p := range producers {
				prod.Go(func() {
					rng := rand.New(rand.NewPCG(uint64(p), 2))
					for i := range each {
						v := p*each + i
						var err error
						switch rng.IntN(3) {
						case 0:
							err = q.TryPush(v)
						case 1:
							err = q.Push(context.Background(), v)
						case 2:
							ctx, cancel := context.WithTimeout(context.Background(), time.Duration(rng.IntN(100))*time.Microsecond)
							err = q.Push(ctx, v)
							cancel()
						}
						if err != nil {
							refused.Add(1)
							seen[v].Add(1)
						} else {
							accepted.Add(1)
						}
						if p == 0 && i == each*3/4 {
							q.Close()
						}
					}
				})
			}
			for c := range consumers {
				cons.Go(func() {
					rng := rand.New(rand.NewPCG(uint64(c), 3))
					var last [producers]int
					buf := make([]int, 3)
					for {
						n, err := 0, error(nil)
						switch rng.IntN(3) {
						case 0:
							if v, ok := q.TryPop(); ok {
								buf[0], n = v, 1
							}
						case 1:
							n, err = q.PopN(context.Background(), buf)
						case 2:
							ctx, cancel := context.WithTimeout(context.Background(), time.Duration(rng.IntN(100))*time.Microsecond)
							buf[0], err = q.Pop(ctx)
							cancel()
							if err == nil {
								n = 1
							}
						}
						for _, v := range buf[:n] {
							popped.Add(1)
							seen[v].Add(1)
							p, i := v/each, v%each+1
							if i <= last[p] {
								t.Errorf("item %d of producer %d came after %d", i, p, last[p])
							}
							last[p] = i
						}
						if err == ErrClosed {
							return
						}
					}
				})
			}
			prod.Wait()
			cons.Wait()
			for v := range seen {
				if n := seen[v].Load(); n != 1 {
					t.Fatalf("item %d ended in %d places", v, n)
				}
			}
			s := q.Stats()
			conserved(t, s.LaneStats)
			if s.Len != 0 || s.Pushers != 0 || s.Poppers != 0 || s.Popped != uint64(popped.Load()) {
				t.Errorf("%d popped: %+v", popped.Load(), s)
			}
			if accepted.Load() != popped.Load()+dropped.Load() {
				t.Errorf("%d accepted, %d popped, %d dropped", accepted.Load(), popped.Load(), dropped.Load())
			}
			if accepted.Load() == 0 || refused.Load() == 0 {
				t.Errorf("%d accepted, %d refused: not both were tested", accepted.Load(), refused.Load())
			}
		})
	}
}

// TestStressNobodyIsForgotten blocks producers and consumers on queues of one
// item, without a bound: a lost wake-up would hang it.
func TestStressNobodyIsForgotten(t *testing.T) {
	const each = 5000
	q := New[int](1, Block)
	l := NewLanes[int](1, 1)
	var wg sync.WaitGroup
	var sum atomic.Int64
	for range 4 {
		wg.Go(func() {
			for i := range each {
				q.Push(context.Background(), i)
			}
		})
		wg.Go(func() {
			for i := range each {
				v, err := q.Pop(context.Background())
				if err != nil {
					t.Error(err)
				}
				l.Push(context.Background(), bulkhead.Class(i%2), v)
			}
		})
		wg.Go(func() {
			for range each {
				v, _, err := l.Pop(context.Background())
				if err != nil {
					t.Error(err)
				}
				sum.Add(int64(v))
			}
		})
	}
	done := make(chan struct{})
	go func() { wg.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatalf("stuck: %+v %+v", q.Stats(), l.Stats())
	}
	if want := int64(4 * each * (each - 1) / 2); sum.Load() != want {
		t.Errorf("the items sum to %d, want %d", sum.Load(), want)
	}
}
