package holdacross

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"
)

// findCaptured notes the variables that a literal shares with the function and
// that change after they were declared, or whose address is kept.
func (g *guard) findCaptured() {
	assigned := make(map[types.Object]bool)
	inLit := make(map[types.Object]bool)
	var lits []*ast.FuncLit
	ast.Inspect(g.decl, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				if id, ok := ast.Unparen(l).(*ast.Ident); ok && g.info.Defs[id] == nil {
					assigned[g.info.ObjectOf(id)] = true
				}
			}
			for _, r := range n.Rhs {
				g.keepsAddress(r)
			}
		case *ast.IncDecStmt:
			if id, ok := ast.Unparen(n.X).(*ast.Ident); ok {
				assigned[g.info.ObjectOf(id)] = true
			}
		case *ast.KeyValueExpr:
			g.keepsAddress(n.Value)
		case *ast.SendStmt:
			g.keepsAddress(n.Value)
		case *ast.FuncLit:
			lits = append(lits, n)
		}
		return true
	})
	for _, lit := range lits {
		ast.Inspect(lit, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if v, ok := g.info.Uses[id].(*types.Var); ok && !v.IsField() && (v.Pos() < lit.Pos() || v.Pos() > lit.End()) {
					inLit[v] = true
				}
			}
			return true
		})
	}
	for v := range inLit {
		if assigned[v] {
			g.reassigned[v] = true
		}
	}
}

// keepsAddress notes a variable whose address goes somewhere to stay.
func (g *guard) keepsAddress(e ast.Expr) {
	u, ok := ast.Unparen(e).(*ast.UnaryExpr)
	if !ok || u.Op != token.AND {
		return
	}
	if id, ok := ast.Unparen(u.X).(*ast.Ident); ok {
		g.reassigned[g.info.ObjectOf(id)] = true
	}
}

// derive follows assignments of the function: from what is guarded to local
// variables, and from local variables to what is guarded.
func (g *guard) derive() {
	ast.Inspect(g.decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, l := range n.Lhs {
				r := n.Rhs[0]
				if len(n.Lhs) == len(n.Rhs) {
					r = n.Rhs[i]
				}
				g.assign(l, r)
			}
		case *ast.ValueSpec:
			for i, name := range n.Names {
				if len(n.Values) == len(n.Names) {
					g.assign(name, n.Values[i])
				} else if len(n.Values) == 1 {
					g.assign(name, n.Values[0])
				}
			}
		case *ast.RangeStmt:
			if n.Key != nil {
				g.assign(n.Key, n.X)
			}
			if n.Value != nil {
				g.assign(n.Value, n.X)
			}
		}
		return true
	})
}

func (g *guard) assign(l, r ast.Expr) {
	id, ok := ast.Unparen(l).(*ast.Ident)
	if !ok {
		g.keep(r)
		return
	}
	v, ok := g.info.ObjectOf(id).(*types.Var)
	if !ok || id.Name == "_" {
		return
	}
	if v.Pkg() != nil && v.Parent() == v.Pkg().Scope() {
		g.keep(r)
		return
	}
	if !g.reads(r) {
		return
	}
	g.derived[v] = true
	// What a call makes of a copy leads nowhere.
	if leads(v.Type()) && !g.copies(r) && len(g.touches(r)) > 0 {
		g.aliases[v] = true
	}
}

// keep notes that the variables in e, as far as they lead anywhere, are now
// known to others.
func (g *guard) keep(e ast.Expr) {
	if t := g.info.TypeOf(e); g.copies(e) || t == nil || !leads(t) {
		return
	}
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			v, ok := g.info.Uses[id].(*types.Var)
			if ok && !v.IsField() && v.Pkg() != nil && v.Parent() != v.Pkg().Scope() && leads(v.Type()) && !g.isReceiver(v) {
				g.aliases[v] = true
			}
		}
		return true
	})
}

func (g *guard) isReceiver(v *types.Var) bool {
	recv := g.decl.Recv
	return recv != nil && len(recv.List) > 0 && len(recv.List[0].Names) > 0 && g.info.Defs[recv.List[0].Names[0]] == v
}

