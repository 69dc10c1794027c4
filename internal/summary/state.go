package summary

import (
	"go/ast"
	"go/token"
	"go/types"
)

// ChangesState reports whether a method of the package sets fields of its
// receiver or elements of them, and takes no lock for it: it is meant to be
// called by one goroutine. What only counts does not count. It is read from the
// syntax, since most such methods wait for nothing and have no SSA.
func (r *Result) ChangesState(fn *types.Func) bool {
	decl := r.in.scan.decls[fn.Origin()]
	if decl == nil || decl.Body == nil || decl.Recv == nil || len(decl.Recv.List) == 0 || len(decl.Recv.List[0].Names) == 0 {
		return false
	}
	info := r.in.pass.TypesInfo
	recv := info.Defs[decl.Recv.List[0].Names[0]]
	own := func(e ast.Expr) bool {
		depth := 0
		for {
			switch x := ast.Unparen(e).(type) {
			case *ast.SelectorExpr:
				e = x.X
			case *ast.IndexExpr:
				e = x.X
			case *ast.StarExpr:
				e = x.X
			case *ast.Ident:
				return depth > 0 && recv != nil && info.Uses[x] == recv
			default:
				return false
			}
			depth++
		}
	}
	changes, locks := false, false
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.AssignStmt:
			if n.Tok != token.ASSIGN {
				return true
			}
			for _, lhs := range n.Lhs {
				changes = changes || own(lhs)
			}
		case *ast.CallExpr:
			switch fun := ast.Unparen(n.Fun).(type) {
			case *ast.Ident:
				if fun.Name == "delete" || fun.Name == "clear" {
					changes = changes || len(n.Args) > 0 && own(n.Args[0])
				}
			case *ast.SelectorExpr:
				locks = locks || fun.Sel.Name == "Lock" || fun.Sel.Name == "RLock"
			}
		}
		return !locks
	})
	return changes && !locks
}
