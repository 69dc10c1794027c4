package unboundedqueue

import (
	"go/ast"
	"go/token"
	"go/types"
)

// answers reports whether the goroutines send what they have on a channel that
// this function reads only later: a loop that waits for a slot would wait for
// goroutines that wait for it. A channel with room for all of them is none.
func (r *remedy) answers() bool {
	info := r.c.pass.TypesInfo
	var started ast.Node = r.goStmt()
	if r.goStmt() == nil {
		call, _ := r.groupCall()
		if call == nil {
			return false
		}
		started = call
	}
	fn := r.path[len(r.path)-1]
	used := make(map[types.Object]bool)
	ast.Inspect(started, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		v, ok := info.Uses[id].(*types.Var)
		if !ok || v.IsField() || v.Pos() < fn.Pos() || v.Pos() >= fn.End() || started.Pos() <= v.Pos() && v.Pos() < started.End() {
			return true
		}
		if _, ok := types.Unalias(v.Type()).Underlying().(*types.Chan); ok {
			used[v] = true
		}
		return true
	})
	if len(used) == 0 {
		return false
	}
	read, roomy := make(map[types.Object]bool), make(map[types.Object]bool)
	object := func(e ast.Expr) types.Object {
		if id, ok := ast.Unparen(e).(*ast.Ident); ok {
			return info.ObjectOf(id)
		}
		return nil
	}
	ast.Inspect(fn, func(n ast.Node) bool {
		if n == started {
			return false
		}
		switch n := n.(type) {
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				read[object(n.X)] = true
			}
		case *ast.RangeStmt:
			read[object(n.X)] = true
		case *ast.AssignStmt:
			for i, l := range n.Lhs {
				if i >= len(n.Rhs) {
					break
				}
				call, ok := ast.Unparen(n.Rhs[i]).(*ast.CallExpr)
				if !ok || len(call.Args) < 2 {
					continue
				}
				if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok && id.Name == "make" && info.Types[call.Args[1]].Value == nil {
					roomy[object(l)] = true
				}
			}
		}
		return true
	})
	for v := range used {
		if read[v] && !roomy[v] {
			return true
		}
	}
	return false
}
