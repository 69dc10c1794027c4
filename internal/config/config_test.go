package config

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	cfg, err := parse("/r/.concvet.yaml", []byte(`# a comment
version: 1
checks: [all, -holdacross/rows-outbound]
tests: true
audit: true
generated: include
ignore:
  - path: "internal/legacy/**"
    categories: [holdacross]
    reason: it goes away in spring
fixes:
  safe: [holdacross/same-pool]
models:
  - |
    net/http.Get    net
`))
	if err != nil {
		t.Fatal(err)
	}
	if !cfg.Tests || !cfg.Audit || !cfg.Generated || len(cfg.Ignore) != 1 || len(cfg.Safe) != 1 {
		t.Errorf("%+v", cfg)
	}
	if got := cfg.ModelTexts(); !slices.Equal(got, []string{"net/http.Get net"}) {
		t.Errorf("models %q", got)
	}
	if got := cfg.ModelPackages(); !slices.Equal(got, []string{"net/http"}) {
		t.Errorf("packages of models %q", got)
	}
	if got := Texts(cfg.Checks); !slices.Equal(got, []string{"all", "-holdacross/rows-outbound"}) {
		t.Errorf("checks %q", got)
	}
}

// Whatever is in the file, there is a configuration or one line with a place.
func FuzzParse(f *testing.F) {
	f.Add("version: 1\nchecks: [all]\n")
	f.Add("version: 1\nmodels: [a.F net]\nignore: [{path: x, reason: y}]")
	f.Add("a: &a [*a]\nversion: 1")
	f.Add("? {a: b}\n: c")
	f.Add("version: !!int 1\n---\nversion: 2")
	f.Fuzz(func(t *testing.T, s string) {
		cfg, err := parse("c.yaml", []byte(s))
		if (cfg == nil) == (err == nil) {
			t.Errorf("parse(%q) = %v, %v", s, cfg, err)
		}
		if err != nil && !strings.HasPrefix(err.Error(), "c.yaml") {
			t.Errorf("parse(%q): the error has no place: %v", s, err)
		}
	})
}

func TestYAMLBomb(t *testing.T) {
	var b strings.Builder
	b.WriteString("version: 1\nchecks: &a0 [x]\n")
	for i := 1; i < 30; i++ {
		b.WriteString("k" + strings.Repeat("x", i) + ": &a" + strings.Repeat("y", i) + " [*a0, *a0]\n")
	}
	if _, err := parse("c.yaml", []byte(b.String())); err == nil {
		t.Error("no error")
	}
}

func TestMatch(t *testing.T) {
	for _, test := range []struct {
		pattern, file string
		want          bool
	}{
		{"**", "/r/a.go", true},
		{"*.go", "/r/a.go", true},
		{"*.go", "/r/b/a.go", false},
		{"**/*.go", "/r/a.go", true},
		{"**/*.go", "/r/b/c/a.go", true},
		{"internal", "/r/internal/x/a.go", true},
		{"internal/", "/r/internal/x/a.go", true},
		{"./internal/**", "/r/internal/a.go", true},
		{"internal/**", "/r/internals/a.go", false},
		{"**/legacy/**", "/r/a/legacy/b/c.go", true},
		{"a?/*_gen.go", "/r/ab/x_gen.go", true},
		{"**", "/elsewhere/a.go", false},
		{strings.Repeat("**/", 200) + "x", "/r" + strings.Repeat("/d", 200) + "/y", false},
	} {
		ig := Ignore{Path: test.pattern, File: "/r/.concvet.yaml"}
		if got := ig.Match(filepath.FromSlash(test.file)); got != test.want {
			t.Errorf("%q matches %q: %t", test.pattern, test.file, got)
		}
	}
}

func TestChecks(t *testing.T) {
	c := Catalog{Analyzers: []string{"a", "b"}, Categories: []string{"a/x", "a/y", "b/z"}}
	for _, test := range []struct{ elems, want string }{
		{"", "a/x a/y b/z"},
		{"all", "a/x a/y b/z"},
		{"a", "a/x a/y"},
		{"a,-a/x", "a/y"},
		{"-a", "b/z"},
		{"-a,a/x", "a/x b/z"},
		{"-all,b", "b/z"},
		{"b/z, a/x", "a/x b/z"},
	} {
		var elems []string
		if test.elems != "" {
			elems = strings.Split(test.elems, ",")
		}
		checks, err := ParseChecks(elems, c)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, category := range c.Categories {
			if checks.Selected(category) {
				got = append(got, category)
			}
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%q selects %q, want %q", test.elems, got, test.want)
		}
	}
	if _, err := ParseChecks([]string{"a/q"}, c); err == nil || !strings.Contains(err.Error(), "did you mean") {
		t.Errorf("unknown check: %v", err)
	}
	for _, elems := range [][]string{{"-all"}, {"a", "-a"}, {"b", "-b/z"}, {"all", "-a", "-b"}} {
		if _, err := ParseChecks(elems, c); err == nil || !strings.Contains(err.Error(), strings.Join(elems, ",")+" leaves no category") {
			t.Errorf("%q: %v", elems, err)
		}
	}
}

func TestFind(t *testing.T) {
	top := t.TempDir()
	repo := filepath.Join(top, "repo")
	module := filepath.Join(repo, "a", "b")
	for _, dir := range []string{module, filepath.Join(repo, ".git")} {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	write := func(dir string) {
		if err := os.WriteFile(filepath.Join(dir, FileName), []byte("version: 1\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	find := func(want string) {
		t.Helper()
		if got, err := Find(module); err != nil || got != want {
			t.Errorf("Find = %q, %v, want %q", got, err, want)
		}
	}
	write(top) // above the repository: it does not count
	find("")
	write(repo)
	find(filepath.Join(repo, FileName))
	write(module)
	find(filepath.Join(module, FileName))
}

func TestLoadLarge(t *testing.T) {
	name := filepath.Join(t.TempDir(), FileName)
	if err := os.WriteFile(name, make([]byte, maxSize+1), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(name); err == nil || !strings.Contains(err.Error(), "larger than 1 MB") {
		t.Errorf("error %v", err)
	}
}
