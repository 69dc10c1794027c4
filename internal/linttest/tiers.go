package linttest

import (
	"path/filepath"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/concvet/concvet/internal/report"
)

// Tree returns the GOPATH tree that every analyzer shares, stubs of libraries
// included, for a test in a folder of analyzers/.
func Tree(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("..", "..", "testdata"))
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// Valid checks the form of an analyzer.
func Valid(t *testing.T, a *analysis.Analyzer) {
	t.Helper()
	if err := analysis.Validate([]*analysis.Analyzer{a}); err != nil {
		t.Error(err)
	}
}

// DefaultTier checks that what a maintainer would fix is reported, and nothing
// else, in the packages that match the patterns, of which there are n. They are
// loaded at once: each load type-checks the standard library anew.
func DefaultTier(t *testing.T, a *analysis.Analyzer, n int, patterns ...string) {
	t.Helper()
	if results := analysistest.Run(t, Tree(t), a, patterns...); len(results) != n {
		t.Errorf("%d packages were analysed, want %d", len(results), n)
	}
}

// AuditTier checks that what is right is silent in both tiers, and that what is
// for a review only is reported in the audit tier.
func AuditTier(t *testing.T, a *analysis.Analyzer, patterns ...string) {
	t.Helper()
	report.PlainTier = report.Audit
	t.Cleanup(func() { report.PlainTier = report.Default })
	analysistest.Run(t, Tree(t), a, patterns...)
}

// SilentByDefault checks that nothing in some packages is reported in the
// default tier, whatever their want comments say.
func SilentByDefault(t *testing.T, a *analysis.Analyzer, packages ...string) {
	t.Helper()
	results := analysistest.Run(ignoreWants{}, Tree(t), a, packages...)
	if len(results) != len(packages) {
		t.Fatalf("%d results, want %d", len(results), len(packages))
	}
	for _, r := range results {
		if r.Err != nil {
			t.Error(r.Err)
		}
		for _, d := range r.Diagnostics {
			t.Errorf("%v: %s", r.Pass.Fset.Position(d.Pos), d.Message)
		}
	}
}

// ignoreWants takes the missing findings of a run for what they are here.
type ignoreWants struct{}

func (ignoreWants) Errorf(string, ...any) {}
