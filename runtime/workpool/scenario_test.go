package workpool

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// S1 at one hundredth: 2,000 uploads within 100 ms, of 48 MB decoded and 2 s of
// work each, on 8 workers. A goroutine an upload would hold 2,000 × 480 KB.
func TestS1ABurstOfUploads(t *testing.T) {
	const (
		uploads = 2000
		workers = 8
		item    = 480 << 10
		work    = 20 * time.Millisecond
	)
	for _, wait := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			p := New(workers, 2*workers)
			var inFlight, peak, resized atomic.Int64
			resize := func(context.Context) {
				photo := make([]byte, item)
				now := inFlight.Add(int64(len(photo)))
				for was := peak.Load(); now > was && !peak.CompareAndSwap(was, now); was = peak.Load() {
				}
				time.Sleep(work)
				inFlight.Add(-int64(len(photo)))
				resized.Add(1)
			}
			start := time.Now()
			var accepted, refused atomic.Int64
			var wg sync.WaitGroup
			for range uploads {
				wg.Go(func() {
					var err error
					if wait {
						err = p.Submit(background, resize)
					} else {
						err = p.TrySubmit(resize)
					}
					if err != nil {
						refused.Add(1)
					} else {
						accepted.Add(1)
					}
				})
				time.Sleep(100 * time.Millisecond / uploads)
			}
			wg.Wait()
			shutdown(t, p)
			if peak.Load() > workers*item {
				t.Errorf("%d bytes in flight at a time, more than %d", peak.Load(), workers*item)
			}
			if accepted.Load()+refused.Load() != uploads || resized.Load() != accepted.Load() {
				t.Errorf("%d accepted and %d refused of %d, %d resized", accepted.Load(), refused.Load(), uploads, resized.Load())
			}
			if wait {
				if refused.Load() != 0 {
					t.Errorf("%d were lost", refused.Load())
				}
				// 250 rounds of 20 ms on 8 workers, and one that is not full
				// when the first uploads come.
				if d := time.Since(start); d < uploads/workers*work || d > uploads/workers*work+work {
					t.Errorf("the burst took %v", d)
				}
				return
			}
			if refused.Load() == 0 || p.Stats().Rejected != uint64(refused.Load()) {
				t.Errorf("%d refused, the pool counts %d", refused.Load(), p.Stats().Rejected)
			}
			// Nobody waits behind more than the queue.
			if max := p.Stats().QueueWait.Max; max > 2*work {
				t.Errorf("the last photo was begun %v after it came", max)
			}
		})
	}
}

// S1b: each resize submits three uploads to its own pool and waits for them.
func TestS1bUploadsOnTheResizePool(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := New(10, 1000)
		upload := func(context.Context) (int, error) { time.Sleep(600 * time.Millisecond); return 1, nil }
		resize := func(ctx context.Context) (int, error) {
			time.Sleep(2 * time.Second)
			n := 0
			for range 3 {
				f, err := Go(ctx, p, upload)
				if err != nil {
					return n, err
				}
				v, err := f.Wait(ctx)
				if err != nil {
					return n, err
				}
				n += v
			}
			return n, nil
		}
		var all []*Future[int]
		for range 20 {
			f, err := Go(background, p, resize)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, f)
		}
		for _, f := range all {
			if v, err := f.Wait(background); v != 3 || err != nil {
				t.Errorf("%v, %v", v, err)
			}
		}
		shutdown(t, p)
	})
}

// S12: a call of 5 ms that comes 50 ms after a batch of 40 calls of 500 ms, on 18
// workers.
func TestS12TheFastCallBehindTheSlowBatch(t *testing.T) {
	latency := func(shared bool) (d time.Duration) {
		synctest.Test(t, func(t *testing.T) {
			slow := New(18, 100)
			fast := slow
			if !shared {
				fast = New(2, 10)
			}
			for range 40 {
				submit(t, slow, func(context.Context) { time.Sleep(500 * time.Millisecond) })
			}
			time.Sleep(50 * time.Millisecond)
			start := time.Now()
			f, err := Go(background, fast, func(context.Context) (int, error) { time.Sleep(5 * time.Millisecond); return 0, nil })
			if err != nil {
				t.Fatal(err)
			}
			if _, err := f.Wait(background); err != nil {
				t.Fatal(err)
			}
			d = time.Since(start)
			shutdown(t, slow)
			shutdown(t, fast)
		})
		return d
	}
	if shared, own := latency(true), latency(false); shared != 955*time.Millisecond || own != 5*time.Millisecond {
		t.Errorf("the fast call took %v in the shared pool and %v in its own, want 955 ms and 5 ms", shared, own)
	}
	// 100 calls of 100 ms on 18 workers take six rounds.
	synctest.Test(t, func(t *testing.T) {
		p := New(18, 100)
		start := time.Now()
		for range 100 {
			submit(t, p, func(context.Context) { time.Sleep(100 * time.Millisecond) })
		}
		shutdown(t, p)
		since(start, 600*time.Millisecond, t, "100 calls")
	})
}
