package unboundedqueue

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// compare notes a comparison of a length with a limit: a number above one, or
// one that somebody has set, but not the counter of a loop.
func (s *queueScan) compare(e *ast.BinaryExpr) {
	switch e.Op {
	case token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL:
	default:
		return
	}
	for _, sides := range [][2]ast.Expr{{e.X, e.Y}, {e.Y, e.X}} {
		if t := s.countOf(sides[0]); t != nil && s.limit(sides[1]) {
			s.asked[t] = true
		}
		q := s.length(sides[0])
		if q == nil || !s.limit(sides[1]) {
			continue
		}
		q.limited = true
	}
}

func (s *queueScan) limit(e ast.Expr) bool {
	e = ast.Unparen(e)
	if tv, ok := s.info.Types[e]; ok && tv.Value != nil {
		return tv.Value.ExactString() != "0" && tv.Value.ExactString() != "1" && tv.Value.ExactString() != "-1"
	}
	if s.length(e) != nil {
		return false
	}
	id, ok := e.(*ast.Ident)
	if !ok {
		return true
	}
	v, ok := s.info.ObjectOf(id).(*types.Var)
	if !ok {
		return false
	}
	if v.Parent() == s.c.pass.Pkg.Scope() {
		return true
	}
	counter := false
	ast.Inspect(s.decl, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IncDecStmt:
			if x, ok := n.X.(*ast.Ident); ok && s.info.ObjectOf(x) == v {
				counter = true
			}
		case *ast.RangeStmt:
			if x, ok := n.Key.(*ast.Ident); ok && s.info.ObjectOf(x) == v {
				counter = true
			}
		case *ast.IndexExpr:
			if x, ok := n.Index.(*ast.Ident); ok && s.info.ObjectOf(x) == v {
				counter = true // an index, not a limit
			}
		}
		return !counter
	})
	return !counter
}

// counted reports whether the function that adds compares a number of the object
// with a limit: a counter, a size in bytes.
func (s *queueScan) counted(fn *ast.FuncDecl) bool { return s.countedIn(fn, 0) }

func (s *queueScan) countedIn(fn *ast.FuncDecl, depth int) bool {
	found := false
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if branch, ok := n.(*ast.IfStmt); ok && depth == 0 {
			found = found || s.countedBy(branch.Cond)
		}
		e, ok := n.(*ast.BinaryExpr)
		if !ok {
			return !found
		}
		switch e.Op {
		case token.LSS, token.LEQ, token.GTR, token.GEQ:
		default:
			return !found
		}
		if s.number(e.X) && s.number(e.Y) {
			found = true
		}
		return !found
	})
	return found
}

// countedBy reports whether a condition asks a function of the package that
// compares: "if !q.reserve(n)".
func (s *queueScan) countedBy(cond ast.Expr) bool {
	found := false
	ast.Inspect(cond, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || found {
			return !found
		}
		var id *ast.Ident
		switch fun := ast.Unparen(call.Fun).(type) {
		case *ast.Ident:
			id = fun
		case *ast.SelectorExpr:
			id = fun.Sel
		}
		for _, fn := range s.decls {
			if id != nil && s.info.Uses[id] != nil && s.info.Defs[fn.Name] == s.info.Uses[id] {
				found = s.countedIn(fn, 1)
			}
		}
		return true
	})
	return found
}

// number reports whether an expression can be a count that is kept, or its limit.
func (s *queueScan) number(e ast.Expr) bool {
	e = ast.Unparen(e)
	if tv, ok := s.info.Types[e]; ok && tv.Value != nil {
		v := tv.Value.ExactString()
		return v != "0" && v != "1"
	}
	switch e := e.(type) {
	case *ast.SelectorExpr:
		return true
	case *ast.BinaryExpr:
		return s.number(e.X) || s.number(e.Y)
	case *ast.CallExpr:
		if sel, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr); ok {
			return sel.Sel.Name == "Load" || sel.Sel.Name == "Add" || countName(sel.Sel.Name)
		}
		if tv, ok := s.info.Types[e.Fun]; ok && tv.IsType() && len(e.Args) == 1 {
			return s.number(e.Args[0])
		}
	case *ast.Ident:
		v, ok := s.info.ObjectOf(e).(*types.Var)
		return ok && v.Parent() == s.c.pass.Pkg.Scope()
	}
	return false
}

