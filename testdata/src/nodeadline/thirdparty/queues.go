package thirdparty

import (
	"context"
	"time"

	"github.com/concvet/concvet/runtime/bqueue"
	"github.com/concvet/concvet/runtime/bulkhead"
)

func permitBad(_ context.Context, b *bulkhead.Bulkhead) error {
	if err := b.Acquire(context.Background()); err != nil { // want `ctx-none`
		return err
	}
	b.Release()
	return nil
}

func permitOk(ctx context.Context, b *bulkhead.Bulkhead) error {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	return b.Acquire(ctx)
}

func permitTryOk(b *bulkhead.Bulkhead) bool { return b.TryAcquire() }

func permitDoBad(_ context.Context, b *bulkhead.Bulkhead) (int, error) {
	return bulkhead.Do(context.Background(), b, compute) // want `ctx-none`
}

// A queue is like a channel here: only the policy Block waits, and for producers
// that are to be slowed down.
func queuePushOk(q *bqueue.Queue[int]) error {
	return q.Push(context.Background(), 1)
}

func queueTryOk(q *bqueue.Queue[int]) error { return q.TryPush(1) }

// A consumer waits for work for as long as it takes; Close ends it.
func queueConsumerOk(q *bqueue.Queue[int], do func(int)) {
	for {
		v, err := q.Pop(context.Background())
		if err != nil {
			return
		}
		do(v)
	}
}
