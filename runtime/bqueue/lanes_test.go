package bqueue

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/concvet/concvet/runtime/bulkhead"
)

func TestInteractiveIsPoppedFirst(t *testing.T) {
	l := NewLanes[int](2, 3, WithName("work"))
	for i := range 3 {
		if err := l.TryPush(bulkhead.Bulk, i); err != nil {
			t.Error(err)
		}
	}
	l.TryPush(bulkhead.Interactive, 10)
	l.TryPush(bulkhead.Interactive, 11)
	if l.Len(bulkhead.Bulk) != 3 || l.Len(bulkhead.Interactive) != 2 || l.Cap(bulkhead.Bulk) != 3 || l.Cap(bulkhead.Interactive) != 2 {
		t.Errorf("%+v", l.Stats())
	}
	var got []int
	for {
		v, c, ok := l.TryPop()
		if !ok {
			break
		}
		if (v >= 10) != (c == bulkhead.Interactive) {
			t.Errorf("%d is said to be %v", v, c)
		}
		got = append(got, v)
	}
	if !slices.Equal(got, []int{10, 11, 0, 1, 2}) {
		t.Error(got)
	}
	s := l.Stats()
	if s.Name != "work" || l.Name() != "work" || s.Bulk.Popped != 3 || s.Interactive.Popped != 2 {
		t.Errorf("%+v", s)
	}
}

func TestEachLaneHasItsOwnCapacity(t *testing.T) {
	l := NewLanes[int](1, 1)
	l.TryPush(bulkhead.Bulk, 1)
	if err := l.TryPush(bulkhead.Bulk, 2); err != ErrFull {
		t.Errorf("%v, want ErrFull", err)
	}
	if err := l.TryPush(bulkhead.Interactive, 3); err != nil {
		t.Errorf("a full bulk lane refuses interactive work: %v", err)
	}
	if s := l.Stats(); s.Bulk.Rejected != 1 || s.Interactive.Rejected != 0 {
		t.Errorf("%+v", s)
	}
}

func TestBulkGetsItsShare(t *testing.T) {
	for _, share := range [][2]int{{1, 16}, {0, 1}, {1, 4}, {3, 4}, {2, 5}, {1, 1}} {
		l := NewLanes[int](1000, 1000, WithBulkShare(share[0], share[1]))
		for i := range 1000 {
			l.TryPush(bulkhead.Bulk, i)
			l.TryPush(bulkhead.Interactive, i)
		}
		bulk, longest, run := 0, 0, 0
		n := 20 * share[1]
		for range n {
			if _, c, _ := l.TryPop(); c == bulkhead.Bulk {
				bulk++
				run = 0
			} else if run++; run > longest {
				longest = run
			}
		}
		if bulk != 20*share[0] {
			t.Errorf("%d of %d: bulk got %d of %d pops", share[0], share[1], bulk, n)
		}
		if share[0] > 0 && longest > share[1]/share[0] {
			t.Errorf("%d of %d: bulk waited for %d pops", share[0], share[1], longest)
		}
	}
	l := NewLanes[int](100, 100)
	for i := range 100 {
		l.TryPush(bulkhead.Bulk, i)
		l.TryPush(bulkhead.Interactive, i)
	}
	bulk := 0
	for range 64 {
		if _, c, _ := l.TryPop(); c == bulkhead.Bulk {
			bulk++
		}
	}
	if bulk != 4 {
		t.Errorf("by default bulk got %d of 64 pops, want 1 of 16", bulk)
	}
}

func TestLanesBlockAndPassOnInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := NewLanes[int](1, 1)
		l.TryPush(bulkhead.Bulk, 0)
		for i := 1; i < 4; i++ {
			go l.Push(t.Context(), bulkhead.Bulk, i)
			synctest.Wait()
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := l.Push(ctx, bulkhead.Bulk, 99); err != context.DeadlineExceeded {
			t.Error(err)
		}
		for i := range 4 {
			if v, c, err := l.Pop(t.Context()); v != i || c != bulkhead.Bulk || err != nil {
				t.Errorf("%d, %v, %v", v, c, err)
			}
		}
		time.AfterFunc(time.Second, func() { l.TryPush(bulkhead.Interactive, 7) })
		if v, c, err := l.Pop(t.Context()); v != 7 || c != bulkhead.Interactive || err != nil {
			t.Errorf("%d, %v, %v", v, c, err)
		}
		ctx, cancel = context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, _, err := l.Pop(ctx); err != context.DeadlineExceeded {
			t.Error(err)
		}
		if err := l.Push(ctx, bulkhead.Bulk, 1); err != context.DeadlineExceeded {
			t.Error(err)
		}
		if _, _, err := l.Pop(ctx); err != context.DeadlineExceeded {
			t.Error(err)
		}
		if s := l.Stats(); s.Bulk.Blocked != 4 || s.Bulk.Pushers != 0 || s.Poppers != 0 || s.BlockedPops != 2 {
			t.Errorf("%+v", s)
		}
	})
}

func TestLanesCloseEndsAllWaitsAtOnceAndKeepsTheItems(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, empty := NewLanes[int](1, 1), NewLanes[int](1, 1)
		l.TryPush(bulkhead.Bulk, 1)
		l.TryPush(bulkhead.Interactive, 2)
		var wg sync.WaitGroup
		for i := range 10 {
			wg.Go(func() {
				if err := l.Push(t.Context(), bulkhead.Class(i%2), 3); err != ErrClosed {
					t.Errorf("%v, want ErrClosed", err)
				}
			})
			wg.Go(func() {
				if _, _, err := empty.Pop(t.Context()); err != ErrClosed {
					t.Errorf("%v, want ErrClosed", err)
				}
			})
		}
		synctest.Wait()
		l.Close()
		empty.Close()
		wg.Wait()
		if err := l.TryPush(bulkhead.Bulk, 4); err != ErrClosed {
			t.Error(err)
		}
		if err := l.Push(t.Context(), bulkhead.Bulk, 4); err != ErrClosed {
			t.Error(err)
		}
		for _, want := range []int{2, 1} {
			if v, _, err := l.Pop(t.Context()); v != want || err != nil {
				t.Error(v, err)
			}
		}
		if _, _, err := l.Pop(t.Context()); err != ErrClosed {
			t.Error(err)
		}
		if _, _, ok := l.TryPop(); ok || !l.Stats().Closed {
			t.Error("not closed and empty")
		}
	})
}

func TestCoDelHoldsForEachLane(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		drops := make(map[Reason]int)
		l := NewLanes[int](100, 1000, WithCoDel(5*time.Millisecond, 100*time.Millisecond),
			WithOnDrop(func(v int, why Reason) {
				if v == 1 {
					t.Error("an interactive item was dropped")
				}
				drops[why]++
			}))
		for range 1000 {
			l.TryPush(bulkhead.Bulk, 0)
			l.TryPush(bulkhead.Bulk, 0)
			l.TryPush(bulkhead.Interactive, 1)
			time.Sleep(time.Millisecond)
			l.TryPop()
			l.TryPop()
		}
		s := l.Stats()
		if drops[Overdue] < 500 || s.Bulk.Overdue != uint64(drops[Overdue]) || s.Interactive.Popped < 990 {
			t.Errorf("%v: %+v", drops, s)
		}
		conserved(t, s.Bulk)
		conserved(t, s.Interactive)
	})
}
