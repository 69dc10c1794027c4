package unboundedqueue

import (
	"go/ast"
	"go/types"
)

// backlog reports whether a map of slices keeps what is meant for somebody until
// he comes: nobody looks at the entry of a key but who takes all of it, removes
// the key, and hands it on. A map that is read elsewhere is an index.
func (s *queueScan) backlog(q *queue) bool {
	removes := make(map[*ast.FuncDecl]bool)
	for _, u := range q.drains {
		removes[u.fn] = true
	}
	if m, ok := types.Unalias(q.v.Type()).Underlying().(*types.Map); !ok || len(removes) == 0 || !message(m.Elem()) {
		return false
	}
	handed := false
	for _, fn := range s.decls {
		s.decl = fn
		reads, returned := false, false
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				// m[k] = append(m[k], x) adds
				if len(n.Lhs) == 1 && len(n.Rhs) == 1 && s.entry(n.Lhs[0]) == q {
					return false
				}
			case *ast.ReturnStmt:
				for _, r := range n.Results {
					returned = returned || s.entry(r) == q || s.takenOut(q, r)
				}
			case *ast.RangeStmt:
				reads = reads || s.inMapNamed(n.X, q)
			case *ast.IndexExpr:
				reads = reads || s.entry(n) == q
			}
			return true
		})
		if reads && !removes[fn] {
			return false
		}
		handed = handed || returned && removes[fn]
	}
	return handed || s.slowly(q)
}

// entry is the queue of which an expression is the entry for a key.
func (s *queueScan) entry(e ast.Expr) *queue {
	ix, ok := ast.Unparen(e).(*ast.IndexExpr)
	if !ok {
		return nil
	}
	return s.inMap(ix.X)
}

// takenOut reports whether an expression is a variable with the entry of a key.
func (s *queueScan) takenOut(q *queue, e ast.Expr) bool {
	value := s.defined(e)
	return value != nil && s.entry(value) == q
}

// inMapNamed reports whether an expression names the map itself.
func (s *queueScan) inMapNamed(e ast.Expr, q *queue) bool {
	switch ast.Unparen(e).(type) {
	case *ast.SelectorExpr, *ast.Ident:
		return s.inMap(e) == q
	}
	return false
}

// message reports whether the elements of a slice may be messages: no functions,
// and nothing that a system has a number of, such as clients.
func message(t types.Type) bool {
	list, ok := types.Unalias(t).Underlying().(*types.Slice)
	if !ok {
		return false
	}
	if _, ok := types.Unalias(list.Elem()).Underlying().(*types.Signature); ok {
		return false
	}
	name := elemName(list.Elem())
	return !memberName(name) && !contains(name, []string{"listener", "subscri", "observer", "session", "conn", "timer"})
}

// isLookup reports whether a statement is "x, ok := m[k]".
func isLookup(a *ast.AssignStmt) bool {
	if len(a.Rhs) != 1 {
		return false
	}
	_, ok := ast.Unparen(a.Rhs[0]).(*ast.IndexExpr)
	return ok
}
