package unboundedqueue

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// acquireFirst moves the statement that takes the slot out of the goroutine,
// before it starts.
func (r *remedy) acquireFirst() bool {
	g := r.goStmt()
	if g == nil || !r.plain(g) {
		return false
	}
	lit, ok := ast.Unparen(g.Call.Fun).(*ast.FuncLit)
	if !ok || len(lit.Body.List) < 2 {
		return false
	}
	var send *ast.SendStmt
	for _, s := range lit.Body.List {
		if _, ok := s.(*ast.DeferStmt); ok {
			continue // runs when the slot has long been taken
		}
		send, _ = s.(*ast.SendStmt)
		break
	}
	if send == nil || !r.file.OwnLines(send) || r.file.Commented(send) || !r.outside(send.Chan, lit) || !token0(send.Value) {
		return false
	}
	if !r.receives(lit, send.Chan) {
		return false
	}
	r.edits = append(r.edits, r.file.InsertBefore(g, r.file.Text(send)), r.file.DeleteLines(send))
	r.title = "Take the slot before the goroutine starts"
	if r.inSelect() {
		r.change = "the loop waits while all slots are taken, and serves its other cases as little"
	}
	return true
}

// token0 reports whether an expression is an empty struct or a constant: a token.
func token0(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		return len(e.Elts) == 0
	case *ast.BasicLit:
		return true
	case *ast.Ident:
		return e.Name == "true" || e.Name == "false"
	}
	return false
}

// outside reports whether a variable, or a field reached through fields, is the
// same outside a literal.
func (r *remedy) outside(e ast.Expr, lit *ast.FuncLit) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		obj := r.object(e)
		return obj != nil && (obj.Pos() < lit.Pos() || obj.Pos() > lit.End())
	case *ast.SelectorExpr:
		return r.outside(e.X, lit)
	}
	return false
}

// receives reports whether a literal receives from a channel.
func (r *remedy) receives(lit *ast.FuncLit, ch ast.Expr) bool {
	want := types.ExprString(ch)
	found := false
	ast.Inspect(lit.Body, func(n ast.Node) bool {
		if u, ok := n.(*ast.UnaryExpr); ok && u.Op == token.ARROW && types.ExprString(u.X) == want {
			found = true
		}
		return !found
	})
	return found
}

// tokens puts a channel of slots around a go statement in a loop: one is taken
// before, and given back in the goroutine, deferred.
func (r *remedy) tokens() bool {
	g, outer := r.goStmt(), r.outerLoop()
	if g == nil || outer == nil || !r.plain(g) || !r.file.OwnLines(outer) || !r.free("slots") {
		return false
	}
	for _, n := range r.path {
		if n == ast.Node(outer) {
			break
		}
		if _, ok := n.(*ast.FuncLit); ok {
			return false
		}
	}
	if !r.plain(outer) {
		return false
	}
	const give = "defer func() { <-slots }()"
	var start analysis.TextEdit
	if lit, ok := ast.Unparen(g.Call.Fun).(*ast.FuncLit); ok {
		if len(lit.Body.List) == 0 {
			return false
		}
		first := lit.Body.List[0]
		if !r.file.OwnLines(first) {
			// go func() { f() }()
			text := r.file.Text(lit.Body)
			inner := strings.TrimSpace(text[1 : len(text)-1])
			if strings.Contains(inner, "\n") {
				return false
			}
			start = r.file.Replace(lit.Body, "{\n"+give+"\n"+inner+"\n}")
		} else {
			start = r.file.InsertBefore(first, give)
		}
	} else {
		if !r.stable(g.Call, outer) {
			return false
		}
		start = r.file.Replace(g.Call, "func() {\n"+give+"\n"+r.file.Text(g.Call)+"\n}()")
	}
	r.edits = append(r.edits,
		r.file.InsertBefore(outer, fmt.Sprintf("slots := make(chan struct{}, %d) %s", workers, limitComment())),
		r.file.InsertBefore(g, "slots <- struct{}{}"), start)
	r.title = fmt.Sprintf("Start no more than %d goroutines at once", workers)
	r.judge()
	return true
}

