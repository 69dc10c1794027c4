package selfsubmit_test

import (
	"testing"

	"github.com/concvet/concvet/analyzers/selfsubmit"
	"github.com/concvet/concvet/internal/linttest"
)

func TestFixes(t *testing.T) {
	linttest.Fixes(t, testdata, selfsubmit.Analyzer, "selfsubmit/fix/...")
}
