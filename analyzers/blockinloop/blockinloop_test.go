package blockinloop_test

import (
	"testing"

	"github.com/concvet/concvet/analyzers/blockinloop"
	"github.com/concvet/concvet/internal/linttest"
)

func TestAnalyzerIsValid(t *testing.T) { linttest.Valid(t, blockinloop.Analyzer) }

func TestDefaultTier(t *testing.T) {
	linttest.DefaultTier(t, blockinloop.Analyzer, 10,
		"blockinloop/bad", "blockinloop/crosspkg/...", "blockinloop/generic", "blockinloop/thirdparty/...", "blockinloop/limits")
}

func TestAuditTier(t *testing.T) {
	linttest.AuditTier(t, blockinloop.Analyzer, "blockinloop/ok", "blockinloop/audit")
}

func TestAuditTierIsSilentByDefault(t *testing.T) {
	linttest.SilentByDefault(t, blockinloop.Analyzer, "blockinloop/audit")
}

func TestFixes(t *testing.T) {
	linttest.Fixes(t, linttest.Tree(t), blockinloop.Analyzer, "blockinloop/fix/...")
}
