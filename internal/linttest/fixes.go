package linttest

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/format"
	"go/token"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/concvet/concvet/internal/report"
)

var updateFixes = flag.Bool("update-fixes", false, "write the golden files of fixes")

// Fixes holds the fixes of an analyzer to what is promised of every fix, on the
// packages of the GOPATH tree that the patterns name. A fix is applied alone,
// with some others and with all others: the result is in the form of gofmt, it
// compiles, the finding is gone, no other has come, and nothing is left to fix
// the second time. Of a file x.go, x.go.golden has the fixes that go vet offers,
// which are the safe ones, and x.go.unsafe.golden all.
//
// The names of the functions say what is expected of the findings in them:
// ...Good has safe fixes, ...Judge unsafe ones, ...Refuse none. In ...OfTwo one
// fix is for several findings.
func Fixes(t *testing.T, tree string, a *analysis.Analyzer, patterns ...string) {
	t.Helper()
	var variants []*variant
	wire := func(f func()) {
		report.Wire = true
		defer func() { report.Wire = false }()
		f()
	}
	wire(func() {
		for _, act := range analyze(t, tree, a, patterns) {
			b := &bench{t: t, pkg: act.Package, found: plain(t, act)}
			b.expectations()
			variants = append(variants, b.variants()...)
		}
	})
	analysistest.RunWithSuggestedFixes(t, tree, a, patterns...)
	if len(variants) > 0 {
		wire(func() { check(t, tree, a, variants) })
	}
}

// analyze runs an analyzer on packages of GOPATH trees.
func analyze(t *testing.T, gopath string, a *analysis.Analyzer, patterns []string) []*checker.Action {
	t.Helper()
	cfg := &packages.Config{
		Mode: packages.LoadAllSyntax | packages.NeedModule, Dir: filepath.SplitList(gopath)[0],
		Env: append(os.Environ(), "GOPATH="+gopath, "GO111MODULE=off", "GOWORK=off", "GOFLAGS="),
	}
	pkgs, err := packages.Load(cfg, patterns...)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pkgs {
		for _, e := range p.Errors {
			t.Errorf("%s: %v", p.PkgPath, e)
		}
	}
	graph, err := checker.Analyze([]*analysis.Analyzer{a}, pkgs, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, act := range graph.Roots {
		if act.Err != nil {
			t.Fatalf("%s: %v", act, act.Err)
		}
	}
	return graph.Roots
}

const unsafeMark = " (unsafe: "

// plain turns messages of the wire into those that a person sees, and leaves
// out what only an audit shows.
func plain(t *testing.T, act *checker.Action) []analysis.Diagnostic {
	t.Helper()
	var out []analysis.Diagnostic
	for _, d := range act.Diagnostics {
		m, ok := report.ParseMessage(d.Message)
		if !ok {
			t.Errorf("no message of the wire: %s", d.Message)
		}
		if m.Generated && len(d.SuggestedFixes) > 0 {
			t.Errorf("%s: a fix in a generated file", act.Package.Fset.Position(d.Pos))
		}
		if m.Tier == report.Audit || m.Suppressed != nil || m.Generated || m.Test {
			continue
		}
		d.Message = m.Text + " [" + d.Category + "]"
		d.SuggestedFixes = slices.Clone(d.SuggestedFixes)
		for i, fix := range d.SuggestedFixes {
			if what := m.Unsafe[fix.Message]; what != "" {
				d.SuggestedFixes[i].Message += unsafeMark + what + ")"
			}
		}
		out = append(out, d)
	}
	return out
}

// bench is the work on one package.
type bench struct {
	t     *testing.T
	pkg   *packages.Package
	found []analysis.Diagnostic
}

// expectations compares the fixes with the names of the functions.
func (b *bench) expectations() {
	for _, d := range b.found {
		fn := enclosing(b.pkg, d.Pos)
		safe, unsafe := 0, 0
		for _, fix := range d.SuggestedFixes {
			if strings.Contains(fix.Message, unsafeMark) {
				unsafe++
			} else {
				safe++
			}
		}
		ok := false
		switch {
		case strings.HasSuffix(fn, "Good"):
			ok = safe > 0
		case strings.HasSuffix(fn, "Judge"):
			ok = safe == 0 && unsafe > 0
		case strings.HasSuffix(fn, "Refuse"):
			ok = safe+unsafe == 0
		case strings.HasSuffix(fn, "OfTwo"):
			ok = true // one finding has a fix for both
		}
		if !ok {
			b.t.Errorf("%s: %d safe and %d unsafe fixes in %s: %s", b.pkg.Fset.Position(d.Pos), safe, unsafe, fn, d.Message)
		}
	}
}

func enclosing(pkg *packages.Package, pos token.Pos) string {
	for _, f := range pkg.Syntax {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Pos() <= pos && pos < fn.End() {
				if fn.Recv != nil { // an interface may give the method its name, so that of the type counts, too
					if id, ok := fn.Recv.List[0].Type.(*ast.Ident); ok && expects(id.Name) {
						return id.Name
					}
				}
				return fn.Name.Name
			}
		}
	}
	return ""
}

