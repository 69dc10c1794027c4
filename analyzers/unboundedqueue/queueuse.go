package unboundedqueue

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/concvet/concvet/internal/effect"
)

// inMap returns the queues that a map has, one for each key, nil if they can be
// none.
func (s *queueScan) inMap(e ast.Expr) *queue {
	v := s.holder(e)
	if v == nil {
		return nil
	}
	m, ok := types.Unalias(v.Type()).Underlying().(*types.Map)
	if !ok {
		return nil
	}
	if _, ok := types.Unalias(m.Elem()).Underlying().(*types.Slice); !ok {
		return nil
	}
	q := s.byVar[v]
	if q == nil {
		q = &queue{v: v, each: true}
		s.byVar[v] = q
		s.order = append(s.order, q)
	}
	return q
}

// putsBack reports whether an append puts back what the function has taken out
// of the queue before: q = append(batch, q...), q = append(q, batch...).
func (s *queueScan) putsBack(q *queue, call *ast.CallExpr) bool {
	found := false
	for i, a := range call.Args {
		if i > 0 && !call.Ellipsis.IsValid() {
			break // elements
		}
		if s.taken(q, a) {
			found = true
		} else if s.of(a) != q {
			return false
		}
	}
	return found
}

// taken reports whether an expression is a local variable that was given all
// that the queue had, or the result of a function that takes it.
func (s *queueScan) taken(q *queue, e ast.Expr) bool {
	if sl, ok := ast.Unparen(e).(*ast.SliceExpr); ok {
		e = sl.X
	}
	value := s.defined(e)
	return value != nil && s.of(value) == q
}

// freeList reports whether the slice keeps what is not in use at the moment: it
// is filled when its owner is made, or what takes from it makes a new one where
// there is none. What is added was taken before.
func (s *queueScan) freeList(q *queue) bool {
	name := strings.ToLower(q.v.Name())
	if slices.ContainsFunc([]string{"free", "idle", "spare", "recycl", "avail"}, func(w string) bool { return strings.Contains(name, w) }) {
		return true
	}
	for _, g := range q.grows {
		if g.fn.Recv == nil && counts(g.fn, g.pos) && s.makes(g.fn, q) {
			return true
		}
	}
	return slices.ContainsFunc(q.pops, func(u use) bool { return s.replaces(u.fn, q) })
}

// counts reports whether a position is in a loop with a counter.
func counts(fn *ast.FuncDecl, pos token.Pos) bool {
	found := false
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt:
			found = found || n.Post != nil && n.Pos() <= pos && pos < n.End()
		case *ast.RangeStmt:
			found = found || n.Value == nil && n.Pos() <= pos && pos < n.End()
		}
		return !found
	})
	return found
}

// makes reports whether a function makes the struct that the queue is a field
// of.
func (s *queueScan) makes(fn *ast.FuncDecl, q *queue) bool {
	found := false
	has := func(t types.Type) bool {
		if t == nil {
			return false
		}
		st, ok := types.Unalias(t).Underlying().(*types.Struct)
		if !ok {
			return false
		}
		for f := range st.Fields() {
			if f.Origin() == q.v {
				return true
			}
		}
		return false
	}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CompositeLit:
			found = found || has(s.info.TypeOf(n))
		case *ast.CallExpr:
			if id, ok := n.Fun.(*ast.Ident); ok && id.Name == "new" && len(n.Args) == 1 {
				found = found || has(s.info.TypeOf(n.Args[0]))
			}
		case *ast.ValueSpec:
			found = found || n.Type != nil && has(s.info.TypeOf(n.Type))
		}
		return !found
	})
	return found
}

// replaces reports whether a function returns something that it makes where
// nothing is in the queue.
func (s *queueScan) replaces(fn *ast.FuncDecl, q *queue) bool {
	found := false
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		branch, ok := n.(*ast.IfStmt)
		if !ok || found {
			return !found
		}
		cond, ok := ast.Unparen(branch.Cond).(*ast.BinaryExpr)
		if !ok || cond.Op != token.EQL || s.length(cond.X) != q {
			return true
		}
		for _, stmt := range branch.Body.List {
			ret, ok := stmt.(*ast.ReturnStmt)
			if !ok || len(ret.Results) == 0 {
				continue
			}
			found = fresh(ret.Results[0])
		}
		return !found
	})
	return found
}

// fresh reports whether an expression makes something.
func fresh(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		_, lit := ast.Unparen(e.X).(*ast.CompositeLit)
		return e.Op == token.AND && lit
	case *ast.CallExpr:
		name := ""
		switch fun := ast.Unparen(e.Fun).(type) {
		case *ast.Ident:
			name = fun.Name
		case *ast.SelectorExpr:
			name = fun.Sel.Name
		}
		name = strings.ToLower(name)
		return slices.ContainsFunc([]string{"new", "make", "alloc", "create", "dial", "open"}, func(w string) bool { return strings.HasPrefix(name, w) })
	}
	return false
}

// slowly reports whether what takes all of the queue hands its elements one by
// one to somebody who may keep it waiting: a connection, a database, a writer.
func (s *queueScan) slowly(q *queue) bool {
	takers := make(map[*types.Func]bool)
	for _, u := range q.drains {
		if fn, ok := s.info.Defs[u.fn.Name].(*types.Func); ok {
			takers[fn] = true
		}
	}
	for _, r := range s.ranges {
		s.decl = r.fn
		if s.takes(q, r.stmt.X, takers) && s.waits(r.stmt.Body) {
			return true
		}
	}
	return false
}

// takes reports whether an expression is all that the queue had: the local
// variable it was put into, or the result of a function that takes it.
func (s *queueScan) takes(q *queue, e ast.Expr, takers map[*types.Func]bool) bool {
	e = ast.Unparen(e)
	if s.taken(q, e) {
		return true
	}
	if id, ok := e.(*ast.Ident); ok {
		v, ok := s.info.ObjectOf(id).(*types.Var)
		if !ok {
			return false
		}
		if e = s.assigned(v); e == nil {
			return false
		}
	}
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return false
	}
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		fn, ok := s.info.Uses[fun].(*types.Func)
		return ok && takers[fn.Origin()]
	case *ast.SelectorExpr:
		fn, ok := s.info.Uses[fun.Sel].(*types.Func)
		return ok && takers[fn.Origin()]
	}
	return false
}

// waits reports whether something in a loop's body waits for somebody outside,
// or writes to an unknown writer.
func (s *queueScan) waits(body *ast.BlockStmt) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || found {
			return !found
		}
		if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
			if fn, ok := s.info.Uses[sel.Sel].(*types.Func); ok && fn.Name() == "Write" && len(call.Args) == 1 {
				recv := fn.Signature().Recv()
				found = recv != nil && types.IsInterface(recv.Type())
			}
		}
		return !found
	})
	if found {
		return true
	}
	for _, fn := range s.c.res.Funcs() {
		if fn.Pos() > body.End() || !fn.Pos().IsValid() || fn.Syntax() == nil || fn.Syntax().End() < body.Pos() {
			continue
		}
		for _, site := range s.c.res.Sites(fn) {
			if site.Pos < body.Pos() || site.Pos > body.End() {
				continue
			}
			for _, e := range site.Effects {
				if effect.WorkOf(e.Kind)&(1<<effect.Net|1<<effect.DB|1<<effect.Exec) != 0 {
					return true
				}
			}
		}
	}
	return false
}
