package docs

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/concvet/concvet/internal/directive"
)

// TestPages holds the form that "concvet explain" and readers rely on.
func TestPages(t *testing.T) {
	categories := Categories()
	if len(categories) == 0 || !slices.IsSorted(categories) {
		t.Fatalf("Categories() = %q, want a sorted list", categories)
	}
	readme, findings := read(t, "../README.md"), read(t, "findings.md")
	for _, category := range categories {
		page, ok := Page(category)
		if !ok {
			t.Errorf("%s: no page", category)
			continue
		}
		if !strings.HasPrefix(page, "# "+category+"\n\n") {
			t.Errorf("%s: the page does not start with its title", category)
		}
		if s := Summary(category); !strings.HasSuffix(s, ".") || strings.Count(s, ". ") > 0 || len(s) > 160 {
			t.Errorf("%s: the summary is not one short sentence: %q", category, s)
		}
		at := 0
		why := "## Why it fails in production"
		if strings.HasPrefix(category, "directive/") {
			why = "## Why it is reported"
		}
		for _, heading := range []string{why, "## Wrong", "## Right", "## How to fix", "## What is not reported", "## How to suppress"} {
			i := strings.Index(page[at:], "\n"+heading+"\n")
			if i < 0 {
				t.Errorf("%s: no %q after the heading before it", category, heading)
				continue
			}
			at += i
		}
		for _, heading := range []string{"## Wrong", "## Right"} {
			_, rest, _ := strings.Cut(page, "\n"+heading+"\n")
			section, _, _ := strings.Cut(rest, "\n## ")
			if !goBlock.MatchString(section) {
				t.Errorf("%s: no Go code under %q", category, heading)
			}
		}
		if !strings.Contains(readme, "(docs/"+category+".md)") {
			t.Errorf("README.md has no link to %s", category)
		}
		if !strings.Contains(findings, "("+category+".md)") && !strings.HasPrefix(category, "directive/") {
			t.Errorf("findings.md has no link to %s", category)
		}
		if want := "//concvet:ignore " + category + " "; !strings.HasPrefix(category, "directive/") && !strings.Contains(page, want) {
			t.Errorf("%s: the page does not show how to suppress it: %q", category, want)
		}
	}
	if _, ok := Page("holdacross/none"); ok || Summary("holdacross/none") != "" {
		t.Error("a category that does not exist has a page or a summary")
	}
}

var goBlock = regexp.MustCompile("(?ms)^```go\n(.*?)^```$")

// TestCode checks that every Go block of every page is a file that compiles
// and is formatted.
func TestCode(t *testing.T) {
	fset := token.NewFileSet()
	std := &stubs{fset: fset, std: importer.ForCompiler(fset, "gc", nil), seen: make(map[string]*types.Package)}
	for _, name := range markdown(t) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for i, m := range goBlock.FindAllStringSubmatch(string(text), -1) {
			file := fmt.Sprintf("%s#%d.go", name, i+1)
			code, err := format.Source([]byte(m[1]))
			if err != nil {
				t.Errorf("%s: %v", file, err)
				continue
			}
			if string(code) != m[1] {
				t.Errorf("%s: not formatted", file)
			}
			f, err := parser.ParseFile(fset, file, m[1], parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				t.Error(err)
				continue
			}
			conf := types.Config{Importer: std, Error: func(err error) { t.Error(err) }}
			conf.Check(f.Name.Name, fset, []*ast.File{f}, nil) // errors were reported one by one
		}
	}
}

// stubs imports libraries from the stubs that the analyzers are tested with, and
// everything else from the standard library.
type stubs struct {
	fset *token.FileSet
	std  types.Importer
	seen map[string]*types.Package
}

func (s *stubs) Import(name string) (*types.Package, error) {
	if pkg := s.seen[name]; pkg != nil {
		return pkg, nil
	}
	dir := path.Join("../testdata/src", name)
	entries, err := os.ReadDir(dir)
	if err != nil || !strings.Contains(name, ".") {
		return s.std.Import(name)
	}
	var files []*ast.File
	for _, e := range entries {
		if path.Ext(e.Name()) != ".go" {
			continue
		}
		f, err := parser.ParseFile(s.fset, path.Join(dir, e.Name()), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	conf := types.Config{Importer: s, IgnoreFuncBodies: true}
	pkg, err := conf.Check(name, s.fset, files, nil)
	if err == nil {
		s.seen[name] = pkg
	}
	return pkg, err
}

var fenced = regexp.MustCompile("(?ms)^```.*?^```$")

var mdLink = regexp.MustCompile(`\]\(([^)#:]+)(#[^)]*)?\)`)

// TestLinks checks that links between files lead somewhere.
func TestLinks(t *testing.T) {
	names := append(markdown(t), "../README.md", "../CONTRIBUTING.md", "../CHANGELOG.md", "../examples/README.md")
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range mdLink.FindAllStringSubmatch(fenced.ReplaceAllString(string(text), ""), -1) {
			if _, err := os.Stat(path.Join(path.Dir(name), m[1])); err != nil {
				t.Errorf("%s links to %s, which does not exist", name, m[1])
			}
		}
	}
}

// TestDirectives checks that the directives in the code of the pages are ones
// that concvet understands.
func TestDirectives(t *testing.T) {
	n := 0
	for _, name := range markdown(t) {
		if name == "directive/malformed.md" {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if line = strings.TrimSpace(line); strings.HasPrefix(line, "//concvet:") {
				n++
				if _, err := directive.Parse(line); err != nil {
					t.Errorf("%s: %s: %v", name, line, err)
				}
			}
		}
	}
	if n == 0 {
		t.Error("no page shows a directive")
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// markdown lists the Markdown files of this folder.
func markdown(t *testing.T) []string {
	t.Helper()
	var names []string
	err := fs.WalkDir(os.DirFS("."), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && path.Ext(name) == ".md" {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}