// expects reports whether a name says what is expected.
func expects(name string) bool {
	for _, word := range []string{"Good", "Judge", "Refuse", "OfTwo"} {
		if strings.HasSuffix(name, word) {
			return true
		}
	}
	return false
}

// golden compares the files of a variant with golden files, or writes them.
func (b *bench) golden(v *variant, suffix string) {
	for _, name := range b.pkg.GoFiles {
		data, err := os.ReadFile(name)
		if err != nil {
			b.t.Error(err)
			continue
		}
		got := v.content[filepath.Base(name)]
		if bytes.Equal(data, got) {
			continue
		}
		if *updateFixes {
			if err := os.WriteFile(name+suffix, got, 0o666); err != nil {
				b.t.Error(err)
			}
			continue
		}
		want, err := os.ReadFile(name + suffix)
		if err != nil {
			b.t.Error(err)
		} else if !bytes.Equal(want, got) {
			b.t.Errorf("%s%s: the fixes give something else; -update-fixes shows what:\n%s", name, suffix, got)
		}
	}
}

// A variant is the package with some fixes applied.
type variant struct {
	of      *bench
	name    string
	fixed   []int // indices of findings
	second  bool  // the second fix of each, not the first
	content map[string][]byte
}

// maxMixed is how many random sets of fixes are tried together.
const maxMixed = 6

func (b *bench) variants() []*variant {
	var all []int
	for i, d := range b.found {
		if len(d.SuggestedFixes) > 0 {
			all = append(all, i)
		}
	}
	if len(all) == 0 {
		return nil
	}
	var variants []*variant
	add := func(name string, fixed []int) {
		v := &variant{of: b, name: name, fixed: fixed, second: name == "second", content: map[string][]byte{}}
		if b.apply(v) {
			variants = append(variants, v)
			switch {
			case name == "all":
				b.golden(v, ".unsafe.golden")
			case name == "second":
				b.golden(v, ".second.golden")
			case name == "safe" && *updateFixes:
				b.golden(v, ".golden") // to compare with is left to analysistest
			}
		}
	}
	for _, i := range all {
		add(fmt.Sprintf("only%d", i), []int{i})
	}
	add("all", all)
	var safe, second []int
	for _, i := range all {
		if len(b.found[i].SuggestedFixes) > 1 && !b.overlaps(second, i) {
			second = append(second, i)
		}
		if !strings.Contains(b.found[i].SuggestedFixes[0].Message, unsafeMark) {
			safe = append(safe, i)
		}
	}
	add("safe", safe)
	if len(second) > 0 {
		add("second", second)
	}
	random := rand.New(rand.NewPCG(1, uint64(len(all))))
	for n := range maxMixed {
		var some []int
		for _, i := range all {
			if random.IntN(2) == 0 {
				some = append(some, i)
			}
		}
		if len(some) > 0 {
			add(fmt.Sprintf("mixed%d", n), some)
		}
	}
	return variants
}

// overlaps reports whether the second fix of finding i changes what one of others
// does: either may be taken, but not both.
func (b *bench) overlaps(others []int, i int) bool {
	for _, j := range others {
		for _, e := range b.found[j].SuggestedFixes[1].TextEdits {
			for _, d := range b.found[i].SuggestedFixes[1].TextEdits {
				same := d.Pos == e.Pos && d.End == e.End && bytes.Equal(d.NewText, e.NewText)
				if !same && d.Pos <= e.End && e.Pos <= d.End {
					return true
				}
			}
		}
	}
	return false
}

