package report

import (
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"
)

// Range returns the smallest guilty expression at the position of an SSA
// instruction: what is called, a send, a receive, the word select.
func Range(files []*ast.File, pos token.Pos) (start, end token.Pos) {
	start, end = pos, pos
	for _, f := range files {
		if pos < f.FileStart || pos > f.FileEnd {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if n == nil || pos < n.Pos() || pos > n.End() {
				return false
			}
			switch n := n.(type) {
			case *ast.CallExpr:
				if n.Lparen == pos {
					// os.ReadFile(name)
					// ~~~~~~~~~~~
					start, end = n.Fun.Pos(), n.Lparen
					if sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok {
						// Of a chain over several lines only the last name.
						if strings.Contains(types.ExprString(sel.X), "(") {
							start = sel.Sel.Pos()
						}
					} else if lit, ok := ast.Unparen(n.Fun).(*ast.FuncLit); ok {
						end = lit.Type.End()
					}
				}
			case *ast.SendStmt:
				if n.Arrow == pos {
					start, end = n.Pos(), n.End()
				}
			case *ast.UnaryExpr:
				if n.OpPos == pos {
					start, end = n.Pos(), n.End()
				}
			case *ast.SelectStmt:
				if n.Select == pos {
					start, end = n.Select, n.Select+token.Pos(len("select"))
				}
			case *ast.RangeStmt:
				if n.For == pos || n.X.Pos() == pos {
					start, end = n.X.Pos(), n.X.End()
				}
			case *ast.DeferStmt:
				if n.Defer == pos {
					start, end = n.Call.Pos(), n.Call.Lparen
				}
			}
			return true
		})
	}
	return start, end
}

// Place is a position as a frame writes it: "file.go:12".
func Place(fset *token.FileSet, pos token.Pos) string {
	p := fset.Position(pos)
	return filepath.Base(p.Filename) + ":" + strconv.Itoa(p.Line)
}

// PosOf is the inverse of [Place] for the files of the pass, NoPos for a place
// in another package.
func PosOf(pass *analysis.Pass, place string) token.Pos {
	if strings.Contains(place, "/") {
		return token.NoPos
	}
	name, number, ok := strings.Cut(place, ":")
	line, err := strconv.Atoi(number)
	if !ok || err != nil {
		return token.NoPos
	}
	for _, f := range pass.Files {
		tf := pass.Fset.File(f.FileStart)
		if tf == nil || filepath.Base(tf.Name()) != name || line < 1 || line > tf.LineCount() {
			continue
		}
		return tf.LineStart(line)
	}
	return token.NoPos
}

// Calls lists the calls of a function in the package, by its full name.
func Calls(pass *analysis.Pass, fullName string) []*ast.CallExpr {
	var out []*ast.CallExpr
	for _, f := range pass.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if fn := typeutil.StaticCallee(pass.TypesInfo, call); fn != nil && fn.FullName() == fullName {
					out = append(out, call)
				}
			}
			return true
		})
	}
	return out
}
