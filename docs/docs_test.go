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
)

// TestPages holds the form that "concvet explain" and readers rely on.
func TestPages(t *testing.T) {
	categories := Categories()
	if len(categories) == 0 || !slices.IsSorted(categories) {
		t.Fatalf("Categories() = %q, want a sorted list", categories)
	}
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
	fset := token.NewFileSet()
	std := importer.ForCompiler(fset, "gc", nil)
	for _, name := range names {
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

var fenced = regexp.MustCompile("(?ms)^```.*?^```$")

var mdLink = regexp.MustCompile(`\]\(([^)#:]+)(#[^)]*)?\)`)

// TestLinks checks that links between files lead somewhere.
func TestLinks(t *testing.T) {
	err := fs.WalkDir(os.DirFS("."), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || path.Ext(name) != ".md" {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		for _, m := range mdLink.FindAllStringSubmatch(fenced.ReplaceAllString(string(text), ""), -1) {
			if _, err := os.Stat(path.Join(path.Dir(name), m[1])); err != nil {
				t.Errorf("%s links to %s, which does not exist", name, m[1])
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
