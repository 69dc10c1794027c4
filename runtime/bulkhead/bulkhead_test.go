package bulkhead

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
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

func TestAtMostLimitPermitsAreOut(t *testing.T) {
	b := New(3)
	for i := range 3 {
		if !b.TryAcquire() {
			t.Fatalf("permit %d was refused", i+1)
		}
	}
	if b.TryAcquire() {
		t.Error("a fourth permit was given out")
	}
	if err := b.Acquire(t.Context()); err != ErrFull {
		t.Errorf("Acquire of a full bulkhead without waiters: %v, want ErrFull", err)
	}
	b.Release()
	if err := b.Acquire(t.Context()); err != nil {
		t.Errorf("Acquire after a Release: %v", err)
	}
	if s := b.Stats(); s.InUse != 3 || s.Acquired != 4 || s.Rejected != 2 {
		t.Errorf("%+v", s)
	}
}

func TestOverReleasePanicsAndChangesNothing(t *testing.T) {
	b := New(4)
	b.TryAcquireN(2, Bulk)
	for _, n := range []int{3, 4, 5, maxLimit, math.MaxInt} {
		if msg := panics(func() { b.ReleaseN(n) }); !strings.Contains(msg, "released more permits than were acquired") {
			t.Errorf("ReleaseN(%d) with 2 out: panic %q", n, msg)
		}
	}
	if s := b.Stats(); s.InUse != 2 || s.Acquired != 1 {
		t.Errorf("after it: %+v", s)
	}
	b.ReleaseN(2)
	if !b.TryAcquireN(4, Bulk) {
		t.Error("after it the permits are not all there")
	}
}

// TestStressOverReleaseIsExact has goroutines that release what they do not
// have beside others that use the bulkhead rightly. An earlier version subtracted
// first and took it back: two at once were not noticed, and a waiter that saw the
// nonsense slept for ever.
func TestStressOverReleaseIsExact(t *testing.T) {
	b := New(1, WithWaiters(1000))
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 2000 {
				if err := b.Acquire(context.Background()); err != nil {
					t.Error(err)
					return
				}
				b.Release()
			}
		})
		wg.Go(func() {
			for range 500 {
				if panics(func() { b.ReleaseN(5) }) == "" {
					t.Error("five permits of one were taken back")
				}
			}
		})
	}
	wg.Wait()
	if s := b.Stats(); s.InUse != 0 || s.Waiters != 0 || s.Acquired != 8000 {
		t.Errorf("%+v", s)
	}
}

func TestAcquireOfMoreThanTheLimitFailsAtOnce(t *testing.T) {
	b := New(4, WithWaiters(10), WithReserve(1))
	for _, c := range []struct {
		n     int
		class Class
		want  error
	}{{5, Interactive, ErrTooLarge}, {4, Interactive, nil}, {4, Bulk, ErrTooLarge}, {3, Bulk, nil}, {math.MaxInt, Bulk, ErrTooLarge}} {
		err := b.AcquireN(context.Background(), c.n, c.class)
		if err != c.want {
			t.Errorf("AcquireN(%d, %v) of 4: %v, want %v", c.n, c.class, err, c.want)
		}
		if err == nil {
			b.ReleaseN(c.n)
		}
	}
}

func TestMisusePanicsWithTheRule(t *testing.T) {
	b := New(2)
	for name, c := range map[string]struct {
		f    func()
		rule string
	}{
		"New(0)":           {func() { New(0) }, "the limit must be from 1 to"},
		"New(math.MaxInt)": {func() { New(math.MaxInt) }, "the limit must be from 1 to"},
		"reserve = limit":  {func() { New(2, WithReserve(2)) }, "the reserve must be less than the limit"},
		"reserve < 0":      {func() { WithReserve(-1) }, "must not be negative"},
		"waiters < 0":      {func() { WithWaiters(-1) }, "must not be negative"},
		"max wait 0":       {func() { WithMaxWait(0) }, "must be positive"},
		"SetLimit(0)":      {func() { b.SetLimit(0) }, "the limit must be from 1 to"},
		"AcquireN(0)":      {func() { b.AcquireN(context.Background(), 0, Bulk) }, "must be at least 1"},
		"TryAcquireN(-1)":  {func() { b.TryAcquireN(-1, Bulk) }, "must be at least 1"},
		"ReleaseN(0)":      {func() { b.ReleaseN(0) }, "must be at least 1"},
		"class":            {func() { b.TryAcquireN(1, 7) }, "unknown Class(7)"},
		"NewKeyed(0)":      {func() { NewKeyed(0, func(int) *Bulkhead { return b }) }, "at least 1"},
		"NewKeyed(nil)":    {func() { NewKeyed[int](1, nil) }, "needs a function"},
		"Keyed gets nil":   {func() { NewKeyed(1, func(int) *Bulkhead { return nil }).Get(1) }, "returned nil"},
	} {
		if msg := panics(c.f); !strings.HasPrefix(msg, "bulkhead: ") || !strings.Contains(msg, c.rule) {
			t.Errorf("%s: panic %q, want %q", name, msg, c.rule)
		}
	}
}

