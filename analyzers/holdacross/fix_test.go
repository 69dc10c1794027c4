package holdacross_test

import (
	"path/filepath"
	"testing"

	"github.com/concvet/concvet/analyzers/holdacross"
	"github.com/concvet/concvet/internal/linttest"
)

func TestFixes(t *testing.T) {
	tree, err := filepath.Abs("../../testdata")
	if err != nil {
		t.Fatal(err)
	}
	linttest.Fixes(t, tree, holdacross.Analyzer, "holdacross/fix/...")
}
