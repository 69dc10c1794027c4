package summary

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/concvet/concvet/internal/effect"
)

// A scan of the typed syntax decides which functions can have an effect at all,
// so that SSA is built for no other. It is much cheaper than SSA, and most
// functions of most packages fall out here.
//
// A function is wanted if it operates on a channel, starts a goroutine, calls something with a row
// or a fact, calls one of its func-typed parameters, hands out a pool, or
// mentions a wanted function of the package.
type scan struct {
	pass *analysis.Pass
	info *types.Info

	decls    map[*types.Func]*ast.FuncDecl
	mentions map[*types.Func][]*types.Func // who is mentioned → by whom
	wanted   map[*types.Func]bool
	known    map[*types.Func]bool // memo of knows

	// assigned holds what is assigned to unexported func-typed fields and
	// package variables; nil for one with several or unknown values.
	assigned map[*types.Var]ast.Expr

	// contents holds the type of what is assigned to unexported
	// interface-typed fields and package variables; nil for one with several
	// or unknown types.
	contents map[*types.Var]types.Type

	// names says which variable a result of a call is assigned to.
	names map[resultName]string

	ownIface func(*types.Func) bool
	knows    func(*types.Func) bool

	queues *queueOps

	// dependency leaves out what only makes or sets up contexts and clients.
	dependency bool

	// declared reports whether a directive says what a function does.
	declared func(*ast.FuncDecl) bool
}

// A resultName is a result of the call whose parenthesis opens at call.
type resultName struct {
	call  token.Pos
	index int
}

func newScan(pass *analysis.Pass, knows, ownIface func(*types.Func) bool, dependency bool, declared func(*ast.FuncDecl) bool) *scan {
	s := &scan{
		pass: pass, info: pass.TypesInfo,
		decls:    make(map[*types.Func]*ast.FuncDecl),
		mentions: make(map[*types.Func][]*types.Func),
		wanted:   make(map[*types.Func]bool),
		known:    make(map[*types.Func]bool),
		assigned: make(map[*types.Var]ast.Expr),
		contents: make(map[*types.Var]types.Type),
		names:    make(map[resultName]string),
		queues:   newQueueOps(),
		knows:    knows, ownIface: ownIface, dependency: dependency, declared: declared,
	}
	for _, f := range pass.Files {
		for _, d := range f.Decls {
			if decl, ok := d.(*ast.FuncDecl); ok {
				if fn, ok := s.info.Defs[decl.Name].(*types.Func); ok {
					s.decls[fn] = decl
				}
			}
		}
	}
	for _, f := range pass.Files {
		test := isTestFile(pass.Fset, f.Pos())
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				fn, ok := s.info.Defs[d.Name].(*types.Func)
				if ok && d.Body == nil && s.declared(d) {
					s.wanted[fn] = true // implemented elsewhere, and told about
				}
				if ok && d.Body != nil && (Tests || !test) {
					s.scanBody(fn, d, test)
				}
			case *ast.GenDecl:
				s.scanVars(d, test)
			}
		}
	}
	s.spread()
	return s
}

// spread makes every function wanted that mentions a wanted one.
func (s *scan) spread() {
	var queue []*types.Func
	for fn := range s.wanted {
		queue = append(queue, fn)
	}
	for len(queue) > 0 {
		fn := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for _, by := range s.mentions[fn] {
			if !s.wanted[by] {
				s.wanted[by] = true
				queue = append(queue, by)
			}
		}
	}
}

// keep reports whether SSA of decl is needed.
func (s *scan) keep(decl *ast.FuncDecl) bool {
	fn, ok := s.info.Defs[decl.Name].(*types.Func)
	return ok && s.wanted[fn]
}

func (s *scan) scanBody(fn *types.Func, decl *ast.FuncDecl, test bool) {
	if s.declared(decl) {
		s.wanted[fn] = true
	}
	takesFunc := false
	sig, _ := fn.Type().(*types.Signature)
	if sig != nil {
		for v := range sig.Results().Variables() {
			if isPool(v.Type()) || s.ends(v.Type()) {
				s.wanted[fn] = true
			}
		}
		for v := range sig.Params().Variables() {
			if table().Held(v.Type()) != effect.NoClass {
				s.wanted[fn] = true
			}
			takesFunc = takesFunc || isFunc(v.Type())
		}
	}
	queue := !s.dependency && !test && decl.Recv != nil
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		if queue {
			s.noteQueue(fn, n)
		}
		switch n := n.(type) {
		case *ast.SendStmt, *ast.SelectStmt, *ast.GoStmt:
			s.wanted[fn] = true
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				s.wanted[fn] = true
			}
			if n.Op == token.AND {
				s.scanSetting(fn, n.X)
			}
		case *ast.RangeStmt:
			if isChan(s.info.TypeOf(n.X)) {
				s.wanted[fn] = true
			}
		case *ast.CallExpr:
			s.scanCall(fn, n)
		case *ast.Ident:
			if callee, ok := s.info.Uses[n].(*types.Func); ok {
				s.mention(fn, callee.Origin())
			}
		case *ast.CompositeLit:
			s.scanLiteral(fn, n, test)
		case *ast.AssignStmt:
			if takesFunc && keeps(n) {
				s.wanted[fn] = true // whoever calls it later
			}
			s.scanAssign(n, test)
			for _, lhs := range n.Lhs {
				s.scanSetting(fn, lhs)
			}
		}
		return true
	})
}