// reads reports whether the value of e depends on what is guarded.
func (g *guard) reads(e ast.Expr) bool {
	if len(g.touches(e)) > 0 {
		return true
	}
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && g.derived[g.info.ObjectOf(id)] {
			found = true
		}
		return !found
	})
	return found
}

// copying functions return what shares nothing with their arguments.
var copying = map[string]bool{
	"encoding/json.Marshal": true, "encoding/json.MarshalIndent": true, "fmt.Sprint": true, "fmt.Sprintf": true,
	"fmt.Sprintln": true, "strings.Join": true, "bytes.Clone": true, "google.golang.org/protobuf/proto.Marshal": true,
	"google.golang.org/protobuf/proto.Clone": true,
}

// shallow functions copy the elements of their argument.
var shallow = map[string]bool{
	"slices.Clone": true, "maps.Clone": true, "slices.Sorted": true, "slices.Collect": true, "maps.Keys": true,
}

// copies reports whether e makes a value that shares nothing with its operands.
func (g *guard) copies(e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return false
	}
	t := g.info.TypeOf(e)
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok {
		if b, ok := g.info.Uses[id].(*types.Builtin); ok && b.Name() == "append" && t != nil {
			fresh := false
			switch x := ast.Unparen(call.Args[0]).(type) {
			case *ast.CallExpr:
				tv, ok := g.info.Types[x.Fun]
				fresh = ok && tv.IsType() && len(x.Args) == 1 && g.info.Types[x.Args[0]].IsNil()
			case *ast.CompositeLit:
				fresh = true
			}
			return fresh && !leads(elem(t))
		}
	}
	fn := typeutil.StaticCallee(g.info, call)
	if fn == nil {
		return false
	}
	name := fn.FullName()
	return copying[name] || shallow[name] && t != nil && !leads(elem(t))
}

// depends reports whether what block does, or whether it does it, depends on
// what was read under the lock.
func (g *guard) depends(before []ast.Stmt, block ast.Stmt) bool {
	for _, s := range before {
		if jumps([]ast.Stmt{s}) {
			return true
		}
	}
	found := false
	ast.Inspect(block, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && g.derived[g.info.ObjectOf(id)] {
			found = true
		}
		return !found
	})
	return found
}

// writes reports whether the nodes may change what is guarded.
func (g *guard) writes(nodes ...ast.Node) bool {
	found := false
	for _, n := range nodes {
		ast.Inspect(n, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for _, l := range n.Lhs {
					_, plain := ast.Unparen(l).(*ast.Ident)
					found = found || !plain || len(g.touches(l)) > 0
				}
			case *ast.IncDecStmt:
				_, plain := ast.Unparen(n.X).(*ast.Ident)
				found = found || !plain || len(g.touches(n.X)) > 0
			case *ast.CallExpr:
				found = found || g.changes(n)
			case *ast.FuncLit:
				found = true
			}
			return !found
		})
	}
	return found
}

// changes reports whether a call may change what is guarded.
func (g *guard) changes(call *ast.CallExpr) bool {
	if tv, ok := g.info.Types[call.Fun]; ok && tv.IsType() {
		return false
	}
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok {
		if b, ok := g.info.Uses[id].(*types.Builtin); ok {
			switch b.Name() {
			case "delete", "clear", "copy", "close":
				return true
			}
			return false
		}
	}
	if g.copies(call) {
		return false
	}
	return g.touchCall(call) || len(g.touches(call)) > 0
}

// signals reports whether a statement passes nothing on but the fact itself: a
// receive that is thrown away, a send of a constant.
func (g *guard) signals(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.SendStmt:
		if lit, ok := ast.Unparen(s.Value).(*ast.CompositeLit); ok {
			return len(lit.Elts) == 0
		}
		tv, ok := g.info.Types[s.Value]
		return ok && tv.Value != nil && tv.Value.Kind() != constant.Unknown
	case *ast.ExprStmt:
		u, ok := ast.Unparen(s.X).(*ast.UnaryExpr)
		return ok && u.Op == token.ARROW
	case *ast.SelectStmt:
		for _, clause := range s.Body.List {
			comm, ok := clause.(*ast.CommClause)
			if !ok || comm.Comm != nil && !g.signals(comm.Comm) {
				return false
			}
		}
		return true
	}
	return false
}
