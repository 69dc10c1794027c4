package nodeadline_test

import (
	"testing"

	"github.com/concvet/concvet/analyzers/nodeadline"
	"github.com/concvet/concvet/internal/linttest"
)

func TestAnalyzerIsValid(t *testing.T) { linttest.Valid(t, nodeadline.Analyzer) }

func TestDefaultTier(t *testing.T) {
	linttest.DefaultTier(t, nodeadline.Analyzer, 15,
		"nodeadline/bad", "nodeadline/grouped", "nodeadline/adapter", "nodeadline/exporter", "nodeadline/generic", "nodeadline/crosspkg/...", "nodeadline/limits", "nodeadline/thirdparty", "nodeadline/oneshot", "nodeadline/sessions/...")
}

func TestAuditTier(t *testing.T) {
	linttest.AuditTier(t, nodeadline.Analyzer, "nodeadline/ok", "nodeadline/ok/startup", "nodeadline/audit", "nodeadline/audit/command", "nodeadline/audit/cli", "nodeadline/audit/worker", "nodeadline/audit/commands", "nodeadline/audit/owncommands", "nodeadline/audit/control", "nodeadline/audit/cmd", "nodeadline/audit/steps", "nodeadline/audit/socket", "nodeadline/audit/sqlite", "nodeadline/audit/migrations", "nodeadline/audit/tools", "nodeadline/audit/layer", "nodeadline/audit/where", "nodeadline/audit/infra", "nodeadline/audit/demo")
}

func TestAuditTierIsSilentByDefault(t *testing.T) {
	linttest.SilentByDefault(t, nodeadline.Analyzer, "nodeadline/audit", "nodeadline/audit/command", "nodeadline/audit/cli", "nodeadline/audit/worker", "nodeadline/audit/commands", "nodeadline/audit/owncommands", "nodeadline/audit/control", "nodeadline/audit/cmd", "nodeadline/audit/steps", "nodeadline/audit/socket", "nodeadline/audit/sqlite", "nodeadline/audit/migrations", "nodeadline/audit/tools", "nodeadline/audit/layer", "nodeadline/audit/where", "nodeadline/audit/infra", "nodeadline/audit/demo")
}

func TestFixes(t *testing.T) {
	linttest.Fixes(t, linttest.Tree(t), nodeadline.Analyzer, "nodeadline/fix/...")
}