// apply fills in the contents of the files. It fails if fixes overlap.
func (b *bench) apply(v *variant) bool {
	edits := map[string][]analysis.TextEdit{}
	for _, i := range v.fixed {
		fix := b.found[i].SuggestedFixes[0]
		if v.second {
			fix = b.found[i].SuggestedFixes[1]
		}
		for _, e := range fix.TextEdits {
			name := b.pkg.Fset.File(e.Pos).Name()
			// Two fixes that need the same import add it once.
			if !slices.ContainsFunc(edits[name], func(o analysis.TextEdit) bool {
				return o.Pos == e.Pos && o.End == e.End && bytes.Equal(o.NewText, e.NewText)
			}) {
				edits[name] = append(edits[name], e)
			}
		}
	}
	for _, name := range b.pkg.GoFiles {
		data, err := os.ReadFile(name)
		if err != nil {
			b.t.Error(err)
			return false
		}
		list := edits[name]
		slices.SortStableFunc(list, func(x, y analysis.TextEdit) int { return int(x.Pos - y.Pos) })
		var out bytes.Buffer
		last := 0
		for _, e := range list {
			file := b.pkg.Fset.File(e.Pos)
			start, end := file.Offset(e.Pos), file.Offset(e.End)
			if start < last {
				b.t.Errorf("%s: the fixes of %s overlap", name, v.name)
				return false
			}
			out.Write(data[last:start])
			out.Write(e.NewText)
			last = end
		}
		out.Write(data[last:])
		v.content[filepath.Base(name)] = out.Bytes()
		formatted, err := format.Source(out.Bytes())
		if err != nil {
			b.t.Errorf("%s after the fixes of %s: %v", name, v.name, err)
			return false
		}
		if !bytes.Equal(formatted, out.Bytes()) {
			b.t.Errorf("%s is not in the form of gofmt after the fixes of %s:\n%s", name, v.name, out.Bytes())
		}
	}
	return true
}

// check analyses all variants, each as a package of its own.
func check(t *testing.T, tree string, a *analysis.Analyzer, variants []*variant) {
	t.Helper()
	dir := t.TempDir()
	byPath := map[string]*variant{}
	var patterns []string
	for _, v := range variants {
		path := v.of.pkg.PkgPath + "/" + v.name
		folder := filepath.Join(dir, "src", filepath.FromSlash(path))
		if err := os.MkdirAll(folder, 0o777); err != nil {
			t.Fatal(err)
		}
		for name, data := range v.content {
			if err := os.WriteFile(filepath.Join(folder, name), data, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		byPath[path] = v
		patterns = append(patterns, path)
	}
	for _, act := range analyze(t, dir+string(filepath.ListSeparator)+tree, a, patterns) {
		if v := byPath[act.Package.PkgPath]; v != nil {
			v.of.compare(v, act)
		} else {
			t.Errorf("no variant for %s", act.Package.PkgPath)
		}
	}
}

var lineNumber = regexp.MustCompile(`line \d+`)

func key(pkg *packages.Package, d analysis.Diagnostic) string {
	return enclosing(pkg, d.Pos) + ": " + lineNumber.ReplaceAllString(d.Message, "line N")
}

// compare says which findings of a variant should not be there.
func (b *bench) compare(v *variant, act *checker.Action) {
	allowed := map[string]int{}
	for i, d := range b.found {
		if !slices.Contains(v.fixed, i) {
			allowed[key(b.pkg, d)]++
		}
	}
	for _, d := range plain(b.t, act) {
		k := key(act.Package, d)
		if allowed[k]--; allowed[k] < 0 {
			b.t.Errorf("%s: after the fixes of %s there is still, or for the first time: %s", b.pkg.PkgPath, v.name, k)
		}
		if v.name == "all" && len(d.SuggestedFixes) > 0 {
			b.t.Errorf("after all fixes there is one more, %q: %s", d.SuggestedFixes[0].Message, k)
		}
	}
}
