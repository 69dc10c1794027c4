package unboundedqueue_test

import (
	"path/filepath"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/concvet/concvet/analyzers/unboundedqueue"
	"github.com/concvet/concvet/internal/report"
)

// testdata is the GOPATH tree that every analyzer shares, stubs of libraries
// included.
var testdata = func() string {
	dir, err := filepath.Abs(filepath.Join("..", "..", "testdata"))
	if err != nil {
		panic(err)
	}
	return dir
}()

func TestAnalyzerIsValid(t *testing.T) {
	if err := analysis.Validate([]*analysis.Analyzer{unboundedqueue.Analyzer}); err != nil {
		t.Error(err)
	}
}

// What a maintainer would fix is reported, and nothing else in those packages.
func TestDefaultTier(t *testing.T) {
	results := analysistest.Run(t, testdata, unboundedqueue.Analyzer,
		"unboundedqueue/bad", "unboundedqueue/generic", "unboundedqueue/crosspkg/...", "unboundedqueue/limits", "unboundedqueue/thirdparty")
	if len(results) != 6 {
		t.Errorf("%d packages were analysed, want 6", len(results))
	}
}

// What is right is silent in both tiers, and what is for a review only is
// reported in the audit tier.
func TestAuditTier(t *testing.T) {
	report.PlainTier = report.Audit
	t.Cleanup(func() { report.PlainTier = report.Default })
	analysistest.Run(t, testdata, unboundedqueue.Analyzer, "unboundedqueue/ok", "unboundedqueue/audit")
}

func TestAuditTierIsSilentByDefault(t *testing.T) {
	results := analysistest.Run(ignoreWants{t}, testdata, unboundedqueue.Analyzer, "unboundedqueue/audit")
	if len(results) != 1 {
		t.Fatalf("%d results, want 1", len(results))
	}
	for _, d := range results[0].Diagnostics {
		t.Errorf("%v: %s", results[0].Pass.Fset.Position(d.Pos), d.Message)
	}
}

// ignoreWants takes the missing findings of a run for what they are here.
type ignoreWants struct{ t *testing.T }

func (ignoreWants) Errorf(string, ...any) {}
