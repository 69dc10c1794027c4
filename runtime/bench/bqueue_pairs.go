package bench

import (
	"context"
	"sync"
	"testing"

	"github.com/puzpuzpuz/xsync/v4"

	"github.com/concvet/concvet/runtime/bqueue"
	"github.com/concvet/concvet/runtime/bulkhead"
)

func init() {
	for _, shape := range []struct {
		name string
		run  func(*testing.B, func(n int))
	}{{"1-caller", serial}, {"parallel", parallel}} {
		against := func(op, peer string, goal float64, ours, theirs func(context.Context) func(n int)) {
			register(Pair{
				Name: "bqueue/" + op + "-" + shape.name, Peer: peer, Goal: goal,
				Ours:   func(b *testing.B) { withContext(b, shape.run, ours) },
				Theirs: func(b *testing.B) { withContext(b, shape.run, theirs) },
			})
		}
		// What a program writes that must be able to give up.
		against("push-pop", "channel and context", 0.6, pushPop, pushPopChannel)
		against("try-push-try-pop", "channel and default", 0.6, tryPushTryPop, tryPushTryPopChannel)
		// What cannot give up, and so does less.
		against("push-pop", "bare channel", 0.6, pushPop, pushPopBare)
		against("try-push-try-pop", "xsync MPMCQueue", 0, tryPushTryPop, tryPushTryPopXsync)
		against("reject", "channel and default", 0, rejectPush, rejectChannel)
		against("lanes-push-pop", "two channels and context", 0, lanesPushPop, lanesChannels)
	}
	for _, n := range []struct {
		name string
		n    int
	}{{"1-to-1", 1}, {"4-to-4", 4}} {
		register(
			Pair{Name: "bqueue/stream-" + n.name, Peer: "channel and context", Ours: stream(n.n, streamOurs), Theirs: stream(n.n, streamChannel)},
			Pair{Name: "bqueue/stream-" + n.name, Peer: "bare channel", Ours: stream(n.n, streamOurs), Theirs: stream(n.n, streamBare)},
		)
	}
	register(Pair{Name: "bqueue/ping-pong", Peer: "channel and context", Ours: pingPong, Theirs: pingPongChannel})
}

func pushPop(ctx context.Context) func(n int) {
	q := bqueue.New[int](capacity, bqueue.Block)
	return func(n int) {
		for range n {
			must(q.Push(ctx, 1))
			_, err := q.Pop(ctx)
			must(err)
		}
	}
}

func pushPopChannel(ctx context.Context) func(n int) {
	q := make(chan int, capacity)
	return func(n int) {
		for range n {
			select {
			case q <- 1:
			case <-ctx.Done():
				panic(ctx.Err())
			}
			select {
			case <-q:
			case <-ctx.Done():
				panic(ctx.Err())
			}
		}
	}
}

func pushPopBare(context.Context) func(n int) {
	q := make(chan int, capacity)
	return func(n int) {
		for range n {
			q <- 1
			<-q
		}
	}
}

func tryPushTryPop(context.Context) func(n int) {
	q := bqueue.New[int](capacity, bqueue.Reject)
	return func(n int) {
		for range n {
			must(q.TryPush(1))
			q.TryPop()
		}
	}
}

func tryPushTryPopChannel(context.Context) func(n int) {
	q := make(chan int, capacity)
	return func(n int) {
		for range n {
			select {
			case q <- 1:
			default:
				panic("full")
			}
			select {
			case <-q:
			default:
			}
		}
	}
}

// The queue of xsync may refuse although it is not full: then there is nothing
// to take out.
func tryPushTryPopXsync(context.Context) func(n int) {
	q := xsync.NewMPMCQueue[int](capacity)
	return func(n int) {
		for range n {
			for !q.TryEnqueue(1) {
			}
			for {
				if _, ok := q.TryDequeue(); ok {
					break
				}
			}
		}
	}
}

func rejectPush(context.Context) func(n int) {
	q := bqueue.New[int](1, bqueue.Reject)
	must(q.TryPush(1))
	return func(n int) {
		for range n {
			mustBe(q.TryPush(1) != nil, true)
		}
	}
}

func rejectChannel(context.Context) func(n int) {
	q := make(chan int, 1)
	q <- 1
	return func(n int) {
		for range n {
			select {
			case q <- 1:
				panic("not full")
			default:
			}
		}
	}
}

func lanesPushPop(ctx context.Context) func(n int) {
	l := bqueue.NewLanes[int](capacity, capacity)
	return func(n int) {
		for range n {
			must(l.Push(ctx, bulkhead.Interactive, 1))
			_, _, err := l.Pop(ctx)
			must(err)
		}
	}
}

// Two channels are taken from in random order, which is not the same.
func lanesChannels(ctx context.Context) func(n int) {
	interactive, bulk := make(chan int, capacity), make(chan int, capacity)
	return func(n int) {
		for range n {
			select {
			case interactive <- 1:
			case <-ctx.Done():
				panic(ctx.Err())
			}
			select {
			case <-interactive:
			case <-bulk:
			case <-ctx.Done():
				panic(ctx.Err())
			}
		}
	}
}

// stream sends b.N items from n producers to n consumers.
func stream(n int, start func(ctx context.Context) (push, pop func())) func(*testing.B) {
	return func(b *testing.B) {
		ctx, cancel := context.WithCancel(background)
		defer cancel()
		push, pop := start(ctx)
		b.ReportAllocs()
		var wg sync.WaitGroup
		b.ResetTimer()
		for i := range n {
			items := b.N / n
			if i < b.N%n {
				items++
			}
			wg.Go(func() {
				for range items {
					push()
				}
			})
			wg.Go(func() {
				for range items {
					pop()
				}
			})
		}
		wg.Wait()
	}
}

func streamOurs(ctx context.Context) (push, pop func()) {
	q := bqueue.New[int](capacity, bqueue.Block)
	return func() { must(q.Push(ctx, 1)) }, func() {
		_, err := q.Pop(ctx)
		must(err)
	}
}

func streamChannel(ctx context.Context) (push, pop func()) {
	q := make(chan int, capacity)
	return func() {
			select {
			case q <- 1:
			case <-ctx.Done():
			}
		}, func() {
			select {
			case <-q:
			case <-ctx.Done():
			}
		}
}

func streamBare(context.Context) (push, pop func()) {
	q := make(chan int, capacity)
	return func() { q <- 1 }, func() { <-q }
}

// pingPong sends one item there and back: both sides wait every time.
func pingPong(b *testing.B) {
	ctx, cancel := context.WithCancel(background)
	defer cancel()
	there, back := bqueue.New[int](1, bqueue.Block), bqueue.New[int](1, bqueue.Block)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			v, err := there.Pop(ctx)
			if err != nil {
				return
			}
			must(back.Push(ctx, v))
		}
	}()
	b.ReportAllocs()
	for b.Loop() {
		must(there.Push(ctx, 1))
		_, err := back.Pop(ctx)
		must(err)
	}
	there.Close()
	<-done
}

func pingPongChannel(b *testing.B) {
	ctx, cancel := context.WithCancel(background)
	defer cancel()
	there, back := make(chan int, 1), make(chan int, 1)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for v := range there {
			select {
			case back <- v:
			case <-ctx.Done():
			}
		}
	}()
	b.ReportAllocs()
	for b.Loop() {
		select {
		case there <- 1:
		case <-ctx.Done():
		}
		select {
		case <-back:
		case <-ctx.Done():
		}
	}
	close(there)
	<-done
}
