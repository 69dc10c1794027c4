package main

import (
	"flag"
	"strings"
	"testing"
	"time"

	"github.com/concvet/concvet/runtime/bench"
)

func TestMeasure(t *testing.T) {
	if err := flag.Set("test.benchtime", "1ms"); err != nil {
		t.Fatal(err)
	}
	sleep := func(d time.Duration) func(*testing.B) {
		return func(b *testing.B) {
			for b.Loop() {
				time.Sleep(d)
			}
		}
	}
	r, err := measure(bench.Pair{Name: "a/b", Peer: "c", Goal: 0.5, Ours: sleep(time.Millisecond), Theirs: sleep(10 * time.Millisecond)}, 3)
	if err != nil {
		t.Fatal(err)
	}
	if r.ratio > 0.5 || r.lo > r.ratio || r.hi < r.ratio || !strings.HasSuffix(r.goal(), "met") {
		t.Errorf("1 ms against 10 ms: %s", r.line())
	}
	if _, err := measure(bench.Pair{Name: "a/b", Peer: "c", Ours: sleep(0), Theirs: func(b *testing.B) { b.Fatal("broken") }}, 1); err == nil {
		t.Error("a benchmark that failed is no error")
	}
}

func TestMedian(t *testing.T) {
	for want, xs := range map[float64][]float64{2: {3, 1, 2}, 2.5: {4, 1, 3, 2}, 7: {7}} {
		if got := median(xs); got != want {
			t.Errorf("of %v: %v", xs, got)
		}
	}
}

func TestSplice(t *testing.T) {
	text := begin + "new\n" + end
	if got := string(splice([]byte("# Page\n\nOther.\n"), text)); got != "# Page\n\nOther.\n\n"+text {
		t.Errorf("at the end: %q", got)
	}
	if got := string(splice([]byte("# Page\n\n"+begin+"old\n"+end+"\nOther.\n"), text)); got != "# Page\n\n"+text+"\nOther.\n" {
		t.Errorf("in the middle: %q", got)
	}
}

func TestSection(t *testing.T) {
	rows := []row{
		{Pair: bench.Pair{Name: "b/x", Peer: "p", Goal: 0.5}, ratio: 0.7, ours: side{3.14, 0}, theirs: side{31.4, 2}},
		{Pair: bench.Pair{Name: "a/x", Peer: "p", Goal: 0.5}, ratio: 0.4},
		{Pair: bench.Pair{Name: "a/y", Peer: "p"}},
	}
	got := section(rows, "the command", 8)
	for _, want := range []string{"the command", "cores", "8 runs", "| b/x | p | 3.1 ns | 31 ns, 2 allocs | **0.70** (0.00–0.00) | 0.5, **missed** |", "0.5, met |", "|  |\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.Index(got, "a/x") > strings.Index(got, "b/x") || strings.Index(got, "a/x") > strings.Index(got, "a/y") {
		t.Errorf("the rows are not in order:\n%s", got)
	}
}
