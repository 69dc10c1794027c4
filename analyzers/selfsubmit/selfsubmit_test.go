package selfsubmit_test

import (
	"testing"

	"github.com/concvet/concvet/analyzers/selfsubmit"
	"github.com/concvet/concvet/internal/linttest"
)

func TestAnalyzerIsValid(t *testing.T) { linttest.Valid(t, selfsubmit.Analyzer) }

func TestDefaultTier(t *testing.T) {
	linttest.DefaultTier(t, selfsubmit.Analyzer, 5,
		"selfsubmit/bad", "selfsubmit/generic", "selfsubmit/crosspkg/...", "selfsubmit/limits")
}

func TestAuditTier(t *testing.T) {
	linttest.AuditTier(t, selfsubmit.Analyzer, "selfsubmit/ok", "selfsubmit/audit")
}

func TestAuditTierIsSilentByDefault(t *testing.T) {
	linttest.SilentByDefault(t, selfsubmit.Analyzer, "selfsubmit/audit")
}

func TestFixes(t *testing.T) {
	linttest.Fixes(t, linttest.Tree(t), selfsubmit.Analyzer, "selfsubmit/fix/...")
}

// The pool that a fix uses is there.
func TestWorkpoolBuilds(t *testing.T) {
	linttest.BuildsWithRuntime(t, "selfsubmit/fix/workpool/workpool.go.unsafe.golden")
	linttest.BuildsWithRuntime(t, "selfsubmit/fix/workpool/named.go.unsafe.golden")
}