// keeps reports whether something is assigned to a field or an element.
func keeps(n *ast.AssignStmt) bool {
	for _, lhs := range n.Lhs {
		switch ast.Unparen(lhs).(type) {
		case *ast.SelectorExpr, *ast.IndexExpr:
			return true
		}
	}
	return false
}

func (s *scan) mention(by, callee *types.Func) {
	if callee.Pkg() == s.pass.Pkg {
		if s.decls[callee] != nil {
			s.mentions[callee] = append(s.mentions[callee], by)
			return
		}
	}
	if s.wanted[by] {
		return
	}
	known, ok := s.known[callee]
	if !ok {
		known = s.knows(callee)
		s.known[callee] = known
	}
	if known {
		s.wanted[by] = true
	}
}

// scanCall looks for calls of func-typed values.
func (s *scan) scanCall(fn *types.Func, call *ast.CallExpr) {
	var id *ast.Ident
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		id = fun
	case *ast.SelectorExpr:
		id = fun.Sel
	case *ast.IndexExpr:
		if t := s.info.TypeOf(fun.X); t != nil && isTable(t) && !s.dependency {
			s.wanted[fn] = true // calls a function in a table
		}
		return
	default:
		return
	}
	if b, ok := s.info.Uses[id].(*types.Builtin); ok {
		switch b.Name() {
		case "close": // ends waits
			s.wanted[fn] = true
		case "make": // tells how much room a channel has
			if isChan(s.info.TypeOf(call)) {
				s.wanted[fn] = true
			}
		}
		return
	}
	v, ok := s.info.Uses[id].(*types.Var)
	if !ok {
		return
	}
	if v.IsField() || v.Parent() == s.pass.Pkg.Scope() {
		// Whether it is assigned once is known only at the end; that most
		// func-typed fields are not makes this a small set.
		if !v.Exported() {
			s.wanted[fn] = true
		}
		return
	}
	s.wanted[fn] = true
}

// scanLiteral notes what a struct literal assigns to func-typed fields, and
// whether it stores a pool that callers should know of.
func (s *scan) scanLiteral(fn *types.Func, lit *ast.CompositeLit, test bool) {
	t := s.info.TypeOf(lit)
	if t == nil {
		return
	}
	t = types.Unalias(t)
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return
	}
	for i, elt := range lit.Elts {
		var field *types.Var
		value := elt
		if kv, ok := elt.(*ast.KeyValueExpr); ok {
			value = kv.Value
			if id, ok := kv.Key.(*ast.Ident); ok {
				field, _ = s.info.Uses[id].(*types.Var)
			}
		} else if i < st.NumFields() {
			field = st.Field(i)
		}
		if field == nil {
			continue
		}
		if isChan(field.Type()) || isPool(field.Type()) || s.ends(field.Type()) || isInterface(field.Type()) && s.ends(s.info.TypeOf(value)) {
			s.wanted[fn] = true
		}
		if !s.dependency && isFunc(field.Type()) && field.Pkg() != s.pass.Pkg && table().HasLoops(field.Pkg()) {
			s.wanted[fn] = true // a loop may run it
		}
		if !s.dependency && table().CanLimit(field.Type()) {
			s.wanted[fn] = true
		}
		s.assign(field, value, test)
	}
}

func (s *scan) scanAssign(n *ast.AssignStmt, test bool) {
	for i, lhs := range n.Lhs {
		id, ok := lhs.(*ast.Ident)
		if !ok || id.Name == "_" {
			continue
		}
		if len(n.Lhs) == len(n.Rhs) {
			if lit := literalOf(n.Rhs[i]); lit != nil {
				s.names[resultName{lit.Lbrace, 0}] = id.Name
			}
		}
		if len(n.Rhs) == 1 {
			if call, ok := ast.Unparen(n.Rhs[0]).(*ast.CallExpr); ok {
				s.names[resultName{call.Lparen, i}] = id.Name
			}
		} else if call, ok := ast.Unparen(n.Rhs[i]).(*ast.CallExpr); ok {
			s.names[resultName{call.Lparen, 0}] = id.Name
		}
	}
	for i, lhs := range n.Lhs {
		var id *ast.Ident
		switch l := ast.Unparen(lhs).(type) {
		case *ast.SelectorExpr:
			id = l.Sel
		case *ast.Ident:
			id = l
		default:
			continue
		}
		v, ok := s.info.Uses[id].(*types.Var)
		if !ok {
			continue
		}
		var value ast.Expr
		if len(n.Lhs) == len(n.Rhs) {
			value = n.Rhs[i]
		}
		s.assign(v, value, test)
	}
}

