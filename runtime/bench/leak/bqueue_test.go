package leak

import (
	"context"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/concvet/concvet/runtime/bqueue"
	"github.com/concvet/concvet/runtime/bulkhead"
)

func TestQueuesThatWereClosed(t *testing.T) {
	defer goleak.VerifyNone(t)
	full, empty := bqueue.New[int](1, bqueue.Block), bqueue.New[int](1, bqueue.Block)
	fullLanes, emptyLanes := bqueue.NewLanes[int](1, 1), bqueue.NewLanes[int](1, 1)
	full.TryPush(1)
	fullLanes.TryPush(bulkhead.Bulk, 1)
	for range 10 {
		go full.Push(background, 2)
		go empty.Pop(background)
		go fullLanes.Push(background, bulkhead.Bulk, 2)
		go emptyLanes.Pop(background)
	}
	time.Sleep(10 * time.Millisecond)
	full.Close()
	empty.Close()
	fullLanes.Close()
	emptyLanes.Close()
}

func TestQueuesThatWereDropped(t *testing.T) {
	defer goleak.VerifyNone(t)
	ctx, cancel := context.WithCancel(background)
	full, empty := bqueue.New[int](1, bqueue.Block), bqueue.New[int](1, bqueue.Block)
	full.TryPush(1)
	for range 10 {
		go full.Push(ctx, 2)
		go empty.Pop(ctx)
	}
	time.Sleep(10 * time.Millisecond)
	cancel()
}
