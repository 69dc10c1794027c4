package bqueue

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// panics returns what f panics with, "" if it does not.
func panics(f func()) (msg string) {
	defer func() {
		if r := recover(); r != nil {
			msg = fmt.Sprint(r)
		}
	}()
	f()
	return ""
}

// drain pops all that is there.
func drain[T any](q *Queue[T]) []T {
	var out []T
	for {
		v, ok := q.TryPop()
		if !ok {
			return out
		}
		out = append(out, v)
	}
}

// conserved fails unless every item that came in is accounted for.
func conserved(t *testing.T, s LaneStats) {
	t.Helper()
	if s.Pushed != s.Popped+s.Evicted+s.Overdue+uint64(s.Len) {
		t.Errorf("items are lost or invented: %+v", s)
	}
}

type drop struct {
	v   int
	why Reason
}

func TestTheCapacityIsExact(t *testing.T) {
	for _, capacity := range []int{1, 2, 3, 50, 100, 1000} {
		for _, p := range []Policy{Block, Reject} {
			q := New[int](capacity, p)
			for round := range 3 {
				n := 0
				for q.TryPush(n) == nil {
					n++
				}
				if n != capacity || q.Len() != capacity || q.Cap() != capacity {
					t.Fatalf("%v, round %d: a queue of %d took %d, Len %d, Cap %d", p, round, capacity, n, q.Len(), q.Cap())
				}
				for i, v := range drain(q) {
					if i != v {
						t.Fatalf("item %d came at place %d", v, i)
					}
				}
			}
			conserved(t, q.Stats().LaneStats)
		}
	}
}

func TestRejectFailsAtOnce(t *testing.T) {
	q := New[int](1, Reject)
	q.TryPush(1)
	if err := q.TryPush(2); err != ErrFull {
		t.Errorf("TryPush: %v, want ErrFull", err)
	}
	if err := q.Push(t.Context(), 3); err != ErrFull {
		t.Errorf("Push: %v, want ErrFull", err)
	}
	if s := q.Stats(); s.Rejected != 2 || s.Pushed != 1 || s.Policy != Reject {
		t.Errorf("%+v", s)
	}
}

func TestDropOldestKeepsTheNewestAndReportsTheOthers(t *testing.T) {
	var drops []drop
	q := New[int](3, DropOldest, WithOnDrop(func(v int, why Reason) { drops = append(drops, drop{v, why}) }))
	for i := range 7 {
		var err error
		if i%2 == 0 {
			err = q.TryPush(i)
		} else {
			err = q.Push(t.Context(), i)
		}
		if err != nil {
			t.Errorf("push %d: %v", i, err)
		}
	}
	if want := []drop{{0, Evicted}, {1, Evicted}, {2, Evicted}, {3, Evicted}}; !slices.Equal(drops, want) {
		t.Errorf("dropped %v, want %v", drops, want)
	}
	if got := drain(q); !slices.Equal(got, []int{4, 5, 6}) {
		t.Errorf("kept %v", got)
	}
	s := q.Stats()
	if s.Evicted != 4 || s.Pushed != 7 {
		t.Errorf("%+v", s)
	}
	conserved(t, s.LaneStats)
}

func TestDropNewestKeepsTheOldestAndReportsTheOthers(t *testing.T) {
	var drops []drop
	q := New[int](2, DropNewest, WithOnDrop(func(v int, why Reason) { drops = append(drops, drop{v, why}) }))
	for i := range 4 {
		if err := q.Push(t.Context(), i); err != nil {
			t.Errorf("push %d: %v", i, err)
		}
	}
	if want := []drop{{2, Refused}, {3, Refused}}; !slices.Equal(drops, want) {
		t.Errorf("dropped %v, want %v", drops, want)
	}
	if got := drain(q); !slices.Equal(got, []int{0, 1}) {
		t.Errorf("kept %v", got)
	}
	if s := q.Stats(); s.Refused != 2 || s.Pushed != 2 {
		t.Errorf("%+v", s)
	}
}

func TestOnDropMayUseTheQueue(t *testing.T) {
	var q *Queue[int]
	calls := 0
	q = New[int](1, DropOldest, WithOnDrop(func(v int, why Reason) {
		if calls++; calls < 5 {
			q.Len()
			q.Stats()
			q.TryPush(v)
		}
	}))
	q.TryPush(1)
	q.TryPush(2)
	if calls != 5 {
		t.Errorf("OnDrop was called %d times, want 5", calls)
	}
}

