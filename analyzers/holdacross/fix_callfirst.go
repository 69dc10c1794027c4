package holdacross

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/concvet/concvet/internal/effect"
)

// callFirst moves the statement that blocks above the lock, if it is the first
// under it and needs nothing that the lock guards.
func (r *remedy) callFirst() bool {
	s, lock, ok := r.lockSpan()
	if !ok {
		return false
	}
	first := s.take + 1
	if s.defers {
		first++
	}
	if s.block != first {
		return false
	}
	last, end := len(s.list), r.at.body.End()
	if !s.defers {
		last, end = s.release, s.list[s.release].End()
	} else if len(r.at.body.List) > 0 {
		end = s.list[len(s.list)-1].End()
	}
	moved := []ast.Stmt{s.list[s.block]}
	if !r.movable(moved[0], lock, s.defers) {
		return false
	}
	if next := s.block + 1; next < last && r.checksError(s.list[next], moved[0], lock) {
		moved = append(moved, s.list[next])
	}
	after := s.list[s.block+len(moved) : last]
	if r.explained(end) || r.others(s.list[s.take].Pos(), end, r.reported) {
		return false
	}
	g := newGuard(r.c, r.at.decl)
	if len(g.touches(nodes(moved)...)) > 0 || !g.guarded(after) {
		return false
	}
	for _, stmt := range append(moved, s.list[s.take:first]...) {
		if !r.file.OwnLines(stmt) {
			return false
		}
	}
	r.title = r.operation() + " before " + types.ExprString(called(s.list[s.take]).Fun)
	if r.v.effect.Kind != effect.Sleep && g.writes(nodes(after)...) {
		r.change = "two goroutines may change what " + types.ExprString(lock) + " guards in another order than that of the " + r.operation() + "s"
	}
	r.edits = r.file.MoveBefore(s.list[s.take], moved...)
	return true
}

// movable reports whether a statement means the same before the lock: it is a
// call or an assignment to local variables, none of which leads to the lock.
func (r *remedy) movable(stmt ast.Stmt, lock ast.Expr, defers bool) bool {
	switch stmt := stmt.(type) {
	case *ast.ExprStmt, *ast.SendStmt:
	case *ast.AssignStmt:
		names := r.variables(lock)
		for _, l := range stmt.Lhs {
			id, ok := l.(*ast.Ident)
			if !ok || names[id.Name] {
				return false
			}
		}
	case *ast.IfStmt:
		// if err := call(); err != nil { return err }
		if !defers || stmt.Else != nil || len(stmt.Body.List) != 1 {
			return false
		}
		if _, ok := stmt.Body.List[0].(*ast.ReturnStmt); !ok {
			return false
		}
	default:
		return false
	}
	return !r.mentions(stmt, lock)
}

// checksError reports whether a statement returns if the error that call gave
// is not nil, and needs the lock no more than the call.
func (r *remedy) checksError(stmt, call ast.Stmt, lock ast.Expr) bool {
	check, ok := stmt.(*ast.IfStmt)
	assign, isAssign := call.(*ast.AssignStmt)
	if !ok || !isAssign || check.Init != nil || check.Else != nil || len(check.Body.List) != 1 || r.mentions(check, lock) {
		return false
	}
	cmp, ok := check.Cond.(*ast.BinaryExpr)
	if !ok || cmp.Op != token.NEQ {
		return false
	}
	id, ok := cmp.X.(*ast.Ident)
	if !ok || !r.file.OwnLines(check) {
		return false
	}
	obj := r.c.pass.TypesInfo.ObjectOf(id)
	given := false
	for _, l := range assign.Lhs {
		if l, ok := l.(*ast.Ident); ok && r.c.pass.TypesInfo.ObjectOf(l) == obj {
			given = true
		}
	}
	ret, ok := check.Body.List[0].(*ast.ReturnStmt)
	return given && ok && len(newGuard(r.c, r.at.decl).touches(ret)) == 0
}
