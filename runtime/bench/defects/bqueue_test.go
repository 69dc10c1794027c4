package defects

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/puzpuzpuz/xsync/v4"

	"github.com/concvet/concvet/runtime/bqueue"
)

// Four producers put 48,000 items into a queue with room for 65,536 and nobody
// takes any out. The queue of xsync says "full" to some.
func TestAQueueThatSaysFullAndIsNot(t *testing.T) {
	t.Parallel()
	refused := func(push func(int) bool) int64 {
		var n atomic.Int64
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				for i := range 12000 {
					if !push(i) {
						n.Add(1)
					}
					if i%64 == 0 {
						runtime.Gosched()
					}
				}
			})
		}
		wg.Wait()
		return n.Load()
	}
	var n int64
	for range 200 { // it takes two producers at the same moment
		q := xsync.NewMPMCQueue[int](1 << 16)
		if n = refused(q.TryEnqueue); n > 0 {
			break
		}
	}
	if n == 0 {
		t.Error("xsync refused no item in 200 rounds, and this page says that it does")
	}
	t.Logf("xsync refused %d of 48000 items of a queue that was never full", n)
	for range 20 {
		q := bqueue.New[int](1<<16, bqueue.Reject)
		if n := refused(func(i int) bool { return q.TryPush(i) == nil }); n != 0 {
			t.Errorf("bqueue refused %d", n)
		}
	}
}
