package holdacross

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"
)

// A guard knows what a lock may guard, as seen from one function: every field,
// variable and element that anybody may change while others look. It errs on
// the side of more; what remains can be used without the lock.
type guard struct {
	c     *checker
	info  *types.Info
	state *sharing
	decl  *ast.FuncDecl

	// derived are the local variables whose value was read from what is
	// guarded, aliases those of them that lead back to it.
	derived, aliases map[types.Object]bool
	reassigned       map[types.Object]bool // captured by a literal and assigned again
	callee           bool                  // decl is a function that the fixed one calls
	depth            int
}

func newGuard(c *checker, decl *ast.FuncDecl) *guard {
	if c.shared == nil {
		c.shared = newSharing(c.pass)
	}
	return c.shared.guard(c, decl, 0)
}

func (s *sharing) guard(c *checker, decl *ast.FuncDecl, depth int) *guard {
	g := &guard{
		c: c, info: c.pass.TypesInfo, state: s, decl: decl, depth: depth, callee: depth > 0,
		derived: make(map[types.Object]bool), aliases: make(map[types.Object]bool), reassigned: make(map[types.Object]bool),
	}
	g.findCaptured()
	if !g.callee {
		for range 3 { // along chains of assignments
			g.derive()
		}
	}
	return g
}

// touches lists the places in nodes that read or write what may be guarded, or
// do what cannot be known.
func (g *guard) touches(nodes ...ast.Node) []ast.Node {
	var out []ast.Node
	for _, n := range nodes {
		ast.Inspect(n, func(n ast.Node) bool {
			if n == nil {
				return false
			}
			bad, into := g.touch(n)
			if bad {
				out = append(out, n)
			}
			return into
		})
	}
	return out
}

// guarded reports whether statements themselves use a variable that the lock may
// guard. If they only call, the lock may be there to keep the calls together.
func (g *guard) guarded(stmts []ast.Stmt) bool {
	for _, n := range g.touches(nodes(stmts)...) {
		switch n.(type) {
		case *ast.SelectorExpr, *ast.Ident, *ast.StarExpr:
			return true
		}
	}
	return false
}

// touch judges one node; into says whether to look at what is in it.
func (g *guard) touch(n ast.Node) (bad, into bool) {
	switch n := n.(type) {
	case *ast.FuncLit:
		return !g.callee, g.callee // when it runs is not known
	case *ast.GoStmt, *ast.LabeledStmt:
		return true, false
	case *ast.DeferStmt:
		return !g.callee, g.callee
	case *ast.BranchStmt:
		return n.Tok == token.GOTO, false
	case *ast.StarExpr:
		if tv, ok := g.info.Types[n]; ok && tv.IsType() {
			return false, false
		}
		return true, false
	case *ast.SendStmt:
		// To pass a pointer on is not to look at what it points to.
		value := g.touches(n.Value)
		if id, ok := ast.Unparen(n.Value).(*ast.Ident); ok && g.aliases[g.info.ObjectOf(id)] {
			value = nil
		}
		return g.closes(n.Chan) || len(value) > 0 || len(g.touches(n.Chan)) > 0, false
	case *ast.CallExpr:
		return g.touchCall(n), true
	case *ast.KeyValueExpr:
		if id, ok := n.Key.(*ast.Ident); ok {
			if v, ok := g.info.Uses[id].(*types.Var); ok && v.IsField() {
				return len(g.touches(n.Value)) > 0, false
			}
		}
		return false, true
	case *ast.SelectorExpr:
		return g.touchSelector(n)
	case *ast.Ident:
		return g.touchIdent(n), false
	}
	return false, true
}

