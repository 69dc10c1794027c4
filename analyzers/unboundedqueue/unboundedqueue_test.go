package unboundedqueue_test

import (
	"testing"

	"github.com/concvet/concvet/analyzers/unboundedqueue"
	"github.com/concvet/concvet/internal/linttest"
)

func TestAnalyzerIsValid(t *testing.T) { linttest.Valid(t, unboundedqueue.Analyzer) }

func TestDefaultTier(t *testing.T) {
	linttest.DefaultTier(t, unboundedqueue.Analyzer, 10,
		"unboundedqueue/bad", "unboundedqueue/generic", "unboundedqueue/crosspkg/...", "unboundedqueue/limits", "unboundedqueue/handlers", "unboundedqueue/thirdparty")
}

func TestAuditTier(t *testing.T) {
	linttest.AuditTier(t, unboundedqueue.Analyzer, "unboundedqueue/ok", "unboundedqueue/audit")
}

func TestAuditTierIsSilentByDefault(t *testing.T) {
	linttest.SilentByDefault(t, unboundedqueue.Analyzer, "unboundedqueue/audit")
}

func TestFixes(t *testing.T) {
	linttest.Fixes(t, linttest.Tree(t), unboundedqueue.Analyzer, "unboundedqueue/fix/...")
}
