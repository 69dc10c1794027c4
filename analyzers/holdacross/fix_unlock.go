package holdacross

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/concvet/concvet/internal/effect"
)

// unlocks says which method undoes which.
var unlocks = map[string]string{
	"(*sync.Mutex).Lock":    "(*sync.Mutex).Unlock",
	"(*sync.RWMutex).Lock":  "(*sync.RWMutex).Unlock",
	"(*sync.RWMutex).RLock": "(*sync.RWMutex).RUnlock",
}

// lockSpan finds the statements that lock and unlock around the site.
func (r *remedy) lockSpan() (s span, lock ast.Expr, ok bool) {
	if r.at.decl == nil || labelled(r.at.body) {
		return s, nil, false
	}
	s, ok = r.at.list(func(list []ast.Stmt, block int) int {
		for i, stmt := range list[:block] {
			if e, isExpr := stmt.(*ast.ExprStmt); isExpr {
				if call, isCall := e.X.(*ast.CallExpr); isCall && call.Lparen == r.v.thing.Pos {
					return i
				}
			}
		}
		return -1
	})
	if !ok {
		return s, nil, false
	}
	take := called(s.list[s.take])
	name := r.callee(take)
	sel, isSel := take.Fun.(*ast.SelectorExpr)
	if unlocks[name] == "" || !isSel || !pure(sel.X) || r.odd() {
		return s, nil, false
	}
	lock = sel.X
	isUnlock := func(stmt ast.Stmt) bool {
		call := called(stmt)
		if call == nil || r.callee(call) != unlocks[name] {
			return false
		}
		un, ok := call.Fun.(*ast.SelectorExpr)
		return ok && r.same(un.X, lock)
	}
	if d, isDefer := s.list[s.take+1].(*ast.DeferStmt); isDefer {
		s.defers, s.release = true, s.take+1
		return s, lock, s.release < s.block && isUnlock(d)
	}
	for i := s.block + 1; i < len(s.list); i++ {
		if _, isExpr := s.list[i].(*ast.ExprStmt); isExpr && isUnlock(s.list[i]) {
			s.release = i
			return s, lock, true
		}
	}
	return s, nil, false
}

// callee is the full name of the function or method that a call calls.
func (r *remedy) callee(call *ast.CallExpr) string {
	if fn, ok := typeutil.Callee(r.c.pass.TypesInfo, call).(*types.Func); ok {
		return fn.FullName()
	}
	return ""
}

// odd reports whether the function does with locks what makes their order hard
// to see: condition variables, attempts.
func (r *remedy) odd() bool {
	found := false
	ast.Inspect(r.at.body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if fn := typeutil.StaticCallee(r.c.pass.TypesInfo, call); fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == "sync" {
				recv := fn.Signature().Recv()
				cond := recv != nil && types.TypeString(recv.Type(), nil) == "*sync.Cond"
				found = found || cond || fn.Name() == "TryLock" || fn.Name() == "TryRLock"
			}
		}
		return !found
	})
	return found
}

// unlockFirst moves the unlock before the statement that blocks, or puts one
// there in place of a deferred unlock. Nothing from there on may need the lock.
func (r *remedy) unlockFirst() bool {
	s, lock, ok := r.lockSpan()
	if !ok {
		return false
	}
	before, after := s.list[s.take+1:s.block], s.list[s.block:]
	end := r.at.body.End()
	if s.defers {
		before = s.list[s.take+2 : s.block]
		if !r.plainDefer(s, before, after) {
			return false
		}
	} else {
		after = s.list[s.block:s.release]
		end = s.list[s.release].End()
		if jumps(after) {
			return false // the release is conditional
		}
	}
	for _, stmt := range before {
		if d, ok := stmt.(*ast.DeferStmt); ok && r.mentions(d, lock) {
			return false
		}
	}
	if len(before) == 0 || r.returnsSeveral(s.list[s.block]) {
		return false
	}
	for _, stmt := range after {
		if r.mentions(stmt, lock) {
			return false
		}
	}
	if r.rebinds(before, lock) || r.rebinds(after, lock) {
		return false
	}
	from, to := s.list[s.take].Pos(), s.list[s.block].Pos()
	if r.explained(end) || r.others(from, to, r.reported) {
		return false
	}
	g := newGuard(r.c, r.at.decl)
	if len(g.touches(nodes(after)...)) > 0 || !g.guarded(before) {
		return false // it is needed after, or guards nothing but the call
	}
	r.title = "unlock " + types.ExprString(lock) + " before the " + r.operation()
	r.change = r.unlockChange(g, before, s.list[s.block], lock, to, end, s.defers)
	release := s.list[s.release]
	text := r.file.Text(release)
	last := before[len(before)-1]
	if s.defers {
		text = r.file.Text(release.(*ast.DeferStmt).Call)
	}
	if !r.file.Alone(release) || r.file.Commented(release) || !r.file.OwnLines(last) || !r.file.OwnLines(s.list[s.block]) {
		return false
	}
	r.edits = append(r.edits, r.file.DeleteLines(release), r.file.InsertAfter(last, text))
	return true
}

