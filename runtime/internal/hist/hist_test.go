package hist

import (
	"math"
	"testing"
	"time"
)

func TestRecordPutsADurationBelowTheBoundOfItsBucket(t *testing.T) {
	for _, x := range []time.Duration{
		-time.Second, 0, 1, time.Microsecond - 1, time.Microsecond, 2*time.Microsecond - 1, 2 * time.Microsecond,
		time.Millisecond, time.Second, time.Hour, math.MaxInt64,
	} {
		var d Dist
		d.Record(x)
		x = max(x, 0)
		for i, n := range d.Buckets {
			in := x < Bound(i) && (i == 0 || x >= Bound(i-1))
			if i == buckets-1 {
				in = x >= Bound(i-1)
			}
			if (n == 1) != in {
				t.Errorf("%v: bucket %d up to %v has %d", x, i, Bound(i), n)
			}
		}
		if d.Count != 1 || d.Sum != x || d.Max != x || d.Mean() != x {
			t.Errorf("%v: %+v", x, d)
		}
	}
}

func TestQuantileIsNeverBelowTheExactAnswerAndAtMostTwiceIt(t *testing.T) {
	var d Dist
	for i := range 1000 {
		d.Record(time.Duration(i+1) * time.Millisecond)
	}
	for _, q := range []float64{0.001, 0.5, 0.9, 0.99, 1} {
		exact := time.Duration(q*1000) * time.Millisecond
		if got := d.Quantile(q); got < exact || got > 2*exact {
			t.Errorf("quantile %v is %v, exactly %v", q, got, exact)
		}
	}
	if got := d.Quantile(1); got != time.Second {
		t.Errorf("quantile 1 is %v, want the longest", got)
	}
	if got := (Dist{}).Quantile(0.5); got != 0 {
		t.Errorf("quantile of nothing is %v", got)
	}
}

func TestAddIsRecordingBoth(t *testing.T) {
	var a, b, both Dist
	for i := range 100 {
		x := time.Duration(i*i) * time.Microsecond
		both.Record(x)
		if i%3 == 0 {
			a.Record(x)
		} else {
			b.Record(x)
		}
	}
	a.Add(b)
	if a != both {
		t.Errorf("%+v, want %+v", a, both)
	}
	if (Dist{}).Mean() != 0 {
		t.Error("the mean of nothing is not 0")
	}
}
