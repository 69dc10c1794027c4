package summary_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/summary"
)

var testdata = func() string {
	dir, err := filepath.Abs(filepath.Join("..", "..", "testdata"))
	if err != nil {
		panic(err)
	}
	return dir
}()

// The facts of testdata/src/summary are what its want comments say.
func TestFacts(t *testing.T) {
	analysistest.Run(t, testdata, summary.Analyzer, "summary/facts", "summary/users", "summary/limits")
}

type packageList = []*packages.Package

// load loads packages of a GOPATH tree with the source of all they import.
func load(t *testing.T, gopath string, patterns ...string) packageList {
	t.Helper()
	pkgs, err := packages.Load(&packages.Config{
		Mode: packages.LoadAllSyntax | packages.NeedModule,
		Dir:  gopath,
		Env:  append(os.Environ(), "GOPATH="+gopath, "GO111MODULE=off", "GOPROXY=off", "GOFLAGS="),
	}, patterns...)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pkgs {
		for _, err := range p.Errors {
			t.Fatal(err)
		}
	}
	return pkgs
}

// write puts files below src of a new GOPATH tree.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		name = filepath.Join(dir, "src", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func enclosing(pkg *packages.Package, pos token.Pos) string {
	for _, f := range pkg.Syntax {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Pos() <= pos && pos < fn.End() {
				return fn.Name.Name
			}
		}
	}
	return "?"
}

// facts returns the text of every fact, by package and object.
func facts(t *testing.T, pkgs packageList) map[string]map[string]string {
	t.Helper()
	graph, err := checker.Analyze([]*analysis.Analyzer{summary.Analyzer}, pkgs, &checker.Options{SanityCheck: true})
	if err != nil {
		t.Fatal(err)
	}
	out := make(map[string]map[string]string)
	for act := range graph.All() {
		if act.Analyzer != summary.Analyzer {
			continue
		}
		if act.Err != nil {
			t.Fatal(act.Err)
		}
		for _, f := range act.AllObjectFacts() {
			if fact, ok := f.Fact.(*summary.Fact); ok && f.Object.Pkg() == act.Package.Types {
				m := out[act.Package.PkgPath]
				if m == nil {
					m = make(map[string]string)
					out[act.Package.PkgPath] = m
				}
				m[f.Object.String()] = fact.Text
			}
		}
	}
	return out
}

// maxPackageFacts is how many bytes of facts one package may export: importers
// carry them on.
const maxPackageFacts = 256 << 10

// Every fact of the whole tree can be read back, is what it is after a round
// through the codec, and is small.
func TestFactsAreBoundedAndReadable(t *testing.T) {
	all := facts(t, load(t, testdata, "summary/...", "holdacross/..."))
	n := 0
	for pkg, m := range all {
		total := 0
		for obj, text := range m {
			n++
			total += len(text) + len(obj)
			if len(text) > effect.MaxEncoded {
				t.Errorf("%s: the fact of %s has %d bytes", pkg, obj, len(text))
			}
			s, err := effect.Decode(text)
			if err != nil {
				t.Errorf("%s: the fact of %s: %v", pkg, obj, err)
				continue
			}
			for range 10 {
				if again := s.Encode(); again != text {
					t.Errorf("%s: the fact of %s changes in the codec", pkg, obj)
				}
			}
			if s.Empty() {
				t.Errorf("%s: the fact of %s says nothing", pkg, obj)
			}
			if strings.Contains(text, testdata) {
				t.Errorf("%s: the fact of %s has the place of the checkout in it", pkg, obj)
			}
			for _, e := range s.Effects {
				if len(e.Frames) == 0 || len(e.Frames) > effect.MaxFrames {
					t.Errorf("%s: the fact of %s has a witness of %d frames", pkg, obj, len(e.Frames))
				}
				if strings.HasPrefix(string(e.On), "l:") || strings.HasPrefix(string(e.Pool), "l:") {
					t.Errorf("%s: the fact of %s names a local value", pkg, obj)
				}
			}
		}
		if total > maxPackageFacts {
			t.Errorf("%s exports %d bytes of facts", pkg, total)
		}
	}
	if n < 80 {
		t.Errorf("only %d facts were seen", n)
	}
}

