package blockinloop_test

import (
	"path/filepath"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/concvet/concvet/analyzers/blockinloop"
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
	if err := analysis.Validate([]*analysis.Analyzer{blockinloop.Analyzer}); err != nil {
		t.Error(err)
	}
}

// What a maintainer would fix is reported, and nothing else in those packages.
func TestDefaultTier(t *testing.T) {
	results := analysistest.Run(t, testdata, blockinloop.Analyzer,
		"blockinloop/bad", "blockinloop/crosspkg/...", "blockinloop/generic", "blockinloop/thirdparty")
	if len(results) != 6 {
		t.Errorf("%d packages were analysed, want 6", len(results))
	}
}

// What is right is silent in both tiers, and what is for a review only is
// reported in the audit tier.
func TestAuditTier(t *testing.T) {
	report.PlainTier = report.Audit
	t.Cleanup(func() { report.PlainTier = report.Default })
	analysistest.Run(t, testdata, blockinloop.Analyzer, "blockinloop/ok")
}
