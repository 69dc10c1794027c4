package ssabuild_test

import (
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"
	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/ssabuild"
)

// with runs f on the builder of a package of one file.
func with(t *testing.T, source string, f func(pass *analysis.Pass, b *ssabuild.Builder)) {
	t.Helper()
	dir := t.TempDir()
	name := filepath.Join(dir, "src", "a", "a.go")
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	ran := false
	a := &analysis.Analyzer{
		Name: "user", Doc: "uses the builder", Requires: []*analysis.Analyzer{ssabuild.Analyzer},
		Run: func(pass *analysis.Pass) (any, error) {
			b, ok := pass.ResultOf[ssabuild.Analyzer].(*ssabuild.Builder)
			if !ok {
				t.Fatal("no builder")
			}
			f(pass, b)
			ran = true
			return nil, nil
		},
	}
	analysistest.Run(t, dir, a, "a")
	if !ran {
		t.Fatal("the package was not analysed")
	}
}

func names(pkg *ssabuild.Package) string {
	var out []string
	for _, fn := range pkg.Funcs {
		out = append(out, fn.Name())
	}
	return strings.Join(out, " ")
}

const source = `package a

import "os"

func Kept() {
	func() {
		_ = func() {}
	}()
}

func Left() { _ = func() {} }

type T[E any] struct{ e E }

func (t *T[E]) Method() { _ = func() E { return t.e } }

func fatal() { os.Exit(1) }

func Ends(ok bool) int {
	if !ok {
		fatal()
	}
	return 1
}

var handlers = map[string]func(){"a": func() { Kept() }}

var plain = map[string]int{"a": 1}

func outside()

func init() { Left() }

func _() {}
`

func TestOnlyWhatIsAskedForIsBuilt(t *testing.T) {
	with(t, source, func(pass *analysis.Pass, b *ssabuild.Builder) {
		pkg, err := b.Build(func(d *ast.FuncDecl) bool { return d.Name.Name == "Kept" || d.Name.Name == "Method" })
		if err != nil {
			t.Fatal(err)
		}
		// Each function before its literals, in source order; then the literals
		// of package variables, which belong to init.
		if got, want := names(pkg), "Kept Kept$1 Kept$1$1 Method Method$1 init$1"; got != want {
			t.Errorf("built %s, want %s", got, want)
		}
		for _, fn := range pkg.Funcs {
			if len(fn.Blocks) == 0 {
				t.Errorf("%v has no body", fn)
			}
		}
		for _, name := range []string{"Left", "Ends"} {
			if f := pkg.SSA.Func(name); f == nil || len(f.Blocks) > 0 {
				t.Errorf("%s: %v, want a function without a body", name, f)
			}
		}
		again, err := b.Build(func(*ast.FuncDecl) bool { return true })
		if again != pkg || err != nil {
			t.Error("the package was built twice")
		}
		// The syntax belongs to all analyzers of the pass.
		for _, d := range pass.Files[0].Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Body == nil && fn.Name.Name != "outside" {
				t.Errorf("%s has lost its body", fn.Name.Name)
			}
		}
	})
}

func TestAllIsBuiltIfAskedFor(t *testing.T) {
	with(t, source, func(_ *analysis.Pass, b *ssabuild.Builder) {
		pkg, err := b.Build(func(*ast.FuncDecl) bool { return true })
		if err != nil {
			t.Fatal(err)
		}
		got := strings.Fields(names(pkg))
		for _, want := range []string{"Kept", "Left", "Left$1", "Method", "fatal", "Ends", "init$1"} {
			if !slices.Contains(got, want) {
				t.Errorf("%s is not built, of %q", want, got)
			}
		}
		if slices.Contains(got, "outside") {
			t.Error("a function without a body is listed")
		}
	})
}

// A call that never returns ends its path, also of a function of the package.
func TestPathsEndAtNoReturnCalls(t *testing.T) {
	with(t, source, func(_ *analysis.Pass, b *ssabuild.Builder) {
		pkg, err := b.Build(func(d *ast.FuncDecl) bool { return d.Name.Name == "Ends" })
		if err != nil {
			t.Fatal(err)
		}
		for _, block := range pkg.SSA.Func("Ends").Blocks {
			for _, instr := range block.Instrs {
				if call, ok := instr.(*ssa.Call); ok && call.Call.StaticCallee().Name() == "fatal" && len(block.Succs) > 0 {
					t.Error("the path goes on after fatal")
				}
			}
		}
	})
}

// The version of the language is that of the file: before Go 1.22 a loop has
// one variable for all its rounds. A GOPATH tree has no go.mod, so the file
// says it by a build constraint.
func TestLanguageVersionOfTheFile(t *testing.T) {
	for version, rounds := range map[string]bool{"go1.21": false, "go1.22": true} {
		with(t, "//go:build "+version+"\n\npackage a\n\nfunc F(use func(*int)) {\n\tfor i := 0; i < 3; i++ {\n\t\tuse(&i)\n\t}\n}\n", func(_ *analysis.Pass, b *ssabuild.Builder) {
			pkg, err := b.Build(func(*ast.FuncDecl) bool { return true })
			if err != nil {
				t.Fatal(err)
			}
			allocs := 0
			for _, block := range pkg.SSA.Func("F").Blocks {
				for _, instr := range block.Instrs {
					if a, ok := instr.(*ssa.Alloc); ok && a.Comment == "i" && a.Block().Index > 0 {
						allocs++
					}
				}
			}
			if (allocs > 0) != rounds {
				t.Errorf("%s: %d variables made inside the loop", version, allocs)
			}
		})
	}
}

// A goto onto a label of a range over a function starts the range anew. A
// version of x/tools took it for a continue (golang/go#80860); with it, what is
// held at the label would be wrong.
func TestGotoOntoRangeOverFunc(t *testing.T) {
	with(t, `package a

func F(seq func(func(int) bool), n int) {
L:
	for range seq {
	}
	if n--; n > 0 {
		goto L
	}
}
`, func(_ *analysis.Pass, b *ssabuild.Builder) {
		pkg, err := b.Build(func(*ast.FuncDecl) bool { return true })
		if err != nil {
			t.Fatal(err)
		}
		fn := pkg.SSA.Func("F")
		ranges := func(block *ssa.BasicBlock) bool {
			for _, instr := range block.Instrs {
				if call, ok := instr.(*ssa.Call); ok && call.Call.Value == ssa.Value(fn.Params[0]) {
					return true
				}
			}
			return false
		}
		for _, block := range fn.Blocks {
			cond, ok := block.Instrs[len(block.Instrs)-1].(*ssa.If)
			if !ok {
				continue
			}
			cmp, ok := cond.Cond.(*ssa.BinOp)
			if !ok || cmp.Op != token.GTR {
				continue
			}
			// Only jumps may stand between the goto and the range.
			next := block.Succs[0]
			for steps := 0; !ranges(next); steps++ {
				if len(next.Succs) != 1 || steps > 4 {
					t.Fatalf("the goto leads to block %d, which does not range:\n%v", next.Index, next.Instrs)
				}
				next = next.Succs[0]
			}
			return
		}
		t.Error("no branch on n > 0")
	})
}
