package bulkhead_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/concvet/concvet/runtime/bulkhead"
)

// A slow dependency has all its permits out. The next call is refused at once
// and does not pile up behind it.
func ExampleDo() {
	billing := bulkhead.New(2)
	charge := func(ctx context.Context) (string, error) { return "paid", nil }

	ctx := context.Background()
	fmt.Println(bulkhead.Do(ctx, billing, charge))

	_ = billing.AcquireN(ctx, 2, bulkhead.Bulk) // two calls that hang
	_, err := bulkhead.Do(ctx, billing, charge)
	fmt.Println(err, errors.Is(err, bulkhead.ErrFull))
	// Output:
	// paid <nil>
	// bulkhead: full true
}

// Where a short wait is better than a refusal, both the number of those who
// wait and the time they wait are bounded.
func ExampleWithMaxWait() {
	b := bulkhead.New(1, bulkhead.WithWaiters(10), bulkhead.WithMaxWait(10*time.Millisecond))
	ctx := context.Background()
	fmt.Println(b.Acquire(ctx))
	fmt.Println(b.Acquire(ctx)) // waits 10 ms
	s := b.Stats()
	fmt.Println(s.InUse, s.Waited, s.TimedOut)
	// Output:
	// <nil>
	// bulkhead: full
	// 1 1 1
}

// The report that runs at night may have all but one of the connections, the
// page that somebody looks at may have that one too.
func ExampleWithReserve() {
	conns := bulkhead.New(4, bulkhead.WithReserve(1))
	n := 0
	for conns.TryAcquire() { // as Bulk
		n++
	}
	fmt.Println("bulk:", n)
	fmt.Println("interactive:", conns.TryAcquireN(1, bulkhead.Interactive))
	// Output:
	// bulk: 3
	// interactive: true
}

// A request that needs more memory takes more permits.
func ExampleBulkhead_AcquireN() {
	memory := bulkhead.New(400) // megabytes
	ctx := context.Background()
	fmt.Println(memory.AcquireN(ctx, 48, bulkhead.Bulk))
	defer memory.ReleaseN(48)
	fmt.Println(memory.AcquireN(ctx, 500, bulkhead.Bulk))
	// Output:
	// <nil>
	// bulkhead: more permits than the limit allows
}

// One host that hangs does not keep the others from being called.
func ExampleKeyed() {
	hosts := bulkhead.NewKeyed(100, func(host string) *bulkhead.Bulkhead {
		return bulkhead.New(2, bulkhead.WithName(host))
	})
	slow := hosts.Get("slow.example.com")
	for slow.TryAcquire() {
	}
	fmt.Println(hosts.Get("slow.example.com").TryAcquire())
	fmt.Println(hosts.Get("fast.example.com").TryAcquire())
	// Output:
	// false
	// true
}
