package linear

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/puzpuzpuz/xsync/v4"

	"github.com/concvet/concvet/runtime/bqueue"
	"github.com/concvet/concvet/runtime/bulkhead"
)

type kind int

const (
	push kind = iota
	tryPush
	pop
	tryPop
	length
	closing
)

// A queueOp is what was asked for; v is unique to the push.
type queueOp struct {
	kind  kind
	v     int
	class bulkhead.Class
}

// A queueResult is what came of it.
type queueResult struct {
	v     int
	n     int
	class bulkhead.Class
	err   string // "", "full", "closed", "ended", or "none" of TryPop
}

func outcome(err error) string {
	switch {
	case err == nil:
		return ""
	case errors.Is(err, bqueue.ErrFull), errors.Is(err, bulkhead.ErrFull):
		return "full"
	case errors.Is(err, bqueue.ErrClosed):
		return "closed"
	case errors.Is(err, context.DeadlineExceeded):
		return "ended"
	}
	return err.Error()
}

// A queueState is the items as runes, the oldest first.
type queueState struct {
	items  string
	closed bool
}

// queueModel is a queue of one policy, one call at a time. lifo is the threshold
// of adaptive LIFO, 0 if there is none.
func queueModel(capacity int, policy bqueue.Policy, lifo int) porcupine.Model {
	return porcupine.Model{
		Init: func() any { return queueState{} },
		Step: func(state, input, output any) (bool, any) {
			s, in, out := state.(queueState), input.(queueOp), output.(queueResult)
			items := []rune(s.items)
			if out.err == "ended" {
				return in.kind == push || in.kind == pop, s
			}
			switch in.kind {
			case closing:
				s.closed = true
				return true, s
			case length:
				return out.n == len(items), s
			case push, tryPush:
				if s.closed || out.err == "closed" {
					return s.closed && out.err == "closed", s
				}
				full := len(items) == capacity
				switch {
				case !full:
					s.items += string(rune(in.v))
				case policy == bqueue.DropOldest:
					s.items = string(items[1:]) + string(rune(in.v))
				case policy == bqueue.DropNewest:
				default:
					return out.err == "full" && (in.kind == tryPush || policy == bqueue.Reject), s
				}
				return out.err == "", s
			case pop, tryPop:
				if len(items) == 0 {
					return in.kind == tryPop && out.err == "none" || in.kind == pop && s.closed && out.err == "closed", s
				}
				i := 0
				if lifo > 0 && len(items) > lifo {
					i = len(items) - 1
				}
				s.items = string(items[:i]) + string(items[i+1:])
				return out.err == "" && rune(out.v) == items[i], s
			}
			panic("unknown operation")
		},
	}
}

// queueClient does random operations on q, and closes it now and then.
func queueClient(q *bqueue.Queue[int], next *atomic.Int64) client {
	return func(rng *rand.Rand, clk *clock) porcupine.Operation {
		in := queueOp{kind: []kind{push, push, tryPush, tryPush, pop, pop, tryPop, tryPop, length, closing}[rng.IntN(10)]}
		if in.kind == closing && rng.IntN(8) > 0 {
			in.kind = tryPush
		}
		if in.kind == push || in.kind == tryPush {
			in.v = int(next.Add(1))
		}
		wait := time.Duration(rng.IntN(100)) * time.Microsecond
		return clk.time(in, func() any {
			ctx, cancel := context.WithTimeout(context.Background(), wait)
			defer cancel()
			var out queueResult
			var err error
			switch in.kind {
			case push:
				err = q.Push(ctx, in.v)
			case tryPush:
				err = q.TryPush(in.v)
			case pop:
				out.v, err = q.Pop(ctx)
			case tryPop:
				var ok bool
				if out.v, ok = q.TryPop(); !ok {
					out.err = "none"
					return out
				}
			case length:
				out.n = q.Len()
			case closing:
				q.Close()
			}
			out.err = outcome(err)
			return out
		})
	}
}

func TestQueueIsLinearizable(t *testing.T) {
	for _, policy := range []bqueue.Policy{bqueue.Block, bqueue.Reject, bqueue.DropOldest, bqueue.DropNewest} {
		for _, lifo := range []int{0, 1} {
			t.Run(fmt.Sprintf("%v,lifo=%d", policy, lifo), func(t *testing.T) {
				overlaps, wrong := 0, 0
				for round := range rounds() {
					const capacity = 2
					var opts []bqueue.Option
					if lifo > 0 {
						opts = append(opts, bqueue.WithAdaptiveLIFO(lifo))
					}
					q := bqueue.New[int](capacity, policy, opts...)
					var next atomic.Int64
					c := queueClient(q, &next)
					history := record(uint64(round), 12, c, c, c, c)
					check(t, queueModel(capacity, policy, lifo), history)
					overlaps += overlapping(history)
					if !porcupine.CheckOperations(queueModel(capacity+1, policy, lifo), history) {
						wrong++
					}
				}
				// What cannot fail shows nothing.
				if overlaps == 0 {
					t.Error("no operation of any history overlapped another")
				}
				if wrong == 0 {
					t.Error("a queue of one item more would have passed")
				}
			})
		}
	}
}