// rebinds reports whether statements assign to, or declare, what lock goes
// through: it then names another lock.
func (r *remedy) rebinds(stmts []ast.Stmt, lock ast.Expr) bool {
	names := r.variables(lock)
	found := false
	for _, s := range stmts {
		ast.Inspect(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for _, l := range n.Lhs {
					id, ok := ast.Unparen(l).(*ast.Ident)
					found = found || ok && names[id.Name] || !ok && pure(l) && r.mentions(lock, l)
				}
			case *ast.ValueSpec:
				for _, id := range n.Names {
					found = found || names[id.Name]
				}
			}
			return !found
		})
	}
	return found
}

// plainDefer reports whether a deferred unlock can become a statement: the
// function runs straight from the lock to the call, and no other deferred call
// would run at another time than before, with or without the lock.
func (r *remedy) plainDefer(s span, before, after []ast.Stmt) bool {
	if &s.list[0] != &r.at.body.List[0] || jumps(before) {
		return false
	}
	for _, stmts := range [][]ast.Stmt{before, after} {
		for _, stmt := range stmts {
			found := false
			ast.Inspect(stmt, func(n ast.Node) bool {
				switch n.(type) {
				case *ast.DeferStmt, *ast.FuncLit, *ast.LabeledStmt:
					found = true
				}
				return !found
			})
			if found {
				return false
			}
		}
	}
	return true
}

// returnsSeveral reports whether a statement returns more than one value: what
// is evaluated after what is then not for the eye to see.
func (r *remedy) returnsSeveral(stmt ast.Stmt) bool {
	ret, ok := stmt.(*ast.ReturnStmt)
	if !ok {
		return false
	}
	if len(ret.Results) != 1 {
		return true
	}
	_, tuple := r.c.pass.TypesInfo.TypeOf(ret.Results[0]).(*types.Tuple)
	return tuple
}

// unlockChange says what a reader has to judge before the lock is released
// earlier: the lock has put in order what two goroutines do.
func (r *remedy) unlockChange(g *guard, before []ast.Stmt, block ast.Stmt, lock ast.Expr, from, to token.Pos, deferred bool) string {
	name, op := types.ExprString(lock), r.operation()
	if deferred {
		if what := g.panics(before); what != "" {
			return "a panic of " + what + " leaves " + name + " locked"
		}
	}
	if r.others(from, to, r.ordered) {
		return "the " + op + " and what follows are no longer done by one goroutine at a time"
	}
	switch r.v.effect.Kind {
	case effect.Sleep:
		return ""
	case effect.GroupWait:
		return "another goroutine may be added during the wait"
	case effect.ChanSend, effect.ChanRecv, effect.Select:
		if g.signals(block) {
			return ""
		}
	}
	if g.writes(nodes(before)...) {
		return "the " + op + " may come in another order than the changes made under " + name
	}
	if g.depends(before, block) {
		return "what was read under " + name + " may have changed by the time of the " + op
	}
	return ""
}

func nodes(stmts []ast.Stmt) []ast.Node {
	out := make([]ast.Node, len(stmts))
	for i, s := range stmts {
		out[i] = s
	}
	return out
}
