package linttest_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/concvet/concvet/analyzers"
	"github.com/concvet/concvet/docs"
)

const (
	module = "github.com/concvet/concvet"
	root   = "../.."

	// maxLines is where a file most likely holds more than one concept.
	maxLines = 600
)

// rooms says which packages of this module each package may import, outside
// its tests. "analyzers/*" is any analyzer. The order is that of the data: what
// stands below imports what stands above. docs/design.md has the reasons.
var rooms = map[string][]string{
	"docs": {},

	"internal/effect":    {},
	"internal/nearest":   {},
	"internal/knowledge": {"internal/effect", "internal/nearest"},

	"internal/knowledge/stdlist": {}, // go generate runs it

	"internal/directive": {"internal/effect", "internal/nearest"},
	"internal/noreturn":  {},
	"internal/ssabuild":  {"internal/effect", "internal/noreturn"},
	"internal/ir":        {"internal/effect"},
	"internal/flow":      {"internal/effect"},
	"internal/region":    {"internal/effect", "internal/flow", "internal/ir"},
	"internal/deadline":  {"internal/effect", "internal/ir"},
	"internal/summary":   {"internal/effect", "internal/knowledge", "internal/directive", "internal/ssabuild", "internal/ir", "internal/flow", "internal/region", "internal/deadline"},

	"internal/loop": {"internal/effect", "internal/ssabuild", "internal/ir", "internal/flow", "internal/region", "internal/summary"},
	"internal/pool": {"internal/effect", "internal/ssabuild", "internal/ir", "internal/flow", "internal/region", "internal/summary"},

	"internal/report": {"internal/effect", "internal/directive"},
	"internal/fix":    {},

	"internal/lineinfo": {"internal/effect", "internal/directive", "internal/region", "internal/summary", "internal/report"},

	"analyzers/*": {
		"internal/effect", "internal/directive", "internal/ssabuild", "internal/ir", "internal/summary",
		"internal/region", "internal/deadline", "internal/loop", "internal/pool", "internal/report", "internal/fix",
	},
	"analyzers": {"analyzers/*", "internal/directive"},
	"plugin":    {"analyzers", "internal/config", "internal/nearest", "internal/report", "internal/summary"},

	"internal/vetrun": {"internal/report"},
	"internal/config": {"internal/knowledge"}, // the grammar of models
	"internal/render": {"docs", "internal/report", "internal/vetrun"},
	"internal/apply":  {"internal/report", "internal/vetrun"},

	"internal/baseline": {"internal/vetrun"},
	"internal/newcode":  {}, // git and patches, nothing of ours
	"internal/link":     {"internal/effect", "internal/report", "internal/vetrun"},
	"internal/lsp":      {"docs", "internal/apply", "internal/directive", "internal/render", "internal/vetrun"},
	"cmd/concvet": {
		"analyzers", "docs", "internal/apply", "internal/baseline", "internal/config", "internal/directive", "internal/knowledge", "internal/lineinfo", "internal/link",
		"internal/lsp", "internal/newcode", "internal/render", "internal/report", "internal/summary", "internal/vetrun",
	},

	// No room lists it: only tests import it.
	"internal/linttest": {
		"analyzers", "analyzers/*", "docs", "internal/apply", "internal/directive", "internal/effect", "internal/fix", "internal/knowledge",
		"internal/report", "internal/summary", "internal/vetrun",
	},
}

// outside says what else than the standard library a room may import. A room
// that is not listed may import any module.
var outside = map[string][]string{
	"docs":               {},
	"internal/effect":    {},
	"internal/knowledge": {},
}

type listed struct {
	ImportPath, Name string
	GoFiles          []string
	Imports          []string
}

func list(t *testing.T, args ...string) []listed {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-json=ImportPath,Name,GoFiles,Imports"}, args...)...)
	cmd.Dir = root
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, stderr.Bytes())
	}
	var pkgs []listed
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return pkgs
		} else if err != nil {
			t.Fatalf("go list: %v", err)
		}
		pkgs = append(pkgs, p)
	}
}

// room maps an import path to its key in rooms. Paths of other modules, and the
// root package, have none.
func room(importPath string) (string, bool) {
	rel, ok := strings.CutPrefix(importPath, module+"/")
	if !ok {
		return "", false
	}
	if dir, _ := path.Split(rel); dir == "analyzers/" {
		return "analyzers/*", true
	}
	return rel, true
}