// A lanesState is the items of both lanes, and what is owed to the bulk lane.
type lanesState struct {
	bulk, interactive string
	owed              int
	closed            bool
}

func lanesModel(capacity, share, of int) porcupine.Model {
	return porcupine.Model{
		Init: func() any { return lanesState{} },
		Step: func(state, input, output any) (bool, any) {
			s, in, out := state.(lanesState), input.(queueOp), output.(queueResult)
			if out.err == "ended" {
				return in.kind == push || in.kind == pop, s
			}
			switch in.kind {
			case closing:
				s.closed = true
				return true, s
			case push, tryPush:
				if s.closed || out.err == "closed" {
					return s.closed && out.err == "closed", s
				}
				lane := &s.bulk
				if in.class == bulkhead.Interactive {
					lane = &s.interactive
				}
				if len([]rune(*lane)) == capacity {
					return in.kind == tryPush && out.err == "full", s
				}
				*lane += string(rune(in.v))
				return out.err == "", s
			case pop, tryPop:
				if s.bulk == "" && s.interactive == "" {
					return in.kind == tryPop && out.err == "none" || in.kind == pop && s.closed && out.err == "closed", s
				}
				lane, class := &s.interactive, bulkhead.Interactive
				if s.interactive == "" {
					lane, class = &s.bulk, bulkhead.Bulk
				} else if s.bulk != "" {
					if s.owed += share; s.owed >= of {
						s.owed -= of
						lane, class = &s.bulk, bulkhead.Bulk
					}
				}
				v := string(rune(out.v))
				ok := out.err == "" && out.class == class && strings.HasPrefix(*lane, v)
				*lane = strings.TrimPrefix(*lane, v)
				return ok, s
			}
			panic("unknown operation")
		},
	}
}

func lanesClient(l *bqueue.Lanes[int], next *atomic.Int64) client {
	return func(rng *rand.Rand, clk *clock) porcupine.Operation {
		in := queueOp{
			kind:  []kind{push, push, tryPush, tryPush, tryPush, pop, pop, tryPop, tryPop, closing}[rng.IntN(10)],
			class: bulkhead.Class(rng.IntN(2)),
		}
		if in.kind == closing && rng.IntN(8) > 0 {
			in.kind = tryPush
		}
		if in.kind == push || in.kind == tryPush {
			in.v = int(next.Add(1))
		}
		wait := time.Duration(rng.IntN(100)) * time.Microsecond
		return clk.time(in, func() any {
			ctx, cancel := context.WithTimeout(context.Background(), wait)
			defer cancel()
			var out queueResult
			var err error
			switch in.kind {
			case push:
				err = l.Push(ctx, in.class, in.v)
			case tryPush:
				err = l.TryPush(in.class, in.v)
			case pop:
				out.v, out.class, err = l.Pop(ctx)
			case tryPop:
				var ok bool
				if out.v, out.class, ok = l.TryPop(); !ok {
					out.err = "none"
					return out
				}
			case closing:
				l.Close()
			}
			out.err = outcome(err)
			return out
		})
	}
}

func TestLanesAreLinearizable(t *testing.T) {
	overlaps, wrong := 0, 0
	for round := range rounds() {
		l := bqueue.NewLanes[int](2, 2, bqueue.WithBulkShare(1, 3))
		var next atomic.Int64
		c := lanesClient(l, &next)
		history := record(uint64(round), 12, c, c, c, c)
		check(t, lanesModel(2, 1, 3), history)
		overlaps += overlapping(history)
		if !porcupine.CheckOperations(lanesModel(2, 0, 3), history) {
			wrong++
		}
	}
	if overlaps == 0 {
		t.Error("no operation of any history overlapped another")
	}
	if wrong == 0 {
		t.Error("lanes without a share for bulk would have passed")
	}
}

// TestXsyncQueueIsNotLinearizable documents that the queue of
// github.com/puzpuzpuz/xsync/v4 says that it is full when it is not: its
// TryEnqueue gives up where another producer is just ahead of it.
func TestXsyncQueueIsNotLinearizable(t *testing.T) {
	const capacity = 64 // more than all pushes of a history: it is never full
	deadline := time.Now().Add(30 * time.Second)
	for round := uint64(0); time.Now().Before(deadline); round++ {
		q := xsync.NewMPMCQueue[int](capacity)
		c := func(rng *rand.Rand, clk *clock) porcupine.Operation {
			return clk.time(queueOp{kind: tryPush, v: 1}, func() any {
				if q.TryEnqueue(1) {
					return queueResult{}
				}
				return queueResult{err: "full"}
			})
		}
		history := record(round, 12, c, c, c, c)
		if !porcupine.CheckOperations(queueModel(capacity, bqueue.Reject, 0), history) {
			t.Logf("history %d has an item refused by a queue that was never full", round)
			return
		}
	}
	t.Error("none of the histories of 30 s shows it: if xsync has mended it, delete this test")
}
