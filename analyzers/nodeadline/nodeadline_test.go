package nodeadline_test

import (
	"path/filepath"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/concvet/concvet/analyzers/nodeadline"
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
	if err := analysis.Validate([]*analysis.Analyzer{nodeadline.Analyzer}); err != nil {
		t.Error(err)
	}
}

// What a maintainer would fix is reported, and nothing else in those packages.
// They are loaded at once: each load type-checks the standard library anew.
func TestDefaultTier(t *testing.T) {
	results := analysistest.Run(t, testdata, nodeadline.Analyzer,
		"nodeadline/bad", "nodeadline/grouped", "nodeadline/generic", "nodeadline/crosspkg/...", "nodeadline/limits", "nodeadline/thirdparty", "nodeadline/oneshot")
	if len(results) != 9 {
		t.Errorf("%d packages were analysed, want 9", len(results))
	}
}

// What is right is silent in both tiers, and what is for a review only is
// reported in the audit tier.
func TestAuditTier(t *testing.T) {
	report.PlainTier = report.Audit
	t.Cleanup(func() { report.PlainTier = report.Default })
	analysistest.Run(t, testdata, nodeadline.Analyzer, "nodeadline/ok", "nodeadline/ok/startup", "nodeadline/audit", "nodeadline/audit/command", "nodeadline/audit/cli", "nodeadline/audit/sqlite", "nodeadline/audit/migrations", "nodeadline/audit/tools", "nodeadline/audit/layer")
}

func TestAuditTierIsSilentByDefault(t *testing.T) {
	results := analysistest.Run(ignoreWants{t}, testdata, nodeadline.Analyzer, "nodeadline/audit", "nodeadline/audit/command", "nodeadline/audit/cli", "nodeadline/audit/sqlite", "nodeadline/audit/migrations", "nodeadline/audit/tools", "nodeadline/audit/layer")
	if len(results) != 7 {
		t.Fatalf("%d results, want 7", len(results))
	}
	for _, r := range results {
		for _, d := range r.Diagnostics {
			t.Errorf("%v: %s", r.Pass.Fset.Position(d.Pos), d.Message)
		}
	}
}

// ignoreWants takes the missing findings of a run for what they are here.
type ignoreWants struct{ t *testing.T }

func (ignoreWants) Errorf(string, ...any) {}
