package loop_test

import (
	"go/ast"
	"path/filepath"
	"strconv"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"
	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/loop"
	"github.com/concvet/concvet/internal/summary"
)

// printer says at every for statement, and at every go statement in a select,
// what feeds the loop.
var printer = &analysis.Analyzer{
	Name: "loops", Doc: "print the feeds of loops", Requires: []*analysis.Analyzer{summary.Analyzer},
	Run: func(pass *analysis.Pass) (any, error) {
		res := pass.ResultOf[summary.Analyzer].(*summary.Result)
		for _, fn := range res.Funcs() {
			loops := loop.Of(fn, res)
			fors := forStatements(fn)
			for _, l := range loops {
				n := innermost(fors, l)
				if n == nil {
					continue
				}
				if cases(l) > 1 {
					for _, b := range fn.Blocks {
						for _, instr := range b.Instrs {
							if g, ok := instr.(*ssa.Go); ok && loops.Around(b) == l {
								pass.Reportf(g.Pos(), "%s", text(l.FeedsOf(g)))
							}
						}
					}
					continue
				}
				pass.Reportf(n.Pos(), "%s", text(l.Feeds))
			}
		}
		return nil, nil
	},
}

func text(feeds []loop.Feed) string {
	if len(feeds) == 0 {
		return loop.Unknown.String()
	}
	f := feeds[0]
	if f.Kind == loop.Const {
		return f.Kind.String() + " " + strconv.FormatInt(f.Trips, 10)
	}
	return f.Kind.String()
}

// cases is how many cases the select has that feeds the loop.
func cases(l *loop.Loop) int {
	for _, f := range l.Feeds {
		if sel, ok := f.At.(*ssa.Select); ok {
			return len(sel.States)
		}
	}
	return 0
}

// forStatements lists the loops in the syntax of fn, outer ones first.
func forStatements(fn *ssa.Function) []ast.Node {
	var out []ast.Node
	ast.Inspect(fn.Syntax(), func(n ast.Node) bool {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			out = append(out, n)
		}
		return true
	})
	return out
}

// innermost is the last for statement that has all calls of the loop in it.
func innermost(fors []ast.Node, l *loop.Loop) ast.Node {
	var found ast.Node
	for _, n := range fors {
		in, calls := true, 0
		for _, b := range l.Head.Parent().Blocks {
			for _, instr := range b.Instrs {
				if !l.Contains(b) || !instr.Pos().IsValid() {
					continue
				}
				switch instr.(type) {
				case ssa.CallInstruction, *ssa.UnOp:
					calls++
					in = in && n.Pos() <= instr.Pos() && instr.Pos() < n.End()
				}
			}
		}
		if in && calls > 0 {
			found = n
		}
	}
	return found
}

func TestFeeds(t *testing.T) {
	tree, err := filepath.Abs("../../testdata")
	if err != nil {
		t.Fatal(err)
	}
	analysistest.Run(t, tree, printer, "loop/feeds")
}
