package rtstat_test

import (
	"os"

	"github.com/concvet/concvet/runtime/bulkhead"
	"github.com/concvet/concvet/runtime/rtstat"
)

func Example() {
	billing := bulkhead.New(20, bulkhead.WithWaiters(40))
	remove := rtstat.Register("billing", billing)
	defer remove()

	billing.TryAcquire()
	rtstat.Default.WriteText(os.Stdout)
	// Output:
	// billing Limit 20
	// billing Reserve 0
	// billing InUse 1
	// billing Waiters 0
	// billing MaxWaiters 40
	// billing MaxWait 0s
	// billing Acquired 1
	// billing Waited 0
	// billing Rejected 0
	// billing TimedOut 0
	// billing Canceled 0
	// billing Wait count=0 mean=0s p50=0s p99=0s max=0s
}
