package unboundedqueue

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/concvet/concvet/internal/report"
)

// pipes reports loops that receive from one channel, keep what they cannot send
// on another one yet, and never stop receiving.
func (c *checker) pipes() {
	for _, f := range c.pass.Files {
		if c.report.InTest(f.Pos()) {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if loop, ok := n.(*ast.ForStmt); ok {
				c.pipe(loop)
			}
			return true
		})
	}
}

// kept is a variable that a loop keeps values in: a local one, or a field.
type kept struct {
	grows, pops *ast.AssignStmt
	limited     bool
}

func (c *checker) pipe(loop *ast.ForStmt) {
	info := c.pass.TypesInfo
	local := func(e ast.Expr) *types.Var {
		e = ast.Unparen(e)
		if sel, ok := e.(*ast.SelectorExpr); ok {
			// The loop of an object: nobody else may compare its length.
			v, ok := info.ObjectOf(sel.Sel).(*types.Var)
			if !ok || !v.IsField() || c.kept == nil {
				return nil
			}
			if q := c.kept.byVar[v.Origin()]; q == nil || q.limited || q.keyed {
				return nil
			}
			return v
		}
		id, ok := e.(*ast.Ident)
		if !ok {
			return nil
		}
		v, ok := info.ObjectOf(id).(*types.Var)
		if !ok || v.IsField() || v.Parent() == c.pass.Pkg.Scope() {
			return nil
		}
		return v
	}
	vars := make(map[*types.Var]*kept)
	of := func(v *types.Var) *kept {
		if vars[v] == nil {
			vars[v] = &kept{}
		}
		return vars[v]
	}
	sends := false
	ast.Inspect(loop.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CommClause:
			switch comm := n.Comm.(type) {
			case *ast.SendStmt:
				sends = true
			case *ast.AssignStmt, *ast.ExprStmt:
				if !receives(comm) {
					break
				}
				for _, stmt := range n.Body {
					ast.Inspect(stmt, func(n ast.Node) bool {
						a, ok := n.(*ast.AssignStmt)
						if !ok || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
							return true
						}
						if v := local(a.Lhs[0]); v != nil && appends(a.Rhs[0], v, info) {
							of(v).grows = a
						}
						return true
					})
				}
			}
		case *ast.AssignStmt:
			if len(n.Lhs) != len(n.Rhs) {
				return true
			}
			for i, l := range n.Lhs {
				sl, ok := ast.Unparen(n.Rhs[i]).(*ast.SliceExpr)
				if v := local(l); ok && v != nil && sl.Low != nil && !isZero(sl.Low) && local(sl.X) == v {
					of(v).pops = n
				}
			}
		case *ast.BinaryExpr:
			for _, sides := range [][2]ast.Expr{{n.X, n.Y}, {n.Y, n.X}} {
				v := lengthVar(sides[0], local)
				if v == nil {
					continue
				}
				if tv := info.Types[sides[1]]; tv.Value == nil || tv.Value.ExactString() != "0" && tv.Value.ExactString() != "1" {
					of(v).limited = true
				}
			}
		}
		return true
	})
	if !sends {
		return
	}
	for v, k := range vars {
		if k.grows == nil || k.pops == nil || k.limited || c.ends(loop.Cond, v) {
			continue // or a list of work, with which the loop ends
		}
		text := "taken from " + v.Name()
		c.report.Add(report.Finding{
			Pos: k.grows.Pos(), End: k.grows.End(), Slug: Infinite, Tier: report.Default, Resource: v.Name(),
			Message: fmt.Sprintf("%s keeps what cannot be sent yet, without a limit: when the receiver is slower than the senders, or gone, it grows until memory ends; stop receiving when it is full", v.Name()),
			Frames:  []report.Frame{{Pos: report.Place(c.pass.Fset, k.grows.Pos()), Text: "added to " + v.Name()}, {Pos: report.Place(c.pass.Fset, k.pops.Pos()), Text: text}},
			Related: []analysis.RelatedInformation{{Pos: k.pops.Pos(), Message: text}},
		})
	}
}

// receives reports whether the communication of a case is a receive.
func receives(s ast.Stmt) bool {
	var e ast.Expr
	switch s := s.(type) {
	case *ast.ExprStmt:
		e = s.X
	case *ast.AssignStmt:
		if len(s.Rhs) != 1 {
			return false
		}
		e = s.Rhs[0]
	}
	u, ok := ast.Unparen(e).(*ast.UnaryExpr)
	return ok && u.Op == token.ARROW
}

// appends reports whether an expression is append(v, …).
func appends(e ast.Expr, v *types.Var, info *types.Info) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || len(call.Args) < 2 {
		return false
	}
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok || id.Name != "append" {
		return false
	}
	switch first := ast.Unparen(call.Args[0]).(type) {
	case *ast.Ident:
		return info.ObjectOf(first) == v
	case *ast.SelectorExpr:
		return info.ObjectOf(first.Sel) == v
	}
	return false
}

// lengthVar returns v if an expression is len(v).
func lengthVar(e ast.Expr, local func(ast.Expr) *types.Var) *types.Var {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return nil
	}
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); !ok || id.Name != "len" {
		return nil
	}
	return local(call.Args[0])
}

// ends reports whether a loop ends when there is nothing left in a variable. One
// that also goes on while a channel is open does not: it still receives. Nor does
// a counter of what is under way keep it from ending.
func (c *checker) ends(cond ast.Expr, v *types.Var) bool {
	or, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	if !ok || or.Op != token.LOR {
		return mentions(cond, v, c.pass.TypesInfo)
	}
	for _, side := range []ast.Expr{or.X, or.Y} {
		if !mentions(side, v, c.pass.TypesInfo) && !c.countdown(side) {
			return false
		}
	}
	return true
}

// countdown reports whether an expression compares numbers.
func (c *checker) countdown(e ast.Expr) bool {
	compare, ok := ast.Unparen(e).(*ast.BinaryExpr)
	if !ok {
		return false
	}
	if compare.Op == token.LOR || compare.Op == token.LAND {
		return c.countdown(compare.X) && c.countdown(compare.Y)
	}
	b, ok := c.pass.TypesInfo.TypeOf(compare.X).Underlying().(*types.Basic)
	return ok && b.Info()&types.IsNumeric != 0
}

// mentions reports whether an expression names a variable.
func mentions(e ast.Expr, v *types.Var, info *types.Info) bool {
	found := false
	if e != nil {
		ast.Inspect(e, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && info.Uses[id] == v {
				found = true
			}
			return !found
		})
	}
	return found
}
