package unboundedqueue

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// heapCall notes what container/heap adds to a queue and takes from it. It is
// false for any other call.
func (s *queueScan) heapCall(sel *ast.SelectorExpr, call *ast.CallExpr) bool {
	fn, ok := s.info.Uses[sel.Sel].(*types.Func)
	if !ok || fn.Pkg() == nil || fn.Pkg().Path() != "container/heap" || len(call.Args) == 0 {
		return false
	}
	arg := ast.Unparen(call.Args[0])
	if u, ok := arg.(*ast.UnaryExpr); ok && u.Op == token.AND {
		arg = u.X
	}
	q := s.of(arg)
	if q == nil || q.list {
		return true
	}
	u := use{s.decl, call.Pos(), call}
	switch fn.Name() {
	case "Push":
		q.heap = true
		if !s.waiter(call.Args[1:], false) {
			q.grows = append(q.grows, u)
		}
		q.keyed = q.keyed || s.deduplicates()
	case "Pop":
		q.heap = true
		q.pops = append(q.pops, u)
	case "Remove":
		q.heap, q.keyed = true, true // one of them: each has its owner
	}
	return true
}

// worked reports whether what is taken goes to somebody who may keep the taker
// waiting: in the function that takes it, or in one that calls it.
func (s *queueScan) worked(taken []use) bool {
	takers := make(map[types.Object]bool)
	for _, u := range taken {
		if s.waits(u.fn.Body) {
			return true
		}
		takers[s.info.Defs[u.fn.Name]] = true
	}
	return slices.ContainsFunc(s.decls, func(fn *ast.FuncDecl) bool {
		calls := false
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && takers[s.info.Uses[id]] {
				calls = true
			}
			return !calls
		})
		return calls && s.waits(fn.Body)
	})
}
