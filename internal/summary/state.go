package summary

import (
	"go/ast"
	"go/token"
	"go/types"
)

// ChangesState reports whether a method of the package sets fields of its
// receiver or elements of them, and takes no lock for it: it is meant to be
// called by one goroutine. What only counts does not count. It is read from the
// syntax, since most such methods wait for nothing and have no SSA. For the
// method of an event the state is in what its parameters point to.
func (r *Result) ChangesState(fn *types.Func, ofEvent bool) bool {
	decl := r.in.scan.decls[fn.Origin()]
	if decl == nil || decl.Body == nil || decl.Recv == nil {
		return false
	}
	info := r.in.pass.TypesInfo
	owners := make(map[types.Object]bool)
	list := decl.Recv.List
	if ofEvent {
		list = decl.Type.Params.List
	}
	for _, field := range list {
		for _, name := range field.Names {
			if obj := info.Defs[name]; obj != nil {
				_, pointer := types.Unalias(obj.Type()).Underlying().(*types.Pointer)
				owners[obj] = pointer || !ofEvent
			}
		}
	}
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
				return depth > 0 && owners[info.Uses[x]]
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
