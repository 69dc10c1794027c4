package linear

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/concvet/concvet/runtime/bulkhead"
)

type permitKind int

const (
	try permitKind = iota
	acquire
	release
	setLimit
)

type permitOp struct {
	kind  permitKind
	class bulkhead.Class
	limit int
}

type permitState struct{ inUse, limit int }

// permitModel is a bulkhead, one call at a time. A call fails for want of a
// permit only where there is none for its class, and one whose context ended has
// taken none.
func permitModel(limit, reserve int) porcupine.Model {
	return porcupine.Model{
		Init: func() any { return permitState{limit: limit} },
		Step: func(state, input, output any) (bool, any) {
			s, in, out := state.(permitState), input.(permitOp), output.(string)
			top := s.limit
			if in.class == bulkhead.Bulk {
				top = max(s.limit-reserve, 1)
			}
			switch in.kind {
			case release:
				s.inUse--
				return s.inUse >= 0, s
			case setLimit:
				s.limit = in.limit
				return true, s
			}
			switch out {
			case "":
				s.inUse++
				return s.inUse <= top, s
			case "full":
				return s.inUse >= top, s
			case "ended":
				return in.kind == acquire, s
			}
			return false, s
		},
	}
}

// permitClient holds up to two permits at a time.
func permitClient(b *bulkhead.Bulkhead) client {
	held := 0
	return func(rng *rand.Rand, clk *clock) porcupine.Operation {
		in := permitOp{kind: try, class: bulkhead.Class(rng.IntN(2))}
		switch r := rng.IntN(10); {
		case held == 2 || held > 0 && r < 4:
			in = permitOp{kind: release}
		case r == 9:
			in = permitOp{kind: setLimit, limit: 1 + rng.IntN(4)}
		case r > 5:
			in.kind = acquire
		}
		wait := time.Duration(rng.IntN(60)) * time.Microsecond
		return clk.time(in, func() any {
			switch in.kind {
			case release:
				b.Release()
				held--
				return ""
			case setLimit:
				b.SetLimit(in.limit)
				return ""
			case try:
				if !b.TryAcquireN(1, in.class) {
					return "full"
				}
				held++
				return ""
			}
			ctx, cancel := context.WithTimeout(context.Background(), wait)
			defer cancel()
			err := b.AcquireN(ctx, 1, in.class)
			if err == nil {
				held++
			}
			return outcome(err)
		})
	}
}

func TestBulkheadIsLinearizable(t *testing.T) {
	overlaps, wrong := 0, 0
	var s bulkhead.Stats
	for round := range 3 * rounds() {
		opts := []bulkhead.Option{bulkhead.WithReserve(1), bulkhead.WithWaiters(round % 4)}
		if round%2 == 0 {
			opts = append(opts, bulkhead.WithMaxWait(20*time.Microsecond))
		}
		b := bulkhead.New(2, opts...)
		history := record(uint64(round), 14, permitClient(b), permitClient(b), permitClient(b), permitClient(b))
		check(t, permitModel(2, 1), history)
		overlaps += overlapping(history)
		if !porcupine.CheckOperations(permitModel(2, 0), history) {
			wrong++
		}
		one := b.Stats()
		s.Waited += one.Waited
		s.Canceled += one.Canceled
		s.TimedOut += one.TimedOut
		s.Wait.Count += one.Wait.Count
	}
	if overlaps == 0 {
		t.Error("no operation of any history overlapped another")
	}
	if wrong == 0 {
		t.Error("a bulkhead without a reserve would have passed")
	}
	if s.Canceled == 0 || s.TimedOut == 0 || s.Wait.Count == 0 {
		t.Errorf("not every way out of a wait was taken: %d waits, %d with a permit, %d canceled, %d timed out", s.Waited, s.Wait.Count, s.Canceled, s.TimedOut)
	}
}
