package nodeadline_test

import (
	"testing"

	"github.com/concvet/concvet/analyzers/nodeadline"
	"github.com/concvet/concvet/internal/linttest"
)

func TestFixes(t *testing.T) {
	linttest.Fixes(t, testdata, nodeadline.Analyzer, "nodeadline/fix/...")
}