func (g *guard) touchIdent(id *ast.Ident) bool {
	v, ok := g.info.ObjectOf(id).(*types.Var)
	if !ok || v.IsField() {
		return false
	}
	if v.Pkg() != nil && v.Parent() == v.Pkg().Scope() {
		if v.Pkg() != g.c.pass.Pkg {
			return !isError(v.Type()) && !concurrent(v.Type())
		}
		return g.state.assigned[v] || !harmless(v.Type())
	}
	return g.reassigned[v] || g.aliases[v]
}

// touchSelector judges x.f: a field that is never assigned once its struct is
// made may be read by anybody, if what it holds may be used by anybody.
func (g *guard) touchSelector(sel *ast.SelectorExpr) (bad, into bool) {
	selection := g.info.Selections[sel]
	if selection == nil {
		return g.touchIdent(sel.Sel), false // pkg.Name
	}
	for _, f := range implicit(selection) {
		if g.changing(f) {
			return true, false
		}
	}
	if selection.Kind() != types.FieldVal {
		return false, true
	}
	if !g.ownCopy(sel.X) {
		field, ok := selection.Obj().(*types.Var)
		if ok && field.Pkg() != g.c.pass.Pkg && g.local(sel.X) {
			return false, true // what was not read under a lock needs none
		}
		if !ok || g.changing(field) || !harmless(field.Type()) || g.inside(field.Type()) {
			return true, false
		}
	}
	// Of what leads there only which one it is matters, not all that is in it.
	x := ast.Unparen(sel.X)
	for {
		inner, ok := x.(*ast.SelectorExpr)
		if !ok {
			break
		}
		selection := g.info.Selections[inner]
		if selection == nil || selection.Kind() != types.FieldVal {
			break
		}
		for _, f := range append(implicit(selection), fieldOf(selection)...) {
			if g.changing(f) && !g.ownCopy(inner.X) {
				return true, false
			}
		}
		x = ast.Unparen(inner.X)
	}
	if field := fieldOf(selection); len(field) > 0 && field[0].Pkg() != g.c.pass.Pkg && !g.local(sel.X) {
		return true, false // who changes it is not known
	}
	return len(g.touches(x)) > 0, false
}

// changing reports whether a field is assigned after its struct was made.
func (g *guard) changing(f *types.Var) bool {
	f = f.Origin()
	return f.Pkg() == g.c.pass.Pkg && (g.state.assigned[f] || g.state.whole[f])
}

// inside reports whether a struct that is read as a whole has a field that
// changes, or that not everybody may use.
func (g *guard) inside(t types.Type) bool {
	st, ok := types.Unalias(t).Underlying().(*types.Struct)
	if !ok || concurrent(t) {
		return false
	}
	for f := range st.Fields() {
		if g.changing(f) || g.inside(f.Type()) {
			return true
		}
	}
	return false
}

func fieldOf(s *types.Selection) []*types.Var {
	if v, ok := s.Obj().(*types.Var); ok {
		return []*types.Var{v}
	}
	return nil
}

// implicit lists the embedded fields that a selection goes through.
func implicit(s *types.Selection) []*types.Var {
	var out []*types.Var
	t := s.Recv()
	index := s.Index()
	for _, i := range index[:len(index)-1] {
		if p, ok := types.Unalias(t).Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		st, ok := types.Unalias(t).Underlying().(*types.Struct)
		if !ok || i >= st.NumFields() {
			return out
		}
		out = append(out, st.Field(i))
		t = st.Field(i).Type()
	}
	return out
}

// ownCopy reports whether e is a struct in a local variable, of which nobody
// else has the address.
func (g *guard) ownCopy(e ast.Expr) bool {
	for {
		e = ast.Unparen(e)
		switch x := e.(type) {
		case *ast.SelectorExpr:
			if t := g.info.TypeOf(x.X); t == nil || isPointer(t) {
				return false
			}
			e = x.X
			continue
		case *ast.Ident:
			v, ok := g.info.ObjectOf(x).(*types.Var)
			return ok && !v.IsField() && v.Parent() != v.Pkg().Scope() && !isPointer(v.Type()) && !g.reassigned[v] && !g.aliases[v]
		}
		return false
	}
}

