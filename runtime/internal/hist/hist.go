// Package hist counts durations in buckets that double, so that a distribution
// costs a fixed few hundred bytes and can be read without stopping anyone.
package hist

import (
	"math"
	"math/bits"
	"time"
)

// buckets is the number of buckets of a Dist. The last one begins at 1 µs << 30,
// 18 minutes.
const buckets = 32

// A Dist is a distribution of durations. Bucket 0 counts those below 1 µs,
// bucket i those below [Bound](i), and the last one all that are longer.
type Dist struct {
	Count    uint64
	Sum, Max time.Duration
	Buckets  [buckets]uint64
}

// Bound returns the upper bound of bucket i, which is not part of it. The last
// bucket has none: its bound is the longest duration.
func Bound(i int) time.Duration {
	if i >= buckets-1 {
		return math.MaxInt64
	}
	return time.Microsecond << i
}

// Record adds one duration. It is not safe for concurrent use: the lock that
// guards the Dist must be held.
func (d *Dist) Record(x time.Duration) {
	x = max(x, 0)
	d.Count++
	d.Sum += x
	d.Max = max(d.Max, x)
	d.Buckets[min(bits.Len64(uint64(x/time.Microsecond)), buckets-1)]++
}

// Add adds all that other has counted.
func (d *Dist) Add(other Dist) {
	d.Count += other.Count
	d.Sum += other.Sum
	d.Max = max(d.Max, other.Max)
	for i, n := range other.Buckets {
		d.Buckets[i] += n
	}
}

// Mean returns the average, 0 if nothing was counted.
func (d Dist) Mean() time.Duration {
	if d.Count == 0 {
		return 0
	}
	return d.Sum / time.Duration(d.Count)
}

// Quantile returns a duration that at least the fraction q of those counted do
// not exceed: the bound of the bucket, so at most twice the exact answer above
// 1 µs, and never more than Max.
func (d Dist) Quantile(q float64) time.Duration {
	want := uint64(math.Ceil(min(max(q, 0), 1) * float64(d.Count)))
	var n uint64
	for i, c := range d.Buckets {
		if n += c; n >= want && n > 0 {
			return min(Bound(i), d.Max)
		}
	}
	return d.Max
}
