package fix

import (
	"go/ast"
	"go/token"
	"go/types"
	"go/version"
)

// Later judges whether a statement of a loop does the same if another goroutine
// carries it out while the loop goes on. What the calls in it share with the
// loop it does not know.
type Later struct {
	Info    *types.Info
	Version string   // of the file, such as "go1.25"
	Func    ast.Node // the function or literal around the loop
	Loop    ast.Node // the outermost loop around the statement
	Round   ast.Node // the body of the innermost one
}

// Can reports whether the statement neither leaves the code around it nor changes
// anything there, and whether all it names is the same later.
func (l *Later) Can(stmt ast.Stmt) bool {
	w := &mover{Later: l, stmt: stmt}
	w.walk(stmt, false)
	return !w.failed
}

// Same reports whether an expression is a variable, or a field of one, that the
// function does not set while the loop runs.
func (l *Later) Same(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, ok := l.Info.Uses[e].(*types.Var)
		return ok && (v.Pos() < l.Loop.Pos() || v.Pos() > l.Loop.End()) && !l.set(l.Loop, v, token.NoPos)
	case *ast.SelectorExpr:
		if v, ok := l.Info.Uses[e.Sel].(*types.Var); !ok || l.set(l.Func, v, token.NoPos) {
			return false
		}
		if id, ok := ast.Unparen(e.X).(*ast.Ident); ok {
			if _, isPkg := l.Info.Uses[id].(*types.PkgName); isPkg {
				return true
			}
		}
		return l.Same(e.X)
	}
	return false
}

// set reports whether a variable or a field is set, or its address taken, in n
// after a position.
func (l *Later) set(n ast.Node, v *types.Var, after token.Pos) bool {
	found := false
	is := func(e ast.Expr) {
		for e != nil && !found {
			switch x := ast.Unparen(e).(type) {
			case *ast.Ident:
				found = l.Info.Uses[x] == types.Object(v)
				return
			case *ast.SelectorExpr:
				if l.Info.Uses[x.Sel] == types.Object(v) {
					found = true
				}
				if v.IsField() {
					return // x.v.other = … changes another field
				}
				if _, pointer := l.Info.TypeOf(x.X).Underlying().(*types.Pointer); pointer {
					return // what v points to
				}
				e = x.X
			case *ast.IndexExpr:
				e = x.X
			default:
				return
			}
		}
	}
	ast.Inspect(n, func(n ast.Node) bool {
		if n == nil || found {
			return false
		}
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Pos() > after {
				for _, lhs := range n.Lhs {
					is(lhs)
				}
			}
		case *ast.IncDecStmt:
			if n.Pos() > after {
				is(n.X)
			}
		case *ast.RangeStmt:
			if n.Tok == token.ASSIGN {
				is(n.Key)
				is(n.Value)
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				is(n.X)
			}
		}
		return !found
	})
	return found
}

// A mover walks through a statement that is to be carried out later.
type mover struct {
	*Later
	stmt   ast.Stmt
	failed bool
}

// walk looks at n; jumps says that a break or continue stays inside.
func (w *mover) walk(n ast.Node, jumps bool) {
	ast.Inspect(n, func(c ast.Node) bool {
		if c == nil || w.failed {
			return false
		}
		if c == n {
			return true
		}
		switch c := c.(type) {
		case *ast.FuncLit:
			w.names(c)
			return false
		case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
			w.walk(c, true)
			return false
		case *ast.BranchStmt:
			w.failed = c.Label != nil || !jumps || c.Tok == token.GOTO
		case *ast.ReturnStmt, *ast.DeferStmt, *ast.LabeledStmt, *ast.SendStmt:
			w.failed = true
		case *ast.AssignStmt:
			for _, lhs := range c.Lhs {
				w.inside(lhs)
			}
		case *ast.IncDecStmt:
			w.inside(c.X)
		case *ast.CallExpr:
			if id, ok := ast.Unparen(c.Fun).(*ast.Ident); ok {
				if b, ok := w.Info.Uses[id].(*types.Builtin); ok && (b.Name() == "delete" || b.Name() == "clear" || b.Name() == "copy" || b.Name() == "close") {
					w.failed = true
				}
			}
		default:
			w.name(c)
		}
		return !w.failed
	})
	if r, ok := n.(*ast.RangeStmt); ok && r.Tok == token.ASSIGN {
		w.failed = true
	}
}

// names looks at what a literal uses.
func (w *mover) names(lit *ast.FuncLit) {
	ast.Inspect(lit, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, lhs := range n.Lhs {
				w.inside(lhs)
			}
		case *ast.IncDecStmt:
			w.inside(n.X)
		default:
			w.name(n)
		}
		return !w.failed
	})
}

// inside fails for what is set but does not belong to the statement.
func (w *mover) inside(e ast.Expr) {
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		if x.Name != "_" && !w.own(w.Info.ObjectOf(x)) {
			w.failed = true
		}
	default:
		w.failed = true
	}
}

func (w *mover) own(obj types.Object) bool {
	return obj != nil && w.stmt.Pos() <= obj.Pos() && obj.Pos() < w.stmt.End()
}

// name fails for what may be something else later.
func (w *mover) name(n ast.Node) {
	switch n := n.(type) {
	case *ast.UnaryExpr:
		if n.Op == token.ARROW {
			w.failed = true
		} else if id, ok := ast.Unparen(n.X).(*ast.Ident); n.Op == token.AND && ok && !w.own(w.Info.Uses[id]) {
			w.failed = true
		}
	case *ast.IndexExpr:
		if tv, ok := w.Info.Types[n.X]; ok && tv.IsValue() {
			if _, generic := tv.Type.Underlying().(*types.Signature); !generic {
				w.failed = true // the element may be another one
			}
		}
	case *ast.Ident:
		v, ok := w.Info.Uses[n].(*types.Var)
		if !ok || w.own(v) {
			return
		}
		switch {
		case v.IsField():
			w.failed = w.set(w.Func, v, token.NoPos)
		case w.Round.Pos() <= v.Pos() && v.Pos() < w.Round.End(), w.eachRound(v):
			w.failed = w.set(w.Func, v, w.stmt.Pos())
		default:
			w.failed = w.set(w.Loop, v, token.NoPos)
		}
	}
}

// eachRound reports whether v is a variable of a range loop, of which each round
// has its own.
func (w *mover) eachRound(v *types.Var) bool {
	found := false
	ast.Inspect(w.Loop, func(n ast.Node) bool {
		if r, ok := n.(*ast.RangeStmt); ok && r.Tok == token.DEFINE && r.Pos() <= v.Pos() && v.Pos() < r.Body.Pos() {
			found = true
		}
		return !found
	})
	return found && (w.Version == "" || version.Compare(w.Version, "go1.22") >= 0)
}
