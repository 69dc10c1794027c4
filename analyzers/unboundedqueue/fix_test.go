package unboundedqueue_test

import (
	"testing"

	"github.com/concvet/concvet/analyzers/unboundedqueue"
	"github.com/concvet/concvet/internal/linttest"
)

func TestFixes(t *testing.T) {
	linttest.Fixes(t, testdata, unboundedqueue.Analyzer, "unboundedqueue/fix/...")
}
