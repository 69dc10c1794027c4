package noreturn_test

import (
	"go/ast"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/analysis/passes/ctrlflow"
	"golang.org/x/tools/go/packages"

	"github.com/concvet/concvet/internal/noreturn"
)

// compare runs beside ctrlflow and notes where the two differ.
func compare(differ func(fn *types.Func, want bool), found func()) *analysis.Analyzer {
	return &analysis.Analyzer{
		Name: "compare", Doc: "compare with ctrlflow",
		Requires: []*analysis.Analyzer{noreturn.Analyzer, ctrlflow.Analyzer},
		Run: func(pass *analysis.Pass) (any, error) {
			ours := pass.ResultOf[noreturn.Analyzer].(*noreturn.Set)
			theirs := pass.ResultOf[ctrlflow.Analyzer].(*ctrlflow.CFGs)
			for id, obj := range pass.TypesInfo.Defs {
				fn, ok := obj.(*types.Func)
				if !ok || id.Name == "_" {
					continue
				}
				want := theirs.NoReturn(fn)
				if want {
					found()
				}
				if ours.Has(fn) != want {
					differ(fn, want)
				}
			}
			for _, obj := range pass.TypesInfo.Uses { // callees of other packages
				if fn, ok := obj.(*types.Func); ok && theirs.NoReturn(fn) && !ours.Has(fn) {
					differ(fn, true)
				}
			}
			return nil, nil
		},
	}
}

// TestAsCtrlflow holds that showing ctrlflow only the candidates changes nothing
// of what it finds, on packages with many functions that never return.
func TestAsCtrlflow(t *testing.T) {
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax}, "log", "flag", "testing", "go/parser", "text/template")
	if err != nil {
		t.Fatal(err)
	}
	never := 0
	graph, err := checker.Analyze([]*analysis.Analyzer{compare(
		func(fn *types.Func, want bool) {
			t.Errorf("%s: never returns = %t, ctrlflow says %t", fn.FullName(), !want, want)
		},
		func() { never++ })}, pkgs, &checker.Options{Sequential: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, act := range graph.Roots {
		if act.Err != nil {
			t.Errorf("%v: %v", act, act.Err)
		}
	}
	if never < 10 {
		t.Errorf("only %d functions that never return were compared", never)
	}
}

// As in ctrlflow, a function that only calls itself is not one that never returns.
const shapes = `package a

import "os"

func direct() { os.Exit(1) }
func through() { direct() }
func ThenReturn() int { os.Exit(1); return 0 }
func recursive() { recursive() }
func ping() { pong() }
func pong() { ping() }
func loop() { for {} }
func loopBreak() { for { break } }
func block() { select {} }
func branches(ok bool) { if ok { panic("a") } else { os.Exit(1) } }
func oneBranch(ok bool) { if ok { panic("a") } }
func cases(n int) {
	switch n {
	case 1: fallthrough
	case 2: panic("two")
	default: os.Exit(1)
	}
}
func noDefault(n int) { switch n { case 1: panic("one") } }
func kinds(x any) { switch x.(type) { case int: panic(1); default: panic(2) } }
func either(a, b chan int) { select { case <-a: panic(1); case <-b: os.Exit(2) } }
func nested() { { { direct() } } }
func labelled() { again: direct(); goto again }
func jump() { again: goto again }
func inLiteral() { func() { os.Exit(1) }() }
func deferred() { defer os.Exit(1) }
func value(f func()) { f() }
func generic[T any](T) { panic("generic") }
func instance() { generic(1) }

type T struct{}

func (T) Fail() { panic("T") }
func method(t T) { t.Fail() }
func Fatal() { println() }
`

func TestShapes(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "src", "a", "a.go")
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(shapes), 0o666); err != nil {
		t.Fatal(err)
	}
	var got []string
	analysistest.Run(t, dir, &analysis.Analyzer{
		Name: "list", Doc: "list what never returns", Requires: []*analysis.Analyzer{noreturn.Analyzer},
		Run: func(pass *analysis.Pass) (any, error) {
			set := pass.ResultOf[noreturn.Analyzer].(*noreturn.Set)
			for _, d := range pass.Files[0].Decls {
				if decl, ok := d.(*ast.FuncDecl); ok && set.Has(pass.TypesInfo.Defs[decl.Name].(*types.Func)) {
					got = append(got, decl.Name.Name)
				}
			}
			return nil, nil
		},
	}, "a")
	slices.Sort(got)
	want := "Fail ThenReturn block branches cases direct either generic instance jump kinds labelled loop method nested through"
	if have := strings.Join(got, " "); have != want {
		t.Errorf("never return:\n have %s\n want %s", have, want)
	}
	analysistest.Run(t, dir, compare(
		func(fn *types.Func, want bool) {
			t.Errorf("%s: never returns = %t, ctrlflow says %t", fn.Name(), !want, want)
		},
		func() {}), "a")
}
