package summary

import (
	"go/ast"
	"go/token"
	"go/types"
)

// WritesList reports whether a function of the package writes down the list that
// is its result i: it is literals and what is appended to them, nowhere in a loop.
// Such functions wait for nothing, so they are seldom built and are read as source.
func (r *Result) WritesList(fn *types.Func, i int) bool {
	decl := r.in.scan.decls[fn]
	if decl == nil || decl.Body == nil {
		return false
	}
	w := &listWriter{info: r.in.pass.TypesInfo, decl: decl}
	if named := fn.Signature().Results(); i < named.Len() {
		w.result = named.At(i)
	}
	found, ok := false, true
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt, *ast.RangeStmt, *ast.FuncLit:
			ok = false
		case *ast.BranchStmt:
			ok = ok && n.Tok != token.GOTO
		case *ast.ReturnStmt:
			found = true
			switch {
			case len(n.Results) == 0:
				ok = ok && w.variable(w.result)
			case i < len(n.Results):
				ok = ok && w.list(n.Results[i])
			default:
				ok = false // return f()
			}
		}
		return ok
	})
	return found && ok
}

type listWriter struct {
	info   *types.Info
	decl   *ast.FuncDecl
	result *types.Var
	seen   []*types.Var
}

// list reports whether an expression is a list that is written down.
func (w *listWriter) list(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		return true
	case *ast.Ident:
		switch obj := w.info.Uses[e].(type) {
		case *types.Nil:
			return true
		case *types.Var:
			return w.variable(obj)
		}
	case *ast.CallExpr:
		id, ok := ast.Unparen(e.Fun).(*ast.Ident)
		if !ok || e.Ellipsis.IsValid() || len(e.Args) == 0 {
			return false
		}
		b, ok := w.info.Uses[id].(*types.Builtin)
		return ok && b.Name() == "append" && w.list(e.Args[0])
	}
	return false
}

// variable reports whether all that is assigned to a variable of the function is a
// list that is written down.
func (w *listWriter) variable(v *types.Var) bool {
	if v == nil || v.Pos() < w.decl.Type.Pos() || v.Pos() > w.decl.End() || v.Kind() == types.ParamVar || v.Kind() == types.RecvVar {
		return false
	}
	for _, s := range w.seen {
		if s == v {
			return true // it is looked at already
		}
	}
	w.seen = append(w.seen, v)
	ok := true
	is := func(e ast.Expr) bool {
		id, isIdent := ast.Unparen(e).(*ast.Ident)
		return isIdent && (w.info.Uses[id] == v || w.info.Defs[id] == v)
	}
	assigned := func(lhs, rhs []ast.Expr) {
		for i, e := range lhs {
			if is(e) {
				ok = ok && len(lhs) == len(rhs) && w.list(rhs[i])
			}
		}
	}
	ast.Inspect(w.decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			assigned(n.Lhs, n.Rhs)
		case *ast.ValueSpec:
			for i, id := range n.Names {
				if w.info.Defs[id] == v && len(n.Values) > 0 {
					ok = ok && len(n.Names) == len(n.Values) && w.list(n.Values[i])
				}
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND && is(n.X) {
				ok = false
			}
		}
		return ok
	})
	return ok
}
