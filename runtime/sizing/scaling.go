package sizing

import (
	"fmt"
	"math"
	"time"
)

// Amdahl is how many times faster n workers are than one, if the fraction p of
// the work can be done by all of them at a time: 1 / ((1−p) + p/n). The rest, what
// is done under one lock, is the limit: never more than 1/(1−p).
//
// Amdahl, Validity of the Single Processor Approach to Achieving Large Scale
// Computing Capabilities, AFIPS 1967.
func Amdahl(p float64, n int) float64 {
	fraction("p", p)
	count("n", n)
	return 1 / ((1 - p) + p/float64(n))
}

// ExplainAmdahl says how [Amdahl] comes to its result.
func ExplainAmdahl(p float64, n int) string {
	return fmt.Sprintf("1 / (%s + %s/%d) = %s times as fast (Amdahl's law)", num(1-p), num(p), n, num(Amdahl(p, n)))
}

// USL is how many times faster n workers are than one, if they contend for
// something for the fraction alpha of the time, and the fraction beta goes into
// keeping each pair of them coherent: n / (1 + α(n−1) + βn(n−1)). With beta > 0
// it has a peak, after which more workers do less.
//
// Gunther, Guerrilla Capacity Planning, 2007, chapter 4: the Universal
// Scalability Law.
func USL(n int, alpha, beta float64) float64 {
	count("n", n)
	fraction("alpha", alpha)
	fraction("beta", beta)
	x := float64(n)
	return x / (1 + alpha*(x-1) + beta*x*(x-1))
}

// USLPeak is the number of workers at which [USL] is highest: √((1−α)/β). It is
// the largest int if beta is 0.
func USLPeak(alpha, beta float64) int {
	fraction("alpha", alpha)
	fraction("beta", beta)
	if beta == 0 {
		return math.MaxInt
	}
	peak := max(1, floor(math.Sqrt((1-alpha)/beta)))
	if peak < math.MaxInt && USL(peak+1, alpha, beta) > USL(peak, alpha, beta) {
		peak++
	}
	return peak
}

// ExplainUSL says how [USL] comes to its result.
func ExplainUSL(n int, alpha, beta float64) string {
	s := fmt.Sprintf("%d / (1 + %s×%d + %s×%d×%d) = %s times as fast", n, num(alpha), n-1, num(beta), n, n-1, num(USL(n, alpha, beta)))
	if beta > 0 {
		s += fmt.Sprintf(", most at %d", USLPeak(alpha, beta))
	}
	return s + " (Universal Scalability Law, Gunther)"
}

// ErlangC is the fraction of tasks that have to wait for one of c workers which
// are busy for the fraction rho of the time, if tasks come at random and take
// an exponentially distributed time (M/M/c). From rho = 1 on, all wait.
//
// Erlang, Solution of some Problems in the Theory of Probabilities of
// Significance in Automatic Telephone Exchanges, 1917.
func ErlangC(c int, rho float64) float64 {
	count("c", c)
	positive("rho", rho)
	if rho >= 1 {
		return 1
	}
	// Erlang B by its recurrence, which does not overflow, and C from B.
	load := float64(c) * rho
	b := 1.0
	for k := 1; k <= c; k++ {
		b = load * b / (float64(k) + load*b)
	}
	return b / (1 - rho*(1-b))
}

// ExplainErlangC says how [ErlangC] comes to its result.
func ExplainErlangC(c int, rho float64) string {
	return fmt.Sprintf("%s%% of tasks wait for one of %s that are %s%% busy (Erlang C)", num(100*ErlangC(c, rho)), plural(c, "worker"), num(100*rho))
}

// MMcWait is how long tasks wait on average for one of c workers, if they come
// at random, rate a second, and take service on average: ErlangC × service /
// (c (1 − ρ)). It is the longest duration if the workers do not keep up.
//
// Kleinrock, Queueing Systems, volume 1, 1975, section 3.5.
func MMcWait(c int, rate float64, service time.Duration) time.Duration {
	rho := utilisation(c, rate, service)
	if rho >= 1 {
		return math.MaxInt64
	}
	wait := ErlangC(c, rho) * float64(service) / (float64(c) * (1 - rho))
	if wait >= math.MaxInt64 {
		return math.MaxInt64
	}
	return time.Duration(wait)
}

func utilisation(c int, rate float64, service time.Duration) float64 {
	count("c", c)
	return busy(rate, service) / float64(c)
}

// ExplainMMcWait says how [MMcWait] comes to its result.
func ExplainMMcWait(c int, rate float64, service time.Duration) string {
	rho := utilisation(c, rate, service)
	if rho >= 1 {
		return fmt.Sprintf("%s/s × %v on %s = %s%% busy: the queue grows without end", num(rate), service, plural(c, "worker"), num(100*rho))
	}
	return fmt.Sprintf("%s/s × %v on %s = %s%% busy: a wait of %v on average (M/M/c, Kleinrock)",
		num(rate), service, plural(c, "worker"), num(100*rho), MMcWait(c, rate, service).Round(time.Microsecond))
}