// stable reports whether the operands of a call mean the same when the goroutine
// runs as when it is started: variables of this round, and ones that are never
// assigned again.
func (r *remedy) stable(call *ast.CallExpr, outer ast.Stmt) bool {
	info := r.c.pass.TypesInfo
	round := r.innerBody()
	ok := true
	ast.Inspect(call, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			if n == call {
				return ok
			}
			if tv, isType := info.Types[n.Fun]; !isType || !tv.IsType() {
				ok = false // would be called later, and elsewhere
			}
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				ok = false
			}
		case *ast.StarExpr:
			ok = false
		case *ast.IndexExpr:
			ok = false
		case *ast.SelectorExpr:
			if v, isVar := info.ObjectOf(n.Sel).(*types.Var); isVar && v.IsField() && n != ast.Unparen(call.Fun) {
				ok = ok && r.fieldKept(n)
			}
		case *ast.Ident:
			v, isVar := info.ObjectOf(n).(*types.Var)
			if !isVar || v.IsField() {
				break
			}
			if v.Parent() == r.c.pass.Pkg.Scope() {
				ok = false
				break
			}
			switch assigned := r.assignedAfter(v, call.Pos()); {
			case round != nil && round.Pos() <= v.Pos() && v.Pos() < round.End():
				ok = ok && !assigned
			case r.loopVar(v):
				ok = ok && !assigned
			default:
				ok = ok && !r.assignedIn(v, outer)
			}
		}
		return ok
	})
	return ok
}

// fieldKept reports whether a field belongs to a variable of this round, so that
// nobody else changes it.
func (r *remedy) fieldKept(sel *ast.SelectorExpr) bool {
	id, ok := ast.Unparen(sel.X).(*ast.Ident)
	if !ok {
		return false
	}
	v, ok := r.c.pass.TypesInfo.ObjectOf(id).(*types.Var)
	round := r.innerBody()
	return ok && (round != nil && round.Pos() <= v.Pos() && v.Pos() < round.End() || r.loopVar(v))
}

// innerBody is the body of the innermost loop around the site.
func (r *remedy) innerBody() *ast.BlockStmt {
	for _, n := range r.path {
		switch n := n.(type) {
		case *ast.ForStmt:
			return n.Body
		case *ast.RangeStmt:
			return n.Body
		}
	}
	return nil
}

// loopVar reports whether v is a variable of a loop around the site, of which
// each round has its own.
func (r *remedy) loopVar(v *types.Var) bool {
	if versionBefore122(r.c.pass.TypesInfo.FileVersions[r.file.Syntax]) {
		return false
	}
	for _, n := range r.path {
		switch n := n.(type) {
		case *ast.RangeStmt:
			if n.Tok == token.DEFINE && n.Pos() <= v.Pos() && v.Pos() < n.Body.Pos() {
				return true
			}
		}
	}
	return false
}

func versionBefore122(v string) bool {
	var major, minor int
	if _, err := fmt.Sscanf(v, "go%d.%d", &major, &minor); err != nil {
		return false
	}
	return major == 1 && minor < 22
}

func (r *remedy) assignedAfter(v *types.Var, pos token.Pos) bool {
	return r.assigned(r.path[len(r.path)-1], v, pos)
}

func (r *remedy) assignedIn(v *types.Var, n ast.Node) bool { return r.assigned(n, v, token.NoPos) }

// assigned reports whether a variable is assigned to in a node after a position,
// or its address taken.
func (r *remedy) assigned(in ast.Node, v *types.Var, after token.Pos) bool {
	found := false
	is := func(e ast.Expr) bool { return r.object(e) == types.Object(v) }
	ast.Inspect(in, func(n ast.Node) bool {
		if n == nil || found {
			return false
		}
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				found = found || is(l) && n.Pos() > after && r.c.pass.TypesInfo.Defs[ident(l)] != types.Object(v)
			}
		case *ast.IncDecStmt:
			found = found || is(n.X) && n.Pos() > after
		case *ast.RangeStmt:
			if n.Tok == token.ASSIGN {
				found = found || n.Key != nil && is(n.Key) || n.Value != nil && is(n.Value)
			}
		case *ast.UnaryExpr:
			found = found || n.Op == token.AND && is(n.X)
		}
		return !found
	})
	return found
}

func ident(e ast.Expr) *ast.Ident {
	id, _ := ast.Unparen(e).(*ast.Ident)
	return id
}
