package main_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/concvet/concvet/internal/linttest"
)

// root is the root of the repository.
const root = "../.."

var concvet, golangci string

func TestMain(m *testing.M) {
	code, err := build(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func build(m *testing.M) (int, error) {
	dir, err := os.MkdirTemp("", "concvet")
	if err != nil {
		return 1, err
	}
	defer os.RemoveAll(dir)
	ext := ""
	if runtime.GOOS == "windows" {
		ext = ".exe"
	}
	concvet, golangci = filepath.Join(dir, "concvet"+ext), filepath.Join(dir, "golangci"+ext)
	for _, b := range []struct{ in, out, pkg string }{{root, concvet, "./cmd/concvet"}, {".", golangci, "."}} {
		cmd := exec.Command("go", "build", "-o", b.out, b.pkg)
		cmd.Dir = b.in
		if out, err := cmd.CombinedOutput(); err != nil {
			return 1, fmt.Errorf("go build %s: %v\n%s", b.pkg, err, out)
		}
	}
	return m.Run(), nil
}

// A project is a module and a golangci-lint that checks it.
type project struct {
	dir   string
	cache string
}

func newProject(t *testing.T, dir string) *project {
	t.Helper()
	return &project{dir: dir, cache: t.TempDir()}
}

// settings is a .golangci.yml with concvet alone, which shows all that there is.
func settings(plugin string) string {
	text := `version: "2"
linters:
  default: none
  enable: [concvet]
  settings:
    custom:
      concvet:
        type: module
        description: concurrency mistakes
`
	if plugin != "" {
		text += "        settings:\n"
		for line := range strings.Lines(plugin) {
			text += "          " + line
		}
		text += "\n"
	}
	return text + `issues:
  max-issues-per-linter: 0
  max-same-issues: 0
  uniq-by-line: false
`
}

// run runs golangci-lint and returns its exit status and what it printed.
func (p *project) run(t *testing.T, config string, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	name := filepath.Join(p.dir, ".golangci.yml")
	if err := os.WriteFile(name, []byte(config), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(golangci, append([]string{"run", "--show-stats=false"}, args...)...)
	cmd.Dir = p.dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off", "GOLANGCI_LINT_CACHE="+p.cache)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String(), errs.String()
}

// findings runs golangci-lint and returns its issues.
func (p *project) findings(t *testing.T, config string) []linttest.Finding {
	t.Helper()
	status, stdout, stderr := p.run(t, config, "--output.json.path=stdout", "./...")
	if status > 1 {
		t.Fatalf("golangci-lint ended with %d\n%s%s", status, stdout, stderr)
	}
	var doc struct {
		Issues []struct {
			FromLinter, Text string
			Pos              struct {
				Filename     string
				Line, Column int
			}
		}
	}
	if err := json.Unmarshal([]byte(stdout), &doc); err != nil {
		t.Fatalf("golangci-lint: %v\n%s%s", err, stdout, stderr)
	}
	if (status == 1) != (len(doc.Issues) > 0) {
		t.Errorf("golangci-lint ended with %d and %d issues", status, len(doc.Issues))
	}
	list := []linttest.Finding{}
	for _, i := range doc.Issues {
		if i.FromLinter != "concvet" {
			t.Errorf("an issue is from %s: %s", i.FromLinter, i.Text)
		}
		// The name of the analyzer is put before what it says.
		analyzer, message, _ := strings.Cut(i.Text, ": ")
		if !strings.HasSuffix(message, "]") || !strings.Contains(message, "["+analyzer+"/") {
			t.Errorf("an issue does not end in a category of its analyzer: %s", i.Text)
		}
		list = append(list, linttest.Finding{File: filepath.ToSlash(i.Pos.Filename), Line: i.Pos.Line, Col: i.Pos.Column, Message: message})
	}
	return linttest.Sort(list)
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
	if len(a) != len(b) {
		t.Errorf("%s has %d findings, %s %d", name, len(a), other, len(b))
	}
}

// What golangci-lint finds on the whole corpus is what go vet finds there, with
// a cold cache and a warm one, and after a change in one file.
func TestSameFindings(t *testing.T) {
	src, err := filepath.Abs(filepath.Join(root, "testdata", "src"))
	if err != nil {
		t.Fatal(err)
	}
	for name, least := range map[string]int{"holdacross": 150, "nodeadline": 60, "unboundedqueue": 60, "blockinloop": 60, "selfsubmit": 40} {
		t.Run(name, func(t *testing.T) {
			dir, err := linttest.Module(t.TempDir(), src, name)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.RemoveAll(filepath.Join(dir, "fix")); err != nil { // hostile names
				t.Fatal(err)
			}
			vet, err := linttest.Vet(concvet, dir)
			if err != nil {
				t.Fatal(err)
			}
			if len(vet) < least {
				t.Fatalf("only %d findings: something was not analysed", len(vet))
			}
			p := newProject(t, dir)
			same(t, "go vet", vet, "golangci-lint, cold", p.findings(t, settings("")))
			same(t, "go vet", vet, "golangci-lint, warm", p.findings(t, settings("")))
			touch(t, filepath.Join(dir, filepath.FromSlash(vet[0].File)))
			same(t, "go vet", vet, "golangci-lint, after a change", p.findings(t, settings("")))
			t.Logf("%d findings", len(vet))
		})
	}
}

// touch changes a file without moving anything in it.
func touch(t *testing.T, name string) {
	t.Helper()
	f, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = f.WriteString("\n// changed\n")
		if cerr := f.Close(); err == nil {
			err = cerr
		}
	}
	if err != nil {
		t.Fatal(err)
	}
}
