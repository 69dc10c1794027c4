package blockinloop_test

import (
	"testing"

	"github.com/concvet/concvet/analyzers/blockinloop"
	"github.com/concvet/concvet/internal/linttest"
)

func TestFixes(t *testing.T) {
	linttest.Fixes(t, testdata, blockinloop.Analyzer, "blockinloop/fix/...")
}
