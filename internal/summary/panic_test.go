package summary_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"

	"github.com/concvet/concvet/analyzers/holdacross"
	"github.com/concvet/concvet/internal/summary"
)

// A bug of ours costs the one function that it happens in. Its package keeps
// the findings of all others, exports their facts, and its importers do not
// notice anything but what that function would have told them.
func TestPanicCostsOneFunction(t *testing.T) {
	dir := write(t, map[string]string{
		"panics/dep/dep.go": `package dep

import (
	"sync"
	"time"
)

type T struct {
	mu sync.Mutex
	m  map[string]int
}

func A() { time.Sleep(time.Second) }

func B() { time.Sleep(3 * time.Second) }

func (t *T) Alone() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.m["a"]++
	time.Sleep(2 * time.Second)
}

func (t *T) CallsA() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.m["a"]++
	A()
}
`,
		"panics/use/use.go": `package use

import (
	"sync"

	"panics/dep"
)

type U struct {
	mu sync.Mutex
	m  map[string]int
}

func (u *U) UsesA() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.m["a"]++
	dep.A()
}

func (u *U) UsesB() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.m["a"]++
	dep.B()
}
`,
	})
	// Which findings are gone if the inference of a function fails.
	depends := map[string][]string{
		"A": {"CallsA", "UsesA"}, "B": {"UsesB"}, "Alone": {"Alone"}, "CallsA": {"CallsA"},
		"UsesA": {"UsesA"}, "UsesB": {"UsesB"},
	}
	all := []string{"Alone", "CallsA", "UsesA", "UsesB"}
	pkgs := load(t, dir, "panics/use", "panics/dep")

	count, restore := summary.PanicAt(-1)
	found, failures := analyze(t, pkgs)
	restore()
	if !slices.Equal(found, all) || len(failures) > 0 {
		t.Fatalf("without a panic there are findings in %q and failures %q", found, failures)
	}
	failed := make(map[string]bool)
	for n := range count() {
		_, restore := summary.PanicAt(n)
		found, failures := analyze(t, pkgs)
		restore()
		if len(failures) != 1 {
			t.Fatalf("panic %d: %d failures, want one: %q", n, len(failures), failures)
		}
		m := failure.FindStringSubmatch(failures[0])
		if m == nil {
			t.Fatalf("panic %d: %q does not say what failed where", n, failures[0])
		}
		failed[m[2]] = true
		gone, known := depends[m[2]]
		if !known {
			t.Fatalf("panic %d: %q names no function of the packages", n, failures[0])
		}
		for _, fn := range all {
			if !slices.Contains(found, fn) && !slices.Contains(gone, fn) {
				t.Errorf("a panic in %s costs the finding in %s", m[2], fn)
			}
		}
	}
	for fn := range depends {
		if !failed[fn] {
			t.Errorf("no panic was injected into %s", fn)
		}
	}
}

var failure = regexp.MustCompile(`^internal error in concvetsummary on (panics/\w+) \(func .*\b(\w+)\): injected; please report it$`)

// analyze returns the functions that have findings, and the errors.
func analyze(t *testing.T, pkgs packageList) (found, failures []string) {
	t.Helper()
	graph, err := checker.Analyze([]*analysis.Analyzer{holdacross.Analyzer}, pkgs, &checker.Options{Sequential: true, SanityCheck: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, act := range graph.Roots {
		if act.Err != nil {
			failures = append(failures, strings.Split(act.Err.Error(), "\n")...)
		}
		for _, d := range act.Diagnostics {
			found = append(found, enclosing(act.Package, d.Pos))
		}
	}
	slices.Sort(found)
	return found, failures
}
