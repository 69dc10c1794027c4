package linttest_test

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	modulePath "golang.org/x/mod/module"

	"github.com/concvet/concvet/analyzers"
	"github.com/concvet/concvet/docs"
)

// tool builds the command once for all tests of this package.
var tool = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "concvet")
	if err != nil {
		return "", err
	}
	toolDir = dir
	name := filepath.Join(dir, "concvet")
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	cmd := exec.Command("go", "build", "-o", name, "./cmd/concvet")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %v\n%s", err, out)
	}
	return name, nil
})

var toolDir string

func TestMain(m *testing.M) {
	code := m.Run()
	if toolDir != "" {
		os.RemoveAll(toolDir)
	}
	os.Exit(code)
}

var findingLine = regexp.MustCompile(`^(.+\.go):(\d+):\d+: .* \[([a-z]+/[a-z-]+)\]$`)

type place struct {
	file     string // relative, with slashes
	line     int
	category string
}

// check runs concvet in dir and returns its findings, and all that it printed.
func check(t *testing.T, dir string) ([]place, string) {
	t.Helper()
	name, err := tool()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(name, "-format", "text", "./...")
	cmd.Dir = dir
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		t.Fatalf("concvet in %s: %v\n%s%s", dir, err, stdout.Bytes(), stderr.Bytes())
	}
	var found []place
	for line := range strings.Lines(stdout.String()) {
		line = strings.TrimSpace(line)
		if m := findingLine.FindStringSubmatch(line); m != nil {
			n, _ := strconv.Atoi(m[2])
			found = append(found, place{filepath.ToSlash(m[1]), n, m[3]})
		}
	}
	return found, stdout.String()
}

// TestExamples compares the findings in the examples with what is written down.
func TestExamples(t *testing.T) {
	want, err := os.ReadFile(filepath.Join(root, "examples", "shop.findings"))
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(root, "examples", "shop")
	found, output := check(t, dir)
	var got []string
	for _, p := range found {
		got = append(got, fmt.Sprintf("%s %s:%s\n", p.category, p.file, enclosing(t, filepath.Join(dir, p.file), p.line)))
	}
	slices.Sort(got)
	if text := strings.Join(got, ""); text != strings.ReplaceAll(string(want), "\r\n", "\n") {
		t.Errorf("examples/shop has these findings:\n%s\nexamples/shop.findings has:\n%s\nconcvet printed:\n%s", text, want, output)
	}
	if found, output := check(t, filepath.Join(root, "examples", "shop-fixed")); len(found) > 0 {
		t.Errorf("examples/shop-fixed has findings:\n%s", output)
	}
}

// enclosing names the function around a line, as "(*Service).Pay".
func enclosing(t *testing.T, file string, line int) string {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	for _, decl := range f.Decls {
		fn, ok := decl.(*ast.FuncDecl)
		if !ok || line < fset.Position(fn.Pos()).Line || line > fset.Position(fn.End()).Line {
			continue
		}
		if fn.Recv == nil {
			return fn.Name.Name
		}
		switch recv := fn.Recv.List[0].Type.(type) {
		case *ast.StarExpr:
			return fmt.Sprintf("(*%s).%s", recv.X, fn.Name.Name)
		default:
			return fmt.Sprintf("%s.%s", recv, fn.Name.Name)
		}
	}
	return "?"
}

var section = regexp.MustCompile("(?ms)^## (Wrong|Right)\n\n```go\n(.*?)^```$")

// TestPageCode runs concvet on the code of the pages: the wrong code has a
// finding of the page's category and of no other, the right code has none.
// Pages of an analyzer that is not in the suite yet are left out.
func TestPageCode(t *testing.T) {
	suite := make(map[string]bool)
	for _, a := range analyzers.Suite {
		suite[a.Name] = true
	}
	dir := t.TempDir()
	write := func(name, text string) {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var code []string
	got := make(map[string][]string) // file to categories
	for _, category := range docs.Categories() {
		if analyzer, _, _ := strings.Cut(category, "/"); !suite[analyzer] {
			continue
		}
		page, _ := docs.Page(category)
		blocks := section.FindAllStringSubmatch(page, -1)
		if len(blocks) != 2 {
			t.Errorf("%s: %d blocks of Go code under Wrong and Right, want one each", category, len(blocks))
		}
		for _, b := range blocks {
			file := category + "/" + strings.ToLower(b[1]) + "/x.go"
			got[file] = nil
			write(file, b[2])
			code = append(code, b[2])
		}
	}
	vendor(t, write, "example.com/pages", code)
	found, output := check(t, dir)
	for _, p := range found {
		if !slices.Contains(got[p.file], p.category) {
			got[p.file] = append(got[p.file], p.category)
		}
	}
	for file, categories := range got {
		category, rest, _ := strings.Cut(file, "/wrong/")
		var want []string
		if rest != "" {
			want = []string{category}
		}
		if category == "unboundedqueue/accept-spawn" {
			want = nil // in the audit tier only
		}
		if category == "directive/malformed" && rest != "" {
			want = append(want, "holdacross/lock-blocking") // a directive that is malformed suppresses nothing
		}
		slices.Sort(categories)
		if !slices.Equal(categories, want) {
			t.Errorf("%s: found %q, want %q", file, categories, want)
		}
	}
	if t.Failed() {
		t.Logf("concvet printed:\n%s", output)
	}
}

// vendor writes the go.mod of a module, and the libraries that its code imports
// as vendored packages: the stubs that the analyzers are tested with serve for
// them, each as a module of its own.
func vendor(t *testing.T, write func(name, text string), path string, code []string) {
	t.Helper()
	require, modules := "", ""
	seen := make(map[string]bool)
	for len(code) > 0 {
		f, err := parser.ParseFile(token.NewFileSet(), "x.go", code[0], parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		code = code[1:]
		for _, imp := range f.Imports {
			lib, err := strconv.Unquote(imp.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if first, _, _ := strings.Cut(lib, "/"); seen[lib] || !strings.Contains(first, ".") {
				continue
			}
			seen[lib] = true
			version := "v0.0.0"
			if _, major, ok := modulePath.SplitPathVersion(lib); ok && major != "" {
				version = strings.TrimPrefix(major, "/") + ".0.0"
			}
			require += "require " + lib + " " + version + "\n"
			modules += "# " + lib + " " + version + "\n## explicit; go 1.26\n" + lib + "\n"
			names, err := filepath.Glob(filepath.Join(root, "testdata", "src", filepath.FromSlash(lib), "*.go"))
			if err != nil || len(names) == 0 {
				t.Fatalf("%s has no stub: %v", lib, err)
			}
			for _, name := range names {
				text, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				write("vendor/"+lib+"/"+filepath.Base(name), string(text))
				code = append(code, string(text))
			}
		}
	}
	write("go.mod", "module "+path+"\n\ngo 1.26\n\n"+require)
	if modules != "" {
		write("vendor/modules.txt", modules)
	}
}

var sample = regexp.MustCompile("(?ms)^## How to read a finding\n.*?^```\n(.*?)^```$")

// TestReadme checks that the finding that the README explains is one that
// concvet prints.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	m := sample.FindSubmatch(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")))
	if m == nil {
		t.Fatal("README.md has no sample under How to read a finding")
	}
	if _, output := check(t, filepath.Join(root, "examples", "shop")); !strings.Contains(filepath.ToSlash(output), string(m[1])) {
		t.Errorf("README.md explains\n%s\nand concvet prints\n%s", m[1], output)
	}
}
