package sizing

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"testing/quick"
	"time"
)

const (
	ms = time.Millisecond
	s  = time.Second
)

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-3*math.Abs(b) }

// TestFigures has the figures of published systems and of textbooks.
func TestFigures(t *testing.T) {
	for name, c := range map[string][2]float64{
		"300/s of 100 ms in flight":          {float64(InFlight(300, 100*ms)), 30},
		"30/s of 100 ms in flight":           {float64(InFlight(30, 100*ms)), 3},
		"31/s of 100 ms in flight":           {float64(InFlight(31, 100*ms)), 4},
		"nothing in flight":                  {float64(InFlight(0, s)), 0},
		"8 cores, 0.6 s wait, 2 s compute":   {float64(Workers(8, 600*ms, 2*s, 1)), 10},
		"8 cores, compute only":              {float64(Workers(8, 0, s, 1)), 8},
		"8 cores, compute only, half busy":   {float64(Workers(8, 0, s, 0.5)), 4},
		"never no worker":                    {float64(Workers(1, 0, s, 0.1)), 1},
		"4 cores, 9 ms wait, 1 ms compute":   {float64(Workers(4, 9*ms, ms, 1)), 40},
		"200 ms of wait at 200/s":            {float64(QueueCap(200*ms, 200)), 40},
		"100 ms of wait at 500/s":            {float64(QueueCap(100*ms, 500)), 50},
		"no wait":                            {float64(QueueCap(0, 500)), 0},
		"8 cores less 300/s × 2 ms":          {float64(CPUWorkers(8, 300, 2*ms)), 7},
		"2 cores that have no time":          {float64(CPUWorkers(2, 3000, 2*ms)), 1},
		"8 cores all to themselves":          {float64(CPUWorkers(8, 0, 2*ms)), 8},
		"10 workers of 20 ms":                {Rate(10, 20*ms), 500},
		"20 connections held for 3 s":        {Rate(20, 3*s), 6.6667},
		"4 cores, 1 spindle":                 {float64(DBPool(4, 1)), 9},
		"a budget of 10 %":                   {RetryAmplification(0.1), 1.1},
		"three tries":                        {RetryAmplification(2), 3},
		"0.30 serial, 8 workers":             {Amdahl(0.7, 8), 2.5806},
		"0.30 / 4 serial, 8 workers":         {Amdahl(1-0.30/4, 8), 5.2459},
		"0.30 / 16 serial, 8 workers":        {Amdahl(1-0.30/16, 8), 7.0718},
		"0.30 / 64 serial, 8 workers":        {Amdahl(1-0.30/64, 8), 7.7459},
		"all serial":                         {Amdahl(0, 8), 1},
		"all parallel":                       {Amdahl(1, 8), 8},
		"USL without coherence is Amdahl":    {USL(8, 0.3, 0), Amdahl(0.7, 8)},
		"USL of 32, 0.05, 0.001":             {USL(32, 0.05, 0.001), 32 / 3.542},
		"peak of 0.05, 0.001":                {float64(USLPeak(0.05, 0.001)), 31},
		"Erlang C of 1 is rho":               {ErlangC(1, 0.7), 0.7},
		"Erlang C of 2 at 0.75":              {ErlangC(2, 0.75), 0.642857},
		"Erlang C of 10 at 0.8":              {ErlangC(10, 0.8), 0.40918},
		"Erlang C of an idle pool":           {ErlangC(5, 0), 0},
		"Erlang C of an overloaded pool":     {ErlangC(5, 1.2), 1},
		"M/M/1 at 0.5: wait equals service":  {float64(MMcWait(1, 50, 10*ms)), float64(10 * ms)},
		"M/M/2, 15/s of 100 ms: 128.57 ms":   {float64(MMcWait(2, 15, 100*ms)), 128.5714 * float64(ms)},
		"M/M/1 overloaded waits for ever":    {float64(MMcWait(1, 200, 10*ms)), math.MaxInt64},
		"a thousand workers do not overflow": {ErlangC(1000, 0.5), 0},
	} {
		if !near(c[0], c[1]) && !(c[1] == 0 && math.Abs(c[0]) < 1e-9) {
			t.Errorf("%s: %v, want %v", name, c[0], c[1])
		}
	}
}

