package flow_test

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/concvet/concvet/internal/flow"
)

const source = `package p

func f(n int) int {
	sum := 0
	for i := 0; i < n; i++ {
		if i%2 == 0 {
			sum += i
		}
	}
	return sum
}
`

func build(t *testing.T) *ssa.Function {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, _, err := ssautil.BuildPackage(&types.Config{Importer: importer.Default()}, fset, types.NewPackage("p", "p"), []*ast.File{file}, 0)
	if err != nil {
		t.Fatal(err)
	}
	return pkg.Func("f")
}

// The longest way to a block, cut at a bound, grows round a loop until the bound
// and then comes to rest: joins, loops and the edges are all gone through.
func TestForwardComesToRest(t *testing.T) {
	fn := build(t)
	const bound = 50
	edges := 0
	in, reached, ok := flow.Forward(fn, 0, flow.Problem[int]{
		Clone:    func(n int) int { return n },
		Transfer: func(_ *ssa.BasicBlock, n *int) { *n = min(*n+1, bound) },
		Edge:     func(*ssa.BasicBlock, int, *int) { edges++ },
		Merge: func(old, s *int) bool {
			if *s <= *old {
				return false
			}
			*old = *s
			return true
		},
	})
	if !ok {
		t.Fatal("a monotonic problem did not come to rest")
	}
	for i, b := range fn.Blocks {
		if !reached[i] {
			t.Errorf("block %d is not reached", i)
		}
		want := bound
		if i == 0 {
			want = 0 // nothing leads back to the entry
		}
		if in[i] != want {
			t.Errorf("block %d (%s) starts with %d, want %d", i, b.Comment, in[i], want)
		}
	}
	if edges < len(fn.Blocks) {
		t.Errorf("only %d edges were taken", edges)
	}
}

func TestForwardGivesUpOnAProblemWithoutEnd(t *testing.T) {
	fn := build(t)
	_, _, ok := flow.Forward(fn, 0, flow.Problem[int]{
		Clone:    func(n int) int { return n },
		Transfer: func(_ *ssa.BasicBlock, n *int) { *n++ },
		Merge:    func(old, s *int) bool { *old = *s; return true },
	})
	if ok {
		t.Error("a problem that never comes to rest was taken for solved")
	}
}

func TestForwardOfAFunctionWithoutABody(t *testing.T) {
	in, _, ok := flow.Forward(new(ssa.Function), 0, flow.Problem[int]{})
	if len(in) != 0 || !ok {
		t.Errorf("got %v, %v", in, ok)
	}
}