func TestWaitersAreServedInTheOrderTheyCame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := New(1, WithWaiters(10))
		b.TryAcquire()
		var mu sync.Mutex
		var order []int
		for i := range 10 {
			go func() {
				if err := b.Acquire(t.Context()); err != nil {
					t.Error(err)
				}
				mu.Lock()
				order = append(order, i)
				mu.Unlock()
				b.Release()
			}()
			synctest.Wait()
		}
		if b.TryAcquire() {
			t.Error("a newcomer overtook ten waiters")
		}
		b.Release()
		synctest.Wait()
		for i, got := range order {
			if got != i {
				t.Fatalf("served in the order %v", order)
			}
		}
		if len(order) != 10 {
			t.Errorf("%d were served", len(order))
		}
	})
}

func TestASmallRequestDoesNotOvertakeALargeOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := New(4, WithWaiters(10))
		b.TryAcquireN(2, Bulk)
		got := make(chan int, 2)
		go func() { b.AcquireN(t.Context(), 4, Bulk); got <- 4 }()
		synctest.Wait()
		if b.TryAcquire() {
			t.Fatal("TryAcquire took one of the two free permits that the waiter for four needs")
		}
		go func() { b.AcquireN(t.Context(), 1, Bulk); got <- 1 }()
		synctest.Wait()
		b.ReleaseN(1)
		synctest.Wait()
		if len(got) != 0 {
			t.Fatalf("the waiter for %d was served with 3 free", <-got)
		}
		b.ReleaseN(1)
		if n := <-got; n != 4 {
			t.Fatalf("the waiter for %d came first", n)
		}
		b.ReleaseN(4)
		if n := <-got; n != 1 {
			t.Fatalf("the waiter for %d came second", n)
		}
	})
}

func TestALargeWaiterThatLeavesLetsTheOthersPass(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := New(4, WithWaiters(10))
		b.TryAcquireN(2, Bulk)
		ctx, cancel := context.WithCancel(t.Context())
		left := make(chan error, 1)
		go func() { left <- b.AcquireN(ctx, 4, Bulk) }()
		synctest.Wait()
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() {
				if err := b.Acquire(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		synctest.Wait()
		cancel()
		wg.Wait()
		if err := <-left; err != context.Canceled {
			t.Error(err)
		}
		if s := b.Stats(); s.InUse != 4 || s.Waiters != 0 {
			t.Errorf("%+v", s)
		}
	})
}

func TestACanceledWaiterNeverConsumesAPermit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := New(1, WithWaiters(2))
		b.TryAcquire()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		start := time.Now()
		if err := b.Acquire(ctx); err != context.DeadlineExceeded || time.Since(start) != time.Second {
			t.Errorf("%v after %v", err, time.Since(start))
		}
		b.Release()
		if err := b.Acquire(ctx); err != context.DeadlineExceeded {
			t.Errorf("Acquire with an ended context and a free permit: %v", err)
		}
		if s := b.Stats(); s.InUse != 0 || s.Waiters != 0 || s.Canceled != 1 || s.Waited != 1 || s.Acquired != 1 {
			t.Errorf("%+v", s)
		}
	})
}

func TestWaitersAreBoundedInNumber(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := New(1, WithWaiters(2))
		b.TryAcquire()
		ctx, cancel := context.WithCancel(t.Context())
		for range 2 {
			go b.Acquire(ctx)
		}
		synctest.Wait()
		if err := b.Acquire(t.Context()); err != ErrFull {
			t.Errorf("the third waiter: %v, want ErrFull", err)
		}
		if s := b.Stats(); s.Waiters != 2 || s.MaxWaiters != 2 || s.Rejected != 1 {
			t.Errorf("%+v", s)
		}
		cancel()
		synctest.Wait()
	})
}

func TestWaitersAreBoundedInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := New(1, WithWaiters(2), WithMaxWait(100*time.Millisecond))
		b.TryAcquire()
		start := time.Now()
		if err := b.Acquire(t.Context()); err != ErrFull || time.Since(start) != 100*time.Millisecond {
			t.Errorf("%v after %v, want ErrFull after 100ms", err, time.Since(start))
		}
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		start = time.Now()
		if err := b.Acquire(ctx); err != context.DeadlineExceeded || time.Since(start) != 50*time.Millisecond {
			t.Errorf("%v after %v, want the context's error after 50ms", err, time.Since(start))
		}
		time.AfterFunc(30*time.Millisecond, b.Release)
		start = time.Now()
		if err := b.Acquire(t.Context()); err != nil || time.Since(start) != 30*time.Millisecond {
			t.Errorf("%v after %v, want a permit after 30ms", err, time.Since(start))
		}
		s := b.Stats()
		if s.TimedOut != 1 || s.Canceled != 1 || s.Waited != 3 || s.Wait.Count != 1 || s.Wait.Max != 30*time.Millisecond {
			t.Errorf("%+v", s)
		}
	})
}

func TestReserveIsLeftToInteractive(t *testing.T) {
	b := New(10, WithReserve(3))
	for b.TryAcquire() {
	}
	if s := b.Stats(); s.InUse != 7 {
		t.Fatalf("bulk work took %d of 10, 3 of which are reserved", s.InUse)
	}
	for range 3 {
		if !b.TryAcquireN(1, Interactive) {
			t.Fatal("interactive work was refused with permits in reserve")
		}
	}
	if b.TryAcquireN(1, Interactive) {
		t.Fatal("the limit holds for interactive work too")
	}
	b.ReleaseN(3)
	if b.TryAcquire() {
		t.Error("bulk work took a permit of the reserve")
	}
	b.Release()
	if !b.TryAcquire() {
		t.Error("bulk work was refused a permit above the reserve")
	}
}

func TestInteractiveWaitersGoFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := New(2, WithWaiters(10), WithReserve(1))
		b.TryAcquireN(2, Interactive)
		got := make(chan Class, 3)
		for _, c := range []Class{Bulk, Interactive, Interactive} {
			go func() { b.AcquireN(t.Context(), 1, c); got <- c }()
			synctest.Wait()
		}
		for i, want := range []Class{Interactive, Interactive} {
			b.Release()
			if c := <-got; c != want {
				t.Fatalf("release %d served %v", i, c)
			}
		}
		b.Release()
		synctest.Wait()
		if len(got) != 0 {
			t.Fatal("bulk work took the reserved permit")
		}
		b.Release()
		if c := <-got; c != Bulk {
			t.Fatal(c)
		}
	})
}

func TestInteractiveDoesNotQueueBehindBulk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := New(2, WithWaiters(10), WithReserve(1))
		b.TryAcquire()
		ctx, cancel := context.WithCancel(t.Context())
		go b.Acquire(ctx)
		synctest.Wait()
		if !b.TryAcquireN(1, Interactive) {
			t.Error("the reserved permit is refused because bulk work waits")
		}
		cancel()
		synctest.Wait()
	})
}

func TestBulkIsDisplacedFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := New(1, WithWaiters(2))
		b.TryAcquire()
		errs := make([]error, 4)
		var wg sync.WaitGroup
		for i, c := range []Class{Bulk, Bulk, Interactive, Interactive} {
			wg.Go(func() {
				if errs[i] = b.AcquireN(t.Context(), 1, c); errs[i] == nil {
					b.Release()
				}
			})
			synctest.Wait()
		}
		if err := b.AcquireN(t.Context(), 1, Interactive); err != ErrFull {
			t.Errorf("interactive work displaced interactive work: %v", err)
		}
		b.Release()
		wg.Wait()
		for i, want := range []error{ErrFull, ErrFull, nil, nil} {
			if errs[i] != want {
				t.Errorf("waiter %d: %v, want %v", i, errs[i], want)
			}
		}
	})
}

func TestSetLimitUpAdmitsWaiters(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := New(1, WithWaiters(10))
		b.TryAcquire()
		var wg sync.WaitGroup
		for range 5 {
			wg.Go(func() { b.Acquire(t.Context()) })
		}
		synctest.Wait()
		b.SetLimit(4)
		synctest.Wait()
		if s := b.Stats(); s.InUse != 4 || s.Waiters != 2 || s.Limit != 4 {
			t.Errorf("%+v", s)
		}
		b.SetLimit(6)
		wg.Wait()
	})
}

func TestSetLimitDownTakesEffectAsPermitsComeBack(t *testing.T) {
	b := New(4)
	b.TryAcquireN(4, Bulk)
	b.SetLimit(2)
	for range 2 {
		b.Release()
		if b.TryAcquire() {
			t.Fatal("a permit was given out above the new limit")
		}
	}
	b.Release()
	if !b.TryAcquire() || b.TryAcquire() {
		t.Error("the new limit of 2 does not hold")
	}
}