func TestBlockWaitsForRoomInTheOrderOfArrival(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New[int](2, Block)
		q.TryPush(0)
		q.TryPush(1)
		for i := 2; i < 6; i++ {
			go func() {
				if err := q.Push(t.Context(), i); err != nil {
					t.Error(err)
				}
			}()
			synctest.Wait()
		}
		if err := q.TryPush(99); err != ErrFull {
			t.Errorf("TryPush into a full queue: %v, want ErrFull", err)
		}
		if s := q.Stats(); s.Len != 2 || s.Pushers != 4 || s.Blocked != 4 {
			t.Errorf("%+v", s)
		}
		for i := range 6 {
			if v, err := q.Pop(t.Context()); v != i || err != nil {
				t.Fatalf("pop %d: %d, %v", i, v, err)
			}
			if err := q.TryPush(99); i < 4 && err != ErrFull {
				t.Fatalf("a newcomer overtook the blocked producers: %v", err)
			} else if i >= 4 && err == nil {
				return // room at last
			}
		}
	})
}

func TestPushStopsWaitingWhenItsContextEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New[int](1, Block)
		q.TryPush(1)
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		start := time.Now()
		if err := q.Push(ctx, 2); err != context.DeadlineExceeded || time.Since(start) != 50*time.Millisecond {
			t.Errorf("%v after %v", err, time.Since(start))
		}
		if got := drain(q); !slices.Equal(got, []int{1}) {
			t.Errorf("an item whose Push failed is in the queue: %v", got)
		}
		if err := q.Push(ctx, 3); err != context.DeadlineExceeded {
			t.Errorf("Push with an ended context into an empty queue: %v", err)
		}
		if _, err := q.Pop(ctx); err != context.DeadlineExceeded {
			t.Errorf("Pop with an ended context: %v", err)
		}
		if s := q.Stats(); s.Pushers != 0 || s.Len != 0 {
			t.Errorf("%+v", s)
		}
	})
}

func TestPopWaitsForAnItem(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New[int](1, Block)
		time.AfterFunc(time.Second, func() { q.TryPush(7) })
		start := time.Now()
		if v, err := q.Pop(t.Context()); v != 7 || err != nil || time.Since(start) != time.Second {
			t.Errorf("%d, %v after %v", v, err, time.Since(start))
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := q.Pop(ctx); err != context.DeadlineExceeded {
			t.Error(err)
		}
		if s := q.Stats(); s.Poppers != 0 || s.BlockedPops != 2 || s.Popped != 1 {
			t.Errorf("%+v", s)
		}
	})
}

func TestConsumersAreServedInTheOrderTheyCame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New[int](5, Reject)
		var got [5]int
		var wg sync.WaitGroup
		for i := range got {
			wg.Go(func() { got[i], _ = q.Pop(t.Context()) })
			synctest.Wait()
		}
		for i := range got {
			q.TryPush(i)
		}
		wg.Wait()
		if got != [5]int{0, 1, 2, 3, 4} {
			t.Error(got)
		}
	})
}

func TestCloseEndsAllWaitsAtOnceAndKeepsTheItems(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New[int](2, Block)
		q.TryPush(1)
		q.TryPush(2)
		var wg sync.WaitGroup
		for range 10 {
			wg.Go(func() {
				if err := q.Push(t.Context(), 3); err != ErrClosed {
					t.Errorf("blocked Push: %v, want ErrClosed", err)
				}
			})
		}
		synctest.Wait()
		start := time.Now()
		q.Close()
		q.Close()
		wg.Wait()
		if time.Since(start) != 0 {
			t.Errorf("the waits ended after %v", time.Since(start))
		}
		if err := q.TryPush(4); err != ErrClosed {
			t.Errorf("TryPush: %v, want ErrClosed", err)
		}
		if err := q.Push(t.Context(), 4); err != ErrClosed {
			t.Errorf("Push: %v, want ErrClosed", err)
		}
		for want := range 2 {
			if v, err := q.Pop(t.Context()); v != want+1 || err != nil {
				t.Errorf("%d, %v", v, err)
			}
		}
		if _, err := q.Pop(t.Context()); err != ErrClosed {
			t.Errorf("Pop after the last item: %v, want ErrClosed", err)
		}
		if s := q.Stats(); !s.Closed || s.Pushed != 2 || s.Popped != 2 {
			t.Errorf("%+v", s)
		}
	})
}