// scanSetting looks for what is set to a context, a client or one of its fields.
func (s *scan) scanSetting(fn *types.Func, lhs ast.Expr) {
	if s.dependency || s.wanted[fn] {
		return
	}
	switch l := ast.Unparen(lhs).(type) {
	case *ast.SelectorExpr:
		if t := s.info.TypeOf(l.X); t != nil && table().Carrier(t) != nil || s.ends(s.info.TypeOf(l)) {
			s.wanted[fn] = true
		}
	case *ast.Ident:
		if v, ok := s.info.Uses[l].(*types.Var); ok && v.Parent() == s.pass.Pkg.Scope() && s.ends(v.Type()) {
			s.wanted[fn] = true
		}
	}
}

// ends reports whether it matters when values of type t end.
func (s *scan) ends(t types.Type) bool {
	return !s.dependency && t != nil && (endable(t) || isClient(t))
}

// keepInit reports whether the initialiser of a package variable tells when it
// ends.
func (s *scan) keepInit(init *types.Initializer) bool {
	for _, v := range init.Lhs {
		if s.ends(v.Type()) {
			return true
		}
	}
	return false
}

func (s *scan) scanVars(d *ast.GenDecl, test bool) {
	if d.Tok != token.VAR {
		return
	}
	for _, spec := range d.Specs {
		vs, ok := spec.(*ast.ValueSpec)
		if !ok {
			continue
		}
		for i, name := range vs.Names {
			v, ok := s.info.Defs[name].(*types.Var)
			if !ok || i >= len(vs.Values) || len(vs.Names) != len(vs.Values) {
				continue
			}
			s.assign(v, vs.Values[i], test)
		}
	}
}

// assign notes one assignment to a field or package variable that no other
// package can assign to, if it is a function or an interface. What a test
// assigns does not count outside it.
func (s *scan) assign(v *types.Var, value ast.Expr, test bool) {
	if test && !isTestFile(s.pass.Fset, v.Pos()) || v.Exported() || v.Pkg() != s.pass.Pkg || !v.IsField() && v.Parent() != s.pass.Pkg.Scope() {
		return
	}
	t := types.Unalias(v.Type()).Underlying()
	_, isFunc := t.(*types.Signature)
	if !isFunc && !types.IsInterface(t) {
		return
	}
	v = v.Origin()
	if tv, ok := s.info.Types[value]; ok && tv.IsNil() {
		return
	}
	if !isFunc {
		content := s.info.TypeOf(value)
		if content != nil && types.IsInterface(content) {
			content = nil
		}
		if before, seen := s.contents[v]; seen && (content == nil || before == nil || !types.Identical(before, content)) {
			content = nil
		}
		s.contents[v] = content
		return
	}
	if _, seen := s.assigned[v]; seen {
		s.assigned[v] = nil
		return
	}
	s.assigned[v] = value
}

func isChan(t types.Type) bool {
	if t == nil {
		return false
	}
	t = types.Unalias(t)
	if tp, ok := t.(*types.TypeParam); ok {
		t = tp.Constraint()
		iface, ok := t.Underlying().(*types.Interface)
		if !ok {
			return false
		}
		for e := range iface.EmbeddedTypes() {
			if u, ok := types.Unalias(e).(*types.Union); ok {
				for term := range u.Terms() {
					if _, ok := term.Type().Underlying().(*types.Chan); ok {
						return true
					}
				}
			} else if _, ok := e.Underlying().(*types.Chan); ok {
				return true
			}
		}
		return false
	}
	_, ok := t.Underlying().(*types.Chan)
	return ok
}

// isPool reports whether connections are taken from values of type t.
func isPool(t types.Type) bool {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	named, ok := t.(*types.Named)
	return ok && table().IsPool(named.Obj())
}

func isTestFile(fset *token.FileSet, pos token.Pos) bool {
	name := fset.PositionFor(pos, false).Filename
	return len(name) > 8 && name[len(name)-8:] == "_test.go"
}

// literalOf returns the struct literal that e is, or takes the address of.
func literalOf(e ast.Expr) *ast.CompositeLit {
	e = ast.Unparen(e)
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND {
		e = ast.Unparen(u.X)
	}
	lit, _ := e.(*ast.CompositeLit)
	return lit
}

func isInterface(t types.Type) bool { return types.IsInterface(types.Unalias(t)) }
