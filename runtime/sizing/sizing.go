// Package sizing computes how many workers, how long a queue and how many
// requests in flight a service needs. Each function states the rule and where
// it comes from; its twin Explain… returns the same as a sentence with the
// figures put in, for a log line, a comment or a message.
//
// The functions are pure. They panic on a negative argument, on a count below
// one, on a fraction outside of 0 to 1 and on a value that is not a number. A
// result that no int holds is the largest int.
//
// When not to use it: the rules assume a steady load and know averages only. A
// load test that steps up until latency bends finds the same numbers, and those
// that the rules leave out. Start with the rule, and correct it by what the
// Stats of the pool or bulkhead say.
package sizing

import (
	"fmt"
	"math"
	"time"
)

// Workers is how many workers keep cores busy with tasks that compute for
// compute and wait for wait: cores × util × (1 + wait/compute), rounded down, at
// least 1. util is how busy the cores shall be, from 0 to 1.
//
// Goetz et al., Java Concurrency in Practice, 2006, section 8.2.
func Workers(cores int, wait, compute time.Duration, util float64) int {
	return max(1, floor(workers(cores, wait, compute, util)))
}

func workers(cores int, wait, compute time.Duration, util float64) float64 {
	count("cores", cores)
	duration("wait", wait)
	if compute <= 0 {
		panic("sizing: compute must be positive: tasks that only wait need no workers but a limit on what they wait for, InFlight")
	}
	fraction("util", util)
	return float64(cores) * util * (1 + float64(wait)/float64(compute))
}

// ExplainWorkers says how [Workers] comes to its result.
func ExplainWorkers(cores int, wait, compute time.Duration, util float64) string {
	return fmt.Sprintf("%s × %s busy × (1 + %v wait / %v compute) = %s: %s (Goetz et al., Java Concurrency in Practice, 8.2)",
		plural(cores, "core"), num(util), wait, compute, num(workers(cores, wait, compute, util)), plural(Workers(cores, wait, compute, util), "worker"))
}

// CPUWorkers is how many workers are left for tasks that only compute, when the
// rest of the service needs rate × compute of the cores: cores less that,
// rounded up, at least 1.
//
// It is the utilisation law, U = X·S: Denning and Buzen, The Operational
// Analysis of Queueing Network Models, ACM Computing Surveys 10(3), 1978.
func CPUWorkers(cores int, rate float64, compute time.Duration) int {
	count("cores", cores)
	return max(1, cores-ceil(busy(rate, compute)))
}

func busy(rate float64, compute time.Duration) float64 {
	positive("rate", rate)
	duration("compute", compute)
	return rate * compute.Seconds()
}

// ExplainCPUWorkers says how [CPUWorkers] comes to its result.
func ExplainCPUWorkers(cores int, rate float64, compute time.Duration) string {
	return fmt.Sprintf("%s/s × %v = %s cores for the rest of the service: %d of %s (utilisation law, Denning and Buzen 1978)",
		num(rate), compute, num(busy(rate, compute)), CPUWorkers(cores, rate, compute), plural(cores, "core"))
}

// InFlight is how many requests are in flight on average at rate a second when
// each takes latency: rate × latency, rounded up. It is what a connection pool or
// a bulkhead must admit.
//
// Little, A Proof for the Queuing Formula: L = λW, Operations Research 9(3), 1961.
func InFlight(rate float64, latency time.Duration) int {
	positive("rate", rate)
	duration("latency", latency)
	return ceil(rate * latency.Seconds())
}

// ExplainInFlight says how [InFlight] comes to its result.
func ExplainInFlight(rate float64, latency time.Duration) string {
	return fmt.Sprintf("%s/s × %v = %d in flight (Little's law)", num(rate), latency, InFlight(rate, latency))
}

// QueueCap is how many may wait in a queue that is served at rate a second, so
// that nobody waits longer than budget: budget × rate, rounded up. A longer queue
// only makes answers that come too late.
//
// It is Little's law for the queue alone.
func QueueCap(budget time.Duration, rate float64) int {
	duration("budget", budget)
	positive("rate", rate)
	return ceil(rate * budget.Seconds())
}

// ExplainQueueCap says how [QueueCap] comes to its result.
func ExplainQueueCap(budget time.Duration, rate float64) string {
	return fmt.Sprintf("%v of wait × %s/s = a queue of %d (Little's law)", budget, num(rate), QueueCap(budget, rate))
}

// Rate is how many tasks a second workers finish at most when each takes
// service: workers / service.
//
// It is Little's law turned round.
func Rate(workers int, service time.Duration) float64 {
	count("workers", workers)
	if service <= 0 {
		panic("sizing: service must be positive")
	}
	return float64(workers) / service.Seconds()
}

// ExplainRate says how [Rate] comes to its result.
func ExplainRate(workers int, service time.Duration) string {
	return fmt.Sprintf("%s / %v = %s/s (Little's law)", plural(workers, "worker"), service, num(Rate(workers, service)))
}

// DBPool is how many connections a database server can use at a time: 2 × cores +
// spindles, with 0 spindles where the data is in memory. It is the number for
// the server: all instances of a service share it.
//
// PostgreSQL wiki, Number Of Database Connections; HikariCP wiki, About Pool
// Sizing.
func DBPool(cores, spindles int) int {
	count("cores", cores)
	if spindles < 0 {
		panic("sizing: spindles must not be negative")
	}
	return clamp(2*float64(cores) + float64(spindles))
}

// ExplainDBPool says how [DBPool] comes to its result.
func ExplainDBPool(cores, spindles int) string {
	return fmt.Sprintf("2 × %s + %s = %s for all instances together (PostgreSQL wiki, Number Of Database Connections)",
		plural(cores, "core"), plural(spindles, "spindle"), plural(DBPool(cores, spindles), "connection"))
}

// RetryAmplification is by how much retries multiply the load on a dependency
// that fails every time, if a budget allows ratio retries a request: 1 + ratio.
// Without a budget, ratio is the number of attempts less one. Layers multiply:
// three tries in each of three layers are 27 calls.
//
// Beyer et al., Site Reliability Engineering, 2016, chapter 21, Handling
// Overload.
func RetryAmplification(ratio float64) float64 {
	positive("ratio", ratio)
	return 1 + ratio
}

// ExplainRetryAmplification says how [RetryAmplification] comes to its result.
func ExplainRetryAmplification(ratio float64) string {
	return fmt.Sprintf("1 + %s = %s times the load while everything fails (Site Reliability Engineering, chapter 21)", num(ratio), num(RetryAmplification(ratio)))
}

func count(name string, n int) {
	if n < 1 {
		panic("sizing: " + name + " must be at least 1")
	}
}

func duration(name string, d time.Duration) {
	if d < 0 {
		panic("sizing: " + name + " must not be negative")
	}
}

func positive(name string, x float64) {
	if !(x >= 0) {
		panic("sizing: " + name + " must not be negative")
	}
}

func fraction(name string, x float64) {
	if !(x >= 0 && x <= 1) {
		panic("sizing: " + name + " must be from 0 to 1")
	}
}

// slack forgives what binary fractions add: 0.1 s × 30/s is 3, not 4.
const slack = 1e-9

func ceil(x float64) int  { return clamp(math.Ceil(x * (1 - slack))) }
func floor(x float64) int { return clamp(math.Floor(x * (1 + slack))) }

func clamp(x float64) int {
	if x >= math.MaxInt {
		return math.MaxInt
	}
	return int(x)
}

// num prints x with what is needed of three decimals.
func num(x float64) string { return fmt.Sprint(math.Round(x*1000) / 1000) }

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprint(n, " ", noun, "s")
}