func countName(name string) bool {
	switch name {
	case "Len", "Size", "Count", "Length", "Used":
		return true
	}
	return false
}

// admitted reports whether the function that adds waits for a token which what
// takes from the queue gives back.
func (s *queueScan) admitted(fn *ast.FuncDecl, taken []use) bool {
	field := func(e ast.Expr) types.Object {
		if sel, ok := ast.Unparen(e).(*ast.SelectorExpr); ok {
			return s.info.ObjectOf(sel.Sel)
		}
		return nil
	}
	received := make(map[types.Object]bool)
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if u, ok := n.(*ast.UnaryExpr); ok && u.Op == token.ARROW {
			if o := field(u.X); o != nil {
				received[o] = true
			}
		}
		return true
	})
	found := false
	for _, u := range taken {
		ast.Inspect(u.fn.Body, func(n ast.Node) bool {
			if send, ok := n.(*ast.SendStmt); ok && received[field(send.Chan)] {
				found = true
			}
			return !found
		})
	}
	return found
}

// stops reports whether a function is one that ends something: what is left over
// then is not how the queue is emptied.
func stops(name string) bool {
	name = strings.ToLower(name)
	for _, word := range []string{"stop", "close", "shutdown", "reset", "clear"} {
		if strings.HasPrefix(name, word) {
			return true
		}
	}
	return false
}

// first reports whether something is added where the owner of the queue is made:
// once.
func (s *queueScan) first(q *queue, g use) bool {
	return g.fn.Recv == nil && s.makes(g.fn, q) && s.info.Defs[g.fn.Name] != nil && !inLoop(g.fn, g.pos)
}

func inLoop(fn *ast.FuncDecl, pos token.Pos) bool {
	found := false
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			found = found || n.Pos() <= pos && pos < n.End()
		}
		return !found
	})
	return found
}

// trims reports whether what stands before a variable index goes, and nobody
// takes it: a log that is cut, not a queue.
func (s *queueScan) trims(q *queue, low ast.Expr) bool {
	id, ok := ast.Unparen(low).(*ast.Ident)
	if !ok || s.info.Types[low].Value != nil {
		return false
	}
	v := s.info.ObjectOf(id)
	taken := false
	ast.Inspect(s.decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SliceExpr: // the batch
			high, ok := ast.Unparen(orNone(n.High)).(*ast.Ident)
			taken = taken || ok && s.info.ObjectOf(high) == v && s.of(n.X) == q
		case *ast.RangeStmt: // or its elements, one by one, up to there
			taken = taken || s.of(n.X) == q && handedOn(n)
		}
		return !taken
	})
	return !taken
}

func orNone(e ast.Expr) ast.Expr {
	if e == nil {
		return &ast.BadExpr{}
	}
	return e
}

// handedOn reports whether the body of a loop uses the element.
func handedOn(r *ast.RangeStmt) bool {
	id, ok := r.Value.(*ast.Ident)
	return ok && id.Name != "_"
}

// spills reports whether the owner of a queue is named after a disk, to which
// what is too much goes.
func spills(fn *ast.FuncDecl) bool {
	return contains(funcName(fn), []string{"disk", "overflow", "spill"})
}

// shared reports whether several goroutines use the queue: its owner has a lock,
// a condition variable or a channel, or what adds to it takes a lock.
func (s *queueScan) shared(q *queue) bool {
	for _, list := range [][]use{q.grows, q.pops, q.drains} {
		for _, u := range list {
			if s.locks(u.fn) {
				return true
			}
		}
	}
	return false
}

// locks reports whether a function takes a lock.
func (s *queueScan) locks(fn *ast.FuncDecl) bool {
	found := false
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return !found
		}
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if ok && (sel.Sel.Name == "Lock" || sel.Sel.Name == "lock") && len(call.Args) == 0 {
			found = true
		}
		return !found
	})
	return found
}