// The bytes of the facts are the key of everything that is analysed after them:
// neither the order of the files, nor that of the declarations' analysis, nor
// the place of the checkout may show.
func TestFactsDependOnTheSourceOnly(t *testing.T) {
	const pattern = "summary/..."
	pkgs := load(t, testdata, pattern)
	want := facts(t, pkgs)
	if len(want) < 2 { // those of facts and users
		t.Fatalf("facts of %d packages", len(want))
	}
	for i := range 3 {
		equal(t, fmt.Sprintf("run %d", i), want, facts(t, pkgs))
	}

	packages.Visit(pkgs, nil, func(p *packages.Package) { slices.Reverse(p.Syntax) })
	equal(t, "files in reverse order", want, facts(t, pkgs))

	elsewhere := t.TempDir()
	src := filepath.Join(testdata, "src")
	if err := os.CopyFS(filepath.Join(elsewhere, "src", "summary"), os.DirFS(filepath.Join(src, "summary"))); err != nil {
		t.Fatal(err)
	}
	equal(t, "another checkout", want, facts(t, load(t, elsewhere, pattern)))
}

func equal(t *testing.T, how string, want, got map[string]map[string]string) {
	t.Helper()
	for pkg, m := range want {
		for _, obj := range slices.Sorted(maps.Keys(m)) {
			if got[pkg][obj] != m[obj] {
				a, _ := effect.Decode(m[obj])
				b, _ := effect.Decode(got[pkg][obj])
				t.Errorf("%s: %s: %v, want %v", how, obj, b, a)
			}
		}
		if len(got[pkg]) != len(m) {
			t.Errorf("%s: %d facts of %s, want %d", how, len(got[pkg]), pkg, len(m))
		}
	}
	if len(got) != len(want) {
		t.Errorf("%s: facts of %d packages, want %d", how, len(got), len(want))
	}
}

// A dependency tells its importers less: they carry its facts on.
func TestFactsOfDependenciesAreShort(t *testing.T) {
	frames := []effect.Frame{{Pos: "a.go:1", Call: "f"}, {Pos: "b.go:1", Call: "g"}, {Pos: "c.go:1", Call: "h"}, {Pos: "d.go:1", Call: "time.Sleep"}}
	s := &effect.Summary{
		Effects: []effect.Effect{
			{Kind: effect.Sleep, API: "time.Sleep", Frames: frames},
			{Kind: effect.File, API: "os.ReadFile", Frames: frames},
			{Kind: effect.ChanRecv, API: "receive", On: "recv.ch", Frames: frames},
			{Kind: effect.ChanRecv, API: "receive", On: "p0", Frames: frames},
			{Kind: effect.Net, API: "do", On: "l:7", Frames: frames},
		},
		Calls:    []effect.ParamCall{{Param: 0, Held: []effect.Held{{Class: effect.Mutex, Path: "l:3"}}, Frames: frames}},
		Releases: []effect.Path{"l:1", "p0"},
		Symbolic: []effect.Symbolic{{Method: "(x.I).M", Frames: frames}},
	}
	s.Normalize()
	for _, c := range []struct {
		dependency bool
		want       string
		frames     int
	}{
		{false, "blocks(sleep) blocks(net) blocks(file) blocks(chan-recv on p0) blocks(chan-recv on recv.ch) calls(p0 under lock ) releases(p0) iface((x.I).M)", 4},
		{true, "blocks(sleep) blocks(net) blocks(chan-recv on p0) calls(p0 under lock ) releases(p0)", 2},
	} {
		out := summary.Export(s, c.dependency, nil)
		if out.String() != c.want {
			t.Errorf("dependency %t: %v, want %s", c.dependency, out, c.want)
		}
		for _, e := range out.Effects {
			if len(e.Frames) != c.frames {
				t.Errorf("dependency %t: a witness of %d frames, want %d", c.dependency, len(e.Frames), c.frames)
			}
		}
	}
}

// A fact that another version wrote is an error, not silence: "knows nothing"
// would hide findings.
func TestUnreadableFactIsSaid(t *testing.T) {
	f := &summary.Fact{Text: "\x7f"}
	if !strings.Contains(f.String(), "format") {
		t.Errorf("an unreadable fact prints as %q", f)
	}
}