// TestImports holds the table of who may import whom.
func TestImports(t *testing.T) {
	std := make(map[string]bool)
	for _, p := range list(t, "std") {
		std[p.ImportPath] = true
	}
	for _, p := range list(t, "./...") {
		if len(p.GoFiles) == 0 {
			continue // only tests
		}
		name, ok := room(p.ImportPath)
		allowed, known := rooms[name]
		if !ok || !known {
			t.Errorf("%s is not in the table of rooms: add it here and to docs/design.md, with what it may import", p.ImportPath)
			continue
		}
		modules, limited := outside[name]
		for _, imp := range p.Imports {
			if std[imp] {
				continue
			}
			switch target, ours := room(imp); {
			case ours && !slices.Contains(allowed, target):
				t.Errorf("%s imports %s, which its room may not", p.ImportPath, imp)
			case !ours && limited && !slices.ContainsFunc(modules, func(m string) bool { return imp == m || strings.HasPrefix(imp, m+"/") }):
				t.Errorf("%s imports %s, and may import only the standard library", p.ImportPath, imp)
			}
		}
	}
}

// TestRuntimeImports holds that the primitives, a module of their own, cost
// their users no other module.
func TestRuntimeImports(t *testing.T) {
	std := make(map[string]bool)
	for _, p := range list(t, "std") {
		std[p.ImportPath] = true
	}
	for _, name := range sources(t) {
		if !strings.HasPrefix(name, "runtime/") || strings.HasPrefix(name, "runtime/bench/") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, name), nil, parser.ImportsOnly)
		if err != nil {
			t.Error(err)
			continue
		}
		for _, imp := range f.Imports {
			p, err := strconv.Unquote(imp.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if !std[p] && !strings.HasPrefix(p, module+"/runtime/") {
				t.Errorf("%s imports %s", name, p)
			}
		}
	}
}

// TestNames refuses names that say nothing about what is behind them.
func TestNames(t *testing.T) {
	empty := []string{"util", "utils", "helper", "helpers", "common", "misc"}
	for _, p := range list(t, "./...") {
		if slices.Contains(empty, p.Name) {
			t.Errorf("package %s is called %s", p.ImportPath, p.Name)
		}
	}
	for _, name := range sources(t) {
		for elem := range strings.SplitSeq(strings.TrimSuffix(name, ".go"), "/") {
			if slices.Contains(empty, elem) {
				t.Errorf("%s: a name that says nothing", name)
			}
		}
	}
}

// TestFileSize keeps files at a size that can be read in one go.
func TestFileSize(t *testing.T) {
	for _, name := range sources(t) {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		if n := bytes.Count(text, []byte("\n")); n > maxLines {
			t.Errorf("%s has %d lines, over %d", name, n, maxLines)
		}
	}
}

// TestCalls refuses calls that only one room may make, or none.
func TestCalls(t *testing.T) {
	for _, name := range sources(t) {
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, name), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Error(err)
			continue
		}
		packages := make(map[string]bool)
		analysis := false
		for _, imp := range f.Imports {
			p, err := strconv.Unquote(imp.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			analysis = analysis || p == "golang.org/x/tools/go/analysis"
			local := path.Base(p)
			if imp.Name != nil {
				local = imp.Name.Name
			}
			packages[local] = true
		}
		if !analysis {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if ix, ok := n.(*ast.IndexExpr); ok && types.ExprString(ix) == "pass.ResultOf[summary.Analyzer]" {
				t.Errorf("%s reads the result of summary; summary.Use gives it to one analyzer at a time", name)
			}
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if x, ok := sel.X.(*ast.Ident); ok && packages[x.Name] {
				return true // a function of a package, such as report.Report
			}
			switch sel.Sel.Name {
			case "Report", "Reportf", "ReportRangef":
				if path.Dir(name) != "internal/report" {
					t.Errorf("%s uses %s: only internal/report reports, so that suppression, generated files and traces exist once", name, sel.Sel.Name)
				}
			case "AllObjectFacts":
				t.Errorf("%s uses AllObjectFacts: its result differs between drivers (golang/go#47725)", name)
			}
			return true
		})
	}
}

// TestPages checks that there is a page for every category and a category for
// every page.
func TestPages(t *testing.T) {
	want := analyzers.Categories()
	if got := docs.Categories(); !slices.Equal(got, want) {
		t.Errorf("there are pages for %q, and the categories are %q", got, want)
	}
}

// TestSuite checks that every folder of an analyzer is in the list.
func TestSuite(t *testing.T) {
	listed := make(map[string]bool)
	for _, a := range analyzers.Suite {
		listed[a.Name] = true
	}
	entries, err := os.ReadDir(filepath.Join(root, "analyzers"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() && !listed[e.Name()] {
			t.Errorf("analyzers/%s is not in analyzers.Suite", e.Name())
		}
	}
}

// sources lists the Go files of the whole repository that are not tests, with
// slashes, including those of nested modules.
func sources(t *testing.T) []string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if base := d.Name(); base == "testdata" || base == "vendor" || base == ".git" {
				return filepath.SkipDir
			}
			return nil
		}
		if strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
			rel, err := filepath.Rel(root, name)
			if err != nil {
				return err
			}
			names = append(names, filepath.ToSlash(rel))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(names) < 10 {
		t.Fatalf("only %d source files found below %s", len(names), root)
	}
	return names
}
