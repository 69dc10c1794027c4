// Command report measures every pair of package bench and writes the table
// into docs/benchmarks.md:
//
//	go -C runtime/bench run ./report            # print
//	go -C runtime/bench run ./report -w         # and write
//	go -C runtime/bench run ./report -match bqueue -runs 20
//
// A run is ours and theirs, one directly after the other, and who comes first
// changes from run to run. The ratio is that of one run; the table has the
// median of all runs, so a disturbance that lasts for one run does not count.
package main

import (
	"bytes"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/concvet/concvet/runtime/bench"
)

const (
	page  = "../../docs/benchmarks.md" // from runtime/bench
	begin = "<!-- runtime: written by runtime/bench/report -->\n"
	end   = "<!-- runtime: end -->\n"
)

func main() {
	testing.Init()
	runs := flag.Int("runs", 8, "how often each pair is measured")
	length := flag.Duration("time", 100*time.Millisecond, "how long each measurement takes")
	match := flag.String("match", "", "measure only pairs whose name matches this `regexp`")
	write := flag.Bool("w", false, "write the table into docs/benchmarks.md")
	flag.Parse()
	if err := run(*runs, *length, *match, *write); err != nil {
		fmt.Fprintln(os.Stderr, "report:", err)
		os.Exit(1)
	}
}

func run(runs int, length time.Duration, match string, write bool) error {
	if runs < 1 {
		return errors.New("-runs must be at least 1")
	}
	if write && match != "" {
		return errors.New("-w writes the whole table, it does not go with -match")
	}
	wanted, err := regexp.Compile(match)
	if err != nil {
		return err
	}
	if err := flag.Set("test.benchtime", length.String()); err != nil {
		return err
	}
	var rows []row
	for _, p := range bench.Pairs() {
		if !wanted.MatchString(p.Name) {
			continue
		}
		r, err := measure(p, runs)
		if err != nil {
			return err
		}
		fmt.Fprintln(os.Stderr, r.line())
		rows = append(rows, r)
	}
	text := section(rows, fmt.Sprintf("go -C runtime/bench run ./report -w -runs %d -time %v", runs, length), runs)
	if !write {
		fmt.Print(text)
		return nil
	}
	old, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	return os.WriteFile(page, splice(old, text), 0o666)
}

// A row is what all runs of a pair gave.
type row struct {
	bench.Pair
	ours, theirs  side
	ratio, lo, hi float64
}

type side struct {
	ns     float64 // median
	allocs int64   // most
}

func measure(p bench.Pair, runs int) (row, error) {
	var ours, theirs, ratios []float64
	r := row{Pair: p}
	for i := range runs {
		var a, b testing.BenchmarkResult
		if i%2 == 0 {
			a, b = testing.Benchmark(p.Ours), testing.Benchmark(p.Theirs)
		} else {
			b, a = testing.Benchmark(p.Theirs), testing.Benchmark(p.Ours)
		}
		if a.N == 0 || b.N == 0 {
			return r, fmt.Errorf("%s against %s failed", p.Name, p.Peer)
		}
		x, y := perOp(a), perOp(b)
		ours, theirs, ratios = append(ours, x), append(theirs, y), append(ratios, x/y)
		r.ours.allocs = max(r.ours.allocs, a.AllocsPerOp())
		r.theirs.allocs = max(r.theirs.allocs, b.AllocsPerOp())
	}
	r.ours.ns, r.theirs.ns, r.ratio = median(ours), median(theirs), median(ratios)
	r.lo, r.hi = slices.Min(ratios), slices.Max(ratios)
	return r, nil
}

func perOp(r testing.BenchmarkResult) float64 { return float64(r.T.Nanoseconds()) / float64(r.N) }

func median(xs []float64) float64 {
	xs = slices.Clone(xs)
	slices.Sort(xs)
	n := len(xs)
	return (xs[(n-1)/2] + xs[n/2]) / 2
}

func (r row) goal() string {
	switch {
	case r.Goal == 0:
		return ""
	case r.ratio <= r.Goal:
		return fmt.Sprintf("%g, met", r.Goal)
	}
	return fmt.Sprintf("%g, **missed**", r.Goal)
}

func (r row) line() string {
	return fmt.Sprintf("| %s | %s | %s | %s | **%.2f** (%.2f–%.2f) | %s |", r.Name, r.Peer, r.ours, r.theirs, r.ratio, r.lo, r.hi, r.goal())
}

func (s side) String() string {
	ns := fmt.Sprintf("%.0f ns", s.ns)
	if s.ns < 10 {
		ns = fmt.Sprintf("%.1f ns", s.ns)
	}
	if s.allocs == 0 {
		return ns
	}
	return fmt.Sprintf("%s, %d allocs", ns, s.allocs)
}

func section(rows []row, command string, runs int) string {
	var b strings.Builder
	b.WriteString(begin)
	fmt.Fprintf(&b, "%s, %s/%s, %d cores (%s), %s. Nothing here says anything about more cores. The machine is shared: read the ratios.\n\n",
		runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.GOMAXPROCS(0), processor(), time.Now().Format("2 January 2006"))
	fmt.Fprintf(&b, "\t%s\n\n", command)
	fmt.Fprintf(&b, "Each line is the median of %d runs, of ours and theirs in turn in one process; the ratio is the median of the ratios, with the lowest and the highest. No allocation is mentioned where there is none.\n\n", runs)
	b.WriteString("| operation | against | ours | theirs | ratio | goal |\n|---|---|---|---|---|---|\n")
	slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(primitive(a.Name), primitive(b.Name)) })
	for _, r := range rows {
		b.WriteString(r.line())
		b.WriteByte('\n')
	}
	b.WriteString(end)
	return b.String()
}

func primitive(name string) string {
	name, _, _ = strings.Cut(name, "/")
	return name
}

// processor is what the machine says it computes with.
func processor() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	for line := range bytes.Lines(text) {
		if name, ok := bytes.CutPrefix(line, []byte("model name")); ok {
			return strings.TrimLeft(strings.TrimSpace(string(name)), ": \t")
		}
	}
	return runtime.GOARCH
}

// splice puts text between the marks of the page, or at its end.
func splice(old []byte, text string) []byte {
	from := bytes.Index(old, []byte(begin))
	to := bytes.Index(old, []byte(end))
	if from < 0 || to < from {
		return fmt.Appendf(bytes.TrimRight(old, "\n"), "\n\n%s", text)
	}
	return slices.Concat(old[:from], []byte(text), old[to+len(end):])
}
