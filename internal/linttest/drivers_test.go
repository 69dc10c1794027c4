package linttest_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/concvet/concvet/analyzers/blockinloop"
	"github.com/concvet/concvet/analyzers/holdacross"
	"github.com/concvet/concvet/analyzers/nodeadline"
	"github.com/concvet/concvet/analyzers/selfsubmit"
	"github.com/concvet/concvet/analyzers/unboundedqueue"
	"github.com/concvet/concvet/internal/linttest"
)

// Every driver finds the same on the same tree: the test framework in one
// process, go vet with facts in files, the front end through the wire format,
// and the language server. The want comments are the one truth. golangci-lint is
// compared in plugin/golangci.
func TestDriversAgree(t *testing.T) {
	if testing.Short() {
		t.Skip("analyses the standard library's packages as dependencies, twice")
	}
	for _, test := range []struct {
		analyzer *analysis.Analyzer
		least    int
	}{{holdacross.Analyzer, 200}, {nodeadline.Analyzer, 90}, {unboundedqueue.Analyzer, 90}, {blockinloop.Analyzer, 80}, {selfsubmit.Analyzer, 50}} {
		t.Run(test.analyzer.Name, func(t *testing.T) { driversAgree(t, test.analyzer, test.least) })
	}
}

func driversAgree(t *testing.T, analyzer *analysis.Analyzer, least int) {
	name, err := tool()
	if err != nil {
		t.Fatal(err)
	}
	testdata, err := filepath.Abs(filepath.Join(root, "testdata"))
	if err != nil {
		t.Fatal(err)
	}
	src := filepath.Join(testdata, "src")
	dir, err := linttest.Module(t.TempDir(), src, analyzer.Name)
	if err != nil {
		t.Fatal(err)
	}
	// The cases of fixes have a test of their own, and hostile names.
	if err := os.RemoveAll(filepath.Join(dir, "fix")); err != nil {
		t.Fatal(err)
	}
	auditOnly := func(file string) bool { return strings.HasPrefix(file, "audit/") }

	vet, err := linttest.Vet(name, dir)
	if err != nil {
		t.Fatal(err)
	}
	front, err := linttest.Concvet(name, dir)
	if err != nil {
		t.Fatal(err)
	}
	editor, err := linttest.Editor(name, dir)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "concvet", front, "the language server", editor)
	if len(front) != len(editor) {
		t.Errorf("concvet has %d findings, the language server %d", len(front), len(editor))
	}
	// Unused directives are known only where all analyzers have run, so that the
	// front end alone reports them; the wants are those of the analyzer.
	other := func(f linttest.Finding) bool { return !strings.Contains(f.Message, "["+analyzer.Name+"/") }
	t.Logf("go vet finds %d, concvet and the language server %d, with unused directives", len(vet), len(front))
	vet, front = slices.DeleteFunc(vet, other), slices.DeleteFunc(front, other)
	same(t, "go vet", vet, "concvet", front)
	problems, err := linttest.Wants(dir, vet, auditOnly)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Errorf("go vet: %s", p)
	}

	var framework []linttest.Finding
	for _, r := range analysistest.Run(ignoreWants{}, testdata, analyzer, packages(t, src, analyzer.Name)...) {
		if r.Err != nil {
			t.Fatal(r.Err)
		}
		for _, d := range r.Diagnostics {
			p := r.Pass.Fset.Position(d.Pos)
			rel, err := filepath.Rel(filepath.Join(src, analyzer.Name), p.Filename)
			if err != nil {
				t.Fatal(err)
			}
			framework = append(framework, linttest.Finding{File: filepath.ToSlash(rel), Line: p.Line, Col: p.Column, Message: d.Message})
		}
	}
	same(t, "analysistest", linttest.Sort(framework), "go vet", vet)
	t.Logf("analysistest, go vet and concvet find %d of %s", len(vet), analyzer.Name)
	if len(vet) < least {
		t.Errorf("only %d findings: something was not analysed", len(vet))
	}

	// The audit tier shows what is for a review, and keeps the rest.
	audit, err := linttest.Concvet(name, dir, "-audit")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range front {
		if !slices.Contains(audit, f) {
			t.Errorf("-audit hides %v", f)
		}
	}
	audit = slices.DeleteFunc(audit, func(f linttest.Finding) bool { return other(f) || !auditOnly(f.File) })
	problems, err = linttest.Wants(filepath.Join(dir, "audit"), rebase(audit, "audit/"), func(string) bool { return false })
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Errorf("concvet -audit: %s", p)
	}
}

// ignoreWants takes the differences that analysistest finds for what they are
// here: the comparison is made by the caller.
type ignoreWants struct{}

func (ignoreWants) Errorf(string, ...any) {}

func rebase(list []linttest.Finding, prefix string) []linttest.Finding {
	var out []linttest.Finding
	for _, f := range list {
		f.File = strings.TrimPrefix(f.File, prefix)
		out = append(out, f)
	}
	return out
}

// packages lists the import paths of the packages below name, without the cases
// of fixes.
func packages(t *testing.T, src, name string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(filepath.Join(src, name), func(p string, d os.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if d.Name() == "fix" {
			return filepath.SkipDir
		}
		files, err := filepath.Glob(filepath.Join(p, "*.go"))
		if err == nil && len(files) > 0 {
			rel, _ := filepath.Rel(src, p)
			out = append(out, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// same reports what one driver has and the other has not.
func same(t *testing.T, name string, a []linttest.Finding, other string, b []linttest.Finding) {
	t.Helper()
	for _, f := range a {
		if !slices.Contains(b, f) {
			t.Errorf("%s finds, and %s does not: %v", name, other, f)
		}
	}
	for _, f := range b {
		if !slices.Contains(a, f) {
			t.Errorf("%s finds, and %s does not: %v", other, name, f)
		}
	}
}
