package bulkhead

import (
	"time"

	"github.com/concvet/concvet/runtime/internal/hist"
)

// A Dist is a distribution of durations in buckets that double.
type Dist = hist.Dist

// Stats is what a bulkhead has done so far, and how it stands.
type Stats struct {
	Name                string
	Limit, Reserve      int
	InUse               int // permits, more than Limit for a while after SetLimit
	Waiters, MaxWaiters int
	MaxWait             time.Duration // 0 if there is no bound

	Acquired uint64 // calls that got their permits
	Waited   uint64 // calls that had to wait first
	Rejected uint64 // calls that failed for want of permits, without or before the end of a wait
	TimedOut uint64 // waits that ended by WithMaxWait
	Canceled uint64 // waits that ended by their context

	Wait Dist // of waits that ended with a permit
}

// Stats returns the present figures. Its lock is that of the waiters: it delays
// no call that does not wait.
func (b *Bulkhead) Stats() Stats {
	b.mu.Lock()
	defer b.mu.Unlock()
	// Who makes the counter in the state wrap counts the wrap a moment later. Read in this order the sum may meanwhile be too low, never too high.
	wraps := b.wraps.Load()
	s := b.state.Load()
	b.acquired = max(b.acquired, wraps*(maxCount+1)+s>>countShift)
	return Stats{
		Name:       b.name,
		Limit:      int(b.limit(s, Interactive)),
		Reserve:    int(b.reserve),
		InUse:      int(s & inUse),
		Waiters:    b.waiting[Bulk].Len() + b.waiting[Interactive].Len(),
		MaxWaiters: b.maxQueue,
		MaxWait:    b.maxWait,
		Acquired:   b.acquired,
		Waited:     b.waited,
		Rejected:   b.rejected.Load(),
		TimedOut:   b.timeouts,
		Canceled:   b.canceled,
		Wait:       b.waits,
	}
}

// Name returns the name of WithName.
func (b *Bulkhead) Name() string { return b.name }