func TestLaws(t *testing.T) {
	config := &quick.Config{MaxCount: 2000}
	law := func(name string, f any) {
		t.Helper()
		if err := quick.Check(f, config); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	d := func(x uint32) time.Duration { return time.Duration(x%1e6+1) * time.Microsecond }
	rate := func(x uint16) float64 { return float64(x) / 16 }
	law("in flight covers rate × latency, by less than one", func(r uint16, l uint32) bool {
		n, exact := float64(InFlight(rate(r), d(l))), rate(r)*d(l).Seconds()
		return n >= exact*(1-1e-8) && n < exact+1
	})
	law("a queue is served within its budget", func(r uint16, l uint32) bool {
		return QueueCap(d(l), rate(r)) == InFlight(rate(r), d(l))
	})
	law("more wait never needs fewer workers", func(c uint8, w, x, y uint32) bool {
		return Workers(int(c)+1, d(w), d(x), 1) <= Workers(int(c)+1, d(w)+d(y), d(x), 1)
	})
	law("Erlang C is a probability that grows with the load", func(c uint8, a, b uint16) bool {
		lo, hi := float64(min(a, b))/65536, float64(max(a, b))/65536
		x, y := ErlangC(int(c)+1, lo), ErlangC(int(c)+1, hi)
		return x >= 0 && x <= y+1e-12 && y <= 1
	})
	law("no number of workers beats Amdahl's limit", func(p uint16, n uint8) bool {
		f := float64(p) / 65536
		x := Amdahl(f, int(n)+1)
		return x >= 1-1e-9 && x <= 1/(1-f)+1e-9 && x <= float64(n)+1+1e-9
	})
	law("USL is highest at its peak", func(a, b uint16) bool {
		alpha, beta := float64(a)/65536, float64(b)/65536/10+1e-6
		peak := USLPeak(alpha, beta)
		best := USL(peak, alpha, beta)
		return best >= USL(peak+1, alpha, beta) && (peak == 1 || best >= USL(peak-1, alpha, beta))
	})
}

func TestBounds(t *testing.T) {
	if got := InFlight(1e300, s); got != math.MaxInt {
		t.Errorf("InFlight: %d", got)
	}
	if got := Workers(1<<40, time.Duration(math.MaxInt64), 1, 1); got != math.MaxInt {
		t.Errorf("Workers: %d", got)
	}
	if got := USLPeak(0.1, 0); got != math.MaxInt {
		t.Errorf("USLPeak: %d", got)
	}
	if got := CPUWorkers(4, 1e300, s); got != 1 {
		t.Errorf("CPUWorkers: %d", got)
	}
}

func TestMisusePanics(t *testing.T) {
	for name, f := range map[string]func(){
		"cores":         func() { Workers(0, s, s, 1) },
		"wait":          func() { Workers(1, -s, s, 1) },
		"compute":       func() { Workers(1, s, 0, 1) },
		"util":          func() { Workers(1, s, s, 1.1) },
		"util NaN":      func() { Workers(1, s, s, math.NaN()) },
		"rate":          func() { InFlight(-1, s) },
		"rate NaN":      func() { QueueCap(s, math.NaN()) },
		"latency":       func() { InFlight(1, -s) },
		"budget":        func() { QueueCap(-s, 1) },
		"service":       func() { Rate(1, 0) },
		"workers":       func() { Rate(0, s) },
		"spindles":      func() { DBPool(1, -1) },
		"ratio":         func() { RetryAmplification(-1) },
		"p":             func() { Amdahl(2, 1) },
		"n":             func() { Amdahl(1, 0) },
		"alpha":         func() { USL(1, -1, 0) },
		"beta":          func() { USLPeak(0, -1) },
		"c":             func() { ErlangC(0, 0) },
		"rho":           func() { ErlangC(1, -1) },
		"c of M/M/c":    func() { MMcWait(0, 1, s) },
		"rate of M/M/c": func() { MMcWait(1, -1, s) },
	} {
		func() {
			defer func() {
				if r, _ := recover().(string); !strings.HasPrefix(r, "sizing: ") {
					t.Errorf("%s: %q", name, r)
				}
			}()
			f()
		}()
	}
}

func Example() {
	fmt.Println(ExplainWorkers(8, 600*time.Millisecond, 2*time.Second, 1))
	fmt.Println(ExplainCPUWorkers(8, 300, 2*time.Millisecond))
	fmt.Println(ExplainInFlight(300, 100*time.Millisecond))
	fmt.Println(ExplainQueueCap(200*time.Millisecond, 200))
	fmt.Println(ExplainRate(20, 3*time.Second))
	fmt.Println(ExplainDBPool(4, 1))
	fmt.Println(ExplainRetryAmplification(2))
	fmt.Println(ExplainAmdahl(0.7, 8))
	fmt.Println(ExplainUSL(32, 0.05, 0.001))
	fmt.Println(ExplainErlangC(10, 0.8))
	fmt.Println(ExplainMMcWait(2, 15, 100*time.Millisecond))
	fmt.Println(ExplainMMcWait(1, 200, 10*time.Millisecond))
	// Output:
	// 8 cores × 1 busy × (1 + 600ms wait / 2s compute) = 10.4: 10 workers (Goetz et al., Java Concurrency in Practice, 8.2)
	// 300/s × 2ms = 0.6 cores for the rest of the service: 7 of 8 cores (utilisation law, Denning and Buzen 1978)
	// 300/s × 100ms = 30 in flight (Little's law)
	// 200ms of wait × 200/s = a queue of 40 (Little's law)
	// 20 workers / 3s = 6.667/s (Little's law)
	// 2 × 4 cores + 1 spindle = 9 connections for all instances together (PostgreSQL wiki, Number Of Database Connections)
	// 1 + 2 = 3 times the load while everything fails (Site Reliability Engineering, chapter 21)
	// 1 / (0.3 + 0.7/8) = 2.581 times as fast (Amdahl's law)
	// 32 / (1 + 0.05×31 + 0.001×32×31) = 9.034 times as fast, most at 31 (Universal Scalability Law, Gunther)
	// 40.918% of tasks wait for one of 10 workers that are 80% busy (Erlang C)
	// 15/s × 100ms on 2 workers = 75% busy: a wait of 128.571ms on average (M/M/c, Kleinrock)
	// 200/s × 10ms on 1 worker = 200% busy: the queue grows without end
}
