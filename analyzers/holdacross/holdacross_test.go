package holdacross_test

import (
	"testing"

	"github.com/concvet/concvet/analyzers/holdacross"
	"github.com/concvet/concvet/internal/linttest"
)

func TestAnalyzerIsValid(t *testing.T) { linttest.Valid(t, holdacross.Analyzer) }

func TestDefaultTier(t *testing.T) {
	linttest.DefaultTier(t, holdacross.Analyzer, 9,
		"holdacross/bad", "holdacross/grouped", "holdacross/poolsize", "holdacross/generic", "holdacross/crosspkg/...", "holdacross/generated", "holdacross/limits", "holdacross/thirdparty")
}

func TestAuditTier(t *testing.T) {
	linttest.AuditTier(t, holdacross.Analyzer, "holdacross/ok", "holdacross/audit/...")
}

func TestAuditTierIsSilentByDefault(t *testing.T) {
	linttest.SilentByDefault(t, holdacross.Analyzer, "holdacross/audit", "holdacross/audit/sqlite", "holdacross/audit/sqliteuser", "holdacross/audit/dialect")
}

func TestFixes(t *testing.T) {
	linttest.Fixes(t, linttest.Tree(t), holdacross.Analyzer, "holdacross/fix/...")
}