func TestSetLimitDownRefusesWaitersThatHaveBecomeTooLarge(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := New(4, WithWaiters(10), WithReserve(1))
		b.TryAcquire()
		errs := make([]error, 3)
		var wg sync.WaitGroup
		for i, r := range []struct {
			n int
			c Class
		}{{4, Interactive}, {3, Bulk}, {1, Bulk}} {
			wg.Go(func() {
				if errs[i] = b.AcquireN(t.Context(), r.n, r.c); errs[i] == nil {
					b.ReleaseN(r.n)
				}
			})
			synctest.Wait()
		}
		b.SetLimit(3)
		wg.Wait() // the last one fits, now that nobody is before it
		for i, want := range []error{ErrTooLarge, ErrTooLarge, nil} {
			if errs[i] != want {
				t.Errorf("waiter %d: %v, want %v", i, errs[i], want)
			}
		}
	})
}

func TestSetLimitBelowTheReserveLeavesOneToBulk(t *testing.T) {
	b := New(10, WithReserve(5))
	b.SetLimit(3)
	if !b.TryAcquire() || b.TryAcquire() {
		t.Error("want exactly one permit for bulk work")
	}
	if err := b.AcquireN(t.Context(), 1, Bulk); err != ErrFull {
		t.Errorf("%v, want ErrFull: one is not too large", err)
	}
}

func TestDoReleasesOnPanicAndGoexit(t *testing.T) {
	b := New(1)
	if msg := panics(func() {
		Do(t.Context(), b, func(context.Context) (int, error) { panic("boom") })
	}); msg != "boom" {
		t.Errorf("panic %q", msg)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		Do(context.Background(), b, func(context.Context) (int, error) { runtime.Goexit(); return 0, nil })
	}()
	<-done
	errBoom := errors.New("boom")
	v, err := Do(t.Context(), b, func(context.Context) (int, error) { return 7, errBoom })
	if v != 7 || err != errBoom {
		t.Errorf("%v, %v", v, err)
	}
	b.TryAcquire()
	v, err = Do(t.Context(), b, func(context.Context) (int, error) { t.Error("called without a permit"); return 7, nil })
	if v != 0 || err != ErrFull {
		t.Errorf("%v, %v", v, err)
	}
	if s := b.Stats(); s.InUse != 1 || s.Acquired != 4 {
		t.Errorf("%+v", s)
	}
}

func TestNothingIsAllocatedWithoutAWait(t *testing.T) {
	b := New(1)
	ctx := t.Context()
	for name, f := range map[string]func(){
		"TryAcquire, Release":   func() { b.TryAcquire(); b.Release() },
		"Acquire, Release":      func() { b.Acquire(ctx); b.Release() },
		"TryAcquire, refused":   func() { b.TryAcquire(); b.TryAcquire(); b.Release() },
		"Acquire, refused":      func() { b.TryAcquire(); b.Acquire(ctx); b.Release() },
		"TryAcquireN, ReleaseN": func() { b.TryAcquireN(1, Interactive); b.ReleaseN(1) },
	} {
		if n := testing.AllocsPerRun(100, f); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

func TestTheCountOfAcquisitionsIsNotThatOfTheState(t *testing.T) {
	b := New(1)
	for want := uint64(1); want < 3*(maxCount+1); want++ {
		if err := b.Acquire(t.Context()); err != nil {
			t.Fatal(err)
		}
		b.Release()
		if s := b.Stats(); s.Acquired != want || s.InUse != 0 || s.Limit != 1 || s.Waiters != 0 {
			t.Fatalf("%+v, want %d", s, want)
		}
	}
}

func TestTheCountOfAcquisitionsIncludesThoseThatWaited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := New(1, WithWaiters(100))
		for range maxCount - 10 {
			b.TryAcquire()
			b.Release()
		}
		b.TryAcquire()
		var wg sync.WaitGroup
		for range 50 {
			wg.Go(func() { b.Acquire(t.Context()) })
		}
		synctest.Wait()
		b.SetLimit(30)
		b.SetLimit(51)
		wg.Wait()
		if s := b.Stats(); s.Acquired != maxCount+41 || s.InUse != 51 {
			t.Errorf("%+v, want %d", s, maxCount+41)
		}
	})
}

func TestOneBulkheadServesManyBubbles(t *testing.T) {
	for range 2 {
		synctest.Test(t, func(t *testing.T) {
			b := New(1, WithWaiters(1))
			b.TryAcquire()
			time.AfterFunc(time.Second, b.Release)
			if err := b.Acquire(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}
