package leak

import (
	"context"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/concvet/concvet/runtime/bulkhead"
)

func TestWaitersOfABulkheadThatLeft(t *testing.T) {
	defer goleak.VerifyNone(t)
	b := bulkhead.New(1, bulkhead.WithWaiters(100), bulkhead.WithMaxWait(time.Millisecond))
	b.TryAcquire()
	ctx, cancel := context.WithCancel(background)
	for range 100 {
		go b.Acquire(ctx)
	}
	cancel()
	for range 100 {
		go b.AcquireN(background, 1, bulkhead.Interactive)
	}
	b.SetLimit(3)
	b.Release()
}

func TestKeysOfABulkheadThatWereEvicted(t *testing.T) {
	defer goleak.VerifyNone(t)
	k := bulkhead.NewKeyed(10, func(int) *bulkhead.Bulkhead { return bulkhead.New(1) })
	for i := range 1000 {
		k.Get(i).TryAcquire()
		k.Get(i).Release()
	}
}
