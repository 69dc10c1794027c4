package unboundedqueue

import (
	"go/ast"
	"go/types"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/report"
	"github.com/concvet/concvet/internal/summary"
)

// A queueType is a type of this package or another one of the module, with
// methods that add and take, which leaves locks and limits to whoever has it in
// a field.
type queueType struct {
	name string
	list bool
	at   effect.Frame // where it adds
}

// typed looks for calls of such methods, and of methods that tell the length.
func (s *queueScan) typed(sel *ast.SelectorExpr, call *ast.CallExpr) {
	fn, ok := s.info.Uses[sel.Sel].(*types.Func)
	if !ok || fn.Pkg() == nil || fn.Signature().Recv() == nil {
		return
	}
	v := s.holder(sel.X)
	if v == nil {
		return
	}
	op, list, at := s.c.res.QueueOp(fn)
	if op == summary.NoQueueOp {
		return
	}
	q := s.heldOf(v)
	u := use{s.decl, call.Pos(), call}
	if op == summary.Takes {
		q.pops = append(q.pops, u)
		return
	}
	q.typ.list, q.typ.at = list, at
	if !s.waiter(call.Args, false) {
		q.grows = append(q.grows, u)
	}
	q.keyed = q.keyed || s.deduplicates()
}

// holder is the field or package variable of this package that an expression
// names, nil if it is none.
func (s *queueScan) holder(e ast.Expr) *types.Var {
	var id *ast.Ident
	switch e := ast.Unparen(e).(type) {
	case *ast.SelectorExpr:
		id = e.Sel
	case *ast.Ident:
		id = e
	default:
		return nil
	}
	v, ok := s.info.ObjectOf(id).(*types.Var)
	if !ok || v.Pkg() != s.c.pass.Pkg || !v.IsField() && v.Parent() != s.c.pass.Pkg.Scope() {
		return nil
	}
	return v.Origin()
}

// typedLength is the queue whose length a call of a method tells.
func (s *queueScan) typedLength(sel *ast.SelectorExpr) *queue {
	if !countName(sel.Sel.Name) {
		return nil
	}
	if v := s.holder(sel.X); v != nil {
		return s.heldOf(v)
	}
	return nil
}

func (s *queueScan) heldOf(v *types.Var) *queue {
	q := s.held[v]
	if q == nil {
		q = &queue{v: v, typ: &queueType{name: typeName(v.Type())}}
		s.held[v] = q
		s.order = append(s.order, q)
	}
	return q
}

func typeName(t types.Type) string {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return "queue"
	}
	return named.Obj().Pkg().Name() + "." + named.Obj().Name()
}

// frame says where the type adds.
func (t *queueType) frame() report.Frame { return report.Frame{Pos: t.at.Pos, Text: t.at.Call} }