// touchCall judges the callee of a call; its operands are looked at as any
// other expression.
func (g *guard) touchCall(call *ast.CallExpr) bool {
	if tv, ok := g.info.Types[call.Fun]; ok && tv.IsType() {
		return false
	}
	fun := ast.Unparen(call.Fun)
	if id, ok := fun.(*ast.Ident); ok {
		if b, ok := g.info.Uses[id].(*types.Builtin); ok {
			return b.Name() == "close" || b.Name() == "recover"
		}
	}
	fn := typeutil.Callee(g.info, call)
	f, ok := fn.(*types.Func)
	if !ok {
		return true // a func value
	}
	f = f.Origin()
	if f.Pkg() == g.c.pass.Pkg {
		if recv := f.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
			return true
		}
		return !g.state.clean(g.c, f, g.depth+1)
	}
	if sel, ok := fun.(*ast.SelectorExpr); ok && g.info.Selections[sel] != nil {
		// A method of another package: of a local value, or of one that all
		// may use at once.
		t, isLocal := g.info.TypeOf(sel.X), g.local(sel.X)
		if embedded := implicit(g.info.Selections[sel]); len(embedded) > 0 {
			t, isLocal = embedded[len(embedded)-1].Type(), false
		}
		if !isLocal && !concurrent(t) {
			return true
		}
	}
	for _, a := range call.Args {
		if g.handsOut(a) {
			return true
		}
	}
	return false
}

// handsOut reports whether an argument lets another package look into a struct
// of this one, by reflection or by its methods.
func (g *guard) handsOut(e ast.Expr) bool {
	e = ast.Unparen(e)
	t := g.info.TypeOf(e)
	if t == nil {
		return true
	}
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND {
		return !g.local(u.X)
	}
	p, ok := types.Unalias(t).Underlying().(*types.Pointer)
	if !ok || concurrent(t) {
		return false
	}
	if !g.local(e) {
		return true
	}
	named, ok := types.Unalias(p.Elem()).(*types.Named)
	return ok && named.Obj().Pkg() == g.c.pass.Pkg
}

// local reports whether e is rooted in a local variable that was not read from
// anything guarded, or in the result of a call.
func (g *guard) local(e ast.Expr) bool {
	for {
		e = ast.Unparen(e)
		switch x := e.(type) {
		case *ast.SelectorExpr:
			if g.info.Selections[x] == nil {
				return false
			}
			if f, ok := g.info.Selections[x].Obj().(*types.Var); ok && f.Pkg() == g.c.pass.Pkg {
				return g.ownCopy(x.X)
			}
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.UnaryExpr:
			e = x.X
		case *ast.CallExpr, *ast.CompositeLit, *ast.BasicLit:
			return true // what the call touches is judged with the call
		case *ast.TypeAssertExpr:
			e = x.X
		case *ast.Ident:
			v, ok := g.info.ObjectOf(x).(*types.Var)
			return ok && !v.IsField() && v.Parent() != v.Pkg().Scope() && !g.aliases[v] && !g.reassigned[v]
		default:
			return false
		}
	}
}

// closes reports whether somebody closes the channel: then the lock may be what
// keeps the send from being the panic after it.
func (g *guard) closes(ch ast.Expr) bool {
	ch = ast.Unparen(ch)
	switch x := ch.(type) {
	case *ast.SelectorExpr:
		if v, ok := g.info.ObjectOf(x.Sel).(*types.Var); ok {
			return g.state.closed[v.Origin()]
		}
	case *ast.Ident:
		if v, ok := g.info.ObjectOf(x).(*types.Var); ok && v.Pkg() != nil && v.Parent() == v.Pkg().Scope() {
			return g.state.closed[v]
		}
	}
	t := g.info.TypeOf(ch)
	if t == nil {
		return true
	}
	return g.state.closes(t)
}