func TestCloseEndsTheWaitOfConsumers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New[int](2, Block)
		var wg sync.WaitGroup
		for range 10 {
			wg.Go(func() {
				if _, err := q.Pop(t.Context()); err != ErrClosed {
					t.Errorf("blocked Pop: %v, want ErrClosed", err)
				}
			})
		}
		synctest.Wait()
		q.Close()
		wg.Wait()
	})
}

func TestPopNTakesWhatIsThere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New[int](4, Block)
		for i := range 4 {
			q.TryPush(i)
		}
		for i := 4; i < 7; i++ {
			go q.Push(t.Context(), i)
			synctest.Wait()
		}
		buf := make([]int, 6)
		if n, err := q.PopN(t.Context(), buf); n != 6 || err != nil || !slices.Equal(buf, []int{0, 1, 2, 3, 4, 5}) {
			t.Errorf("%d, %v: %v", n, err, buf)
		}
		if n, err := q.PopN(t.Context(), buf); n != 1 || err != nil || buf[0] != 6 {
			t.Errorf("%d, %v: %v", n, err, buf)
		}
		if n, err := q.PopN(t.Context(), nil); n != 0 || err != nil {
			t.Errorf("%d, %v", n, err)
		}
		time.AfterFunc(time.Second, q.Close)
		if n, err := q.PopN(t.Context(), buf); n != 0 || err != ErrClosed {
			t.Errorf("%d, %v", n, err)
		}
	})
}

func TestCoDelDropsWhatIsOverdueWhileAQueueStands(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var drops []drop
		q := New[int](1000, Reject, WithCoDel(5*time.Millisecond, 100*time.Millisecond),
			WithOnDrop(func(v int, why Reason) { drops = append(drops, drop{v, why}) }))
		// A burst that is worked off within an interval loses nothing.
		for i := range 50 {
			q.TryPush(i)
		}
		for range 50 {
			time.Sleep(time.Millisecond)
			if _, ok := q.TryPop(); !ok {
				t.Fatal("the queue is empty")
			}
		}
		if len(drops) != 0 {
			t.Fatalf("dropped %d of a burst", len(drops))
		}
		// Twice as many come as are taken out: the wait of what is popped must
		// settle at twice the target.
		for i := range 2000 {
			q.TryPush(i)
			q.TryPush(i)
			time.Sleep(time.Millisecond)
			q.TryPop()
		}
		s := q.Stats()
		if len(drops) != int(s.Overdue) || s.Overdue < 1500 || s.Rejected != 0 {
			t.Errorf("%d drops reported: %+v", len(drops), s)
		}
		for _, d := range drops {
			if d.why != Overdue {
				t.Fatal(d)
			}
		}
		conserved(t, s.LaneStats)
		if s.Len > 50 {
			t.Errorf("%d items are still queued", s.Len)
		}
	})
}

func TestPopNReportsWhatIsOverdue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dropped := 0
		q := New[int](1000, Reject, WithCoDel(time.Millisecond, 10*time.Millisecond),
			WithOnDrop(func(int, Reason) { dropped++ }))
		got := 0
		buf := make([]int, 4)
		for range 100 {
			for range 8 {
				q.TryPush(1)
			}
			time.Sleep(time.Millisecond)
			n, err := q.PopN(t.Context(), buf)
			if err != nil {
				t.Fatal(err)
			}
			got += n
		}
		s := q.Stats()
		if dropped == 0 || dropped != int(s.Overdue) || got != int(s.Popped) {
			t.Errorf("%d dropped, %d got: %+v", dropped, got, s)
		}
		conserved(t, s.LaneStats)
	})
}

func TestAdaptiveLIFOPopsTheNewestUnderLoad(t *testing.T) {
	q := New[int](10, Reject, WithAdaptiveLIFO(4))
	for round := range 3 { // the ring turns
		for i := range 8 {
			q.TryPush(i)
		}
		if got := drain(q); !slices.Equal(got, []int{7, 6, 5, 4, 0, 1, 2, 3}) {
			t.Errorf("round %d: %v", round, got)
		}
	}
}

func TestStatsSampleTheWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New[int](10, Reject, WithName("jobs"))
		for range 10 * sampleEvery {
			q.TryPush(1)
			time.Sleep(time.Millisecond)
			q.TryPop()
		}
		s := q.Stats()
		if s.Name != "jobs" || q.Name() != "jobs" || s.Wait.Count != 10 || s.Wait.Mean() != time.Millisecond {
			t.Errorf("%+v", s)
		}
	})
}

func TestAnEvictedSampleIsNotAWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New[int](1, DropOldest)
		q.TryPush(1) // is the sample
		time.Sleep(time.Hour)
		q.TryPush(2)
		q.TryPop()
		for range 2 * sampleEvery {
			q.TryPush(3)
			q.TryPop()
		}
		if s := q.Stats(); s.Wait.Max != 0 || s.Wait.Count == 0 {
			t.Errorf("%+v", s.Wait)
		}
	})
}

func TestPoppedItemsAreNotKeptAlive(t *testing.T) {
	for _, opts := range [][]Option{nil, {WithAdaptiveLIFO(1)}} {
		q := New[*int](4, Reject, opts...)
		for range 3 {
			for range 4 {
				q.TryPush(new(int))
			}
			drain(q)
		}
		for i, p := range q.lane.buf {
			if p != nil {
				t.Errorf("slot %d keeps an item that was popped", i)
			}
		}
	}
}

func TestPushAndPopAllocateNothing(t *testing.T) {
	ctx := t.Context()
	for _, opts := range [][]Option{nil, {WithCoDel(time.Second, time.Second)}} {
		q := New[[4]int](8, Block, opts...)
		full := New[int](1, Reject, opts...)
		full.TryPush(1)
		for name, f := range map[string]func(){
			"TryPush, refused": func() { full.TryPush(1) },
			"TryPush, TryPop":  func() { q.TryPush([4]int{}); q.TryPop() },
			"Push, Pop":        func() { q.Push(ctx, [4]int{}); q.Pop(ctx) },
			"TryPop, nothing":  func() { q.TryPop() },
			"PopN":             func() { q.Push(ctx, [4]int{}); var buf [4][4]int; q.PopN(ctx, buf[:]) },
		} {
			if n := testing.AllocsPerRun(100, f); n != 0 {
				t.Errorf("%s: %v allocations", name, n)
			}
		}
	}
}

func TestABlockedPushAndPopAllocateNothing(t *testing.T) {
	there, back := New[int](1, Block), New[int](1, Block)
	ctx := t.Context()
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			v, err := there.Pop(ctx) // blocks
			if err != nil {
				return
			}
			back.Push(ctx, v)
		}
	}()
	if n := testing.AllocsPerRun(1000, func() { there.Push(ctx, 1); back.Pop(ctx) }); n != 0 {
		t.Errorf("%v allocations a round", n)
	}
	there.Close()
	<-done
	if s := back.Stats(); s.BlockedPops == 0 {
		t.Error("nothing blocked, so that nothing was tested")
	}
}

func TestMisusePanicsWithTheRule(t *testing.T) {
	for name, c := range map[string]struct {
		f    func()
		rule string
	}{
		"New(0)":          {func() { New[int](0, Block) }, "the capacity must be at least 1"},
		"NewLanes(1, 0)":  {func() { NewLanes[int](1, 0) }, "the capacity must be at least 1"},
		"policy":          {func() { New[int](1, 9) }, "unknown Policy(9)"},
		"class":           {func() { NewLanes[int](1, 1).TryPush(9, 1) }, "unknown Class(9)"},
		"CoDel(0)":        {func() { WithCoDel(0, time.Second) }, "must be positive"},
		"LIFO(0)":         {func() { WithAdaptiveLIFO(0) }, "must be at least 1"},
		"share":           {func() { WithBulkShare(3, 2) }, "n of m"},
		"share of a New":  {func() { New[int](1, Block, WithBulkShare(1, 2)) }, "is for NewLanes"},
		"OnDrop of other": {func() { New[int](1, Block, WithOnDrop(func(string, Reason) {})) }, "the items are of type int"},
	} {
		if msg := panics(c.f); !strings.HasPrefix(msg, "bqueue: ") || !strings.Contains(msg, c.rule) {
			t.Errorf("%s: panic %q, want %q", name, msg, c.rule)
		}
	}
}
