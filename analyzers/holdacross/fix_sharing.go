package holdacross

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// sharing is what the package does with its fields and variables, test files
// left out.
type sharing struct {
	info  *types.Info
	decls map[*types.Func]*ast.FuncDecl

	assigned map[*types.Var]bool // after what has them was made
	whole    map[*types.Var]bool // by an assignment of the whole struct
	closed   map[*types.Var]bool // channels that are closed

	closedTypes []types.Type         // of closed channels that are neither fields nor variables of the package
	cleaned     map[*types.Func]bool // memo of clean
}

func newSharing(pass *analysis.Pass) *sharing {
	s := &sharing{
		info: pass.TypesInfo, decls: make(map[*types.Func]*ast.FuncDecl),
		assigned: make(map[*types.Var]bool), whole: make(map[*types.Var]bool),
		closed: make(map[*types.Var]bool), cleaned: make(map[*types.Func]bool),
	}
	for _, f := range pass.Files {
		if strings.HasSuffix(pass.Fset.PositionFor(f.FileStart, false).Filename, "_test.go") {
			continue
		}
		for _, d := range f.Decls {
			decl, ok := d.(*ast.FuncDecl)
			if !ok || decl.Body == nil {
				ast.Inspect(d, s.visit(nil))
				continue
			}
			if fn, ok := s.info.Defs[decl.Name].(*types.Func); ok {
				s.decls[fn] = decl
			}
			ast.Inspect(decl.Body, s.visit(s.made(decl.Body)))
		}
	}
	return s
}

// made lists the variables of a function that hold a struct which it makes
// itself: until it is handed out, nobody else can look.
func (s *sharing) made(body *ast.BlockStmt) map[types.Object]bool {
	out := make(map[types.Object]bool)
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE || len(n.Lhs) != len(n.Rhs) {
				return true
			}
			for i, l := range n.Lhs {
				if id, ok := l.(*ast.Ident); ok && fresh(n.Rhs[i]) {
					out[s.info.Defs[id]] = true
				}
			}
		case *ast.ValueSpec:
			for i, name := range n.Names {
				if len(n.Values) == 0 || i < len(n.Values) && fresh(n.Values[i]) {
					if t := s.info.TypeOf(name); t != nil && !isPointer(t) || len(n.Values) > 0 {
						out[s.info.Defs[name]] = true
					}
				}
			}
		}
		return true
	})
	delete(out, nil)
	return out
}

// fresh reports whether e makes a new struct.
func fresh(e ast.Expr) bool {
	e = ast.Unparen(e)
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND {
		e = ast.Unparen(u.X)
	}
	switch e := e.(type) {
	case *ast.CompositeLit:
		return true
	case *ast.CallExpr:
		id, ok := e.Fun.(*ast.Ident)
		return ok && id.Name == "new"
	}
	return false
}

// visit notes assignments, addresses and closes. A literal may run when the
// struct has long been handed out.
func (s *sharing) visit(made map[types.Object]bool) func(ast.Node) bool {
	return func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			if made != nil {
				ast.Inspect(n.Body, s.visit(nil))
				return false
			}
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				s.assign(l, made)
			}
		case *ast.IncDecStmt:
			s.assign(n.X, made)
		case *ast.RangeStmt:
			if n.Tok == token.ASSIGN {
				s.assign(n.Key, made)
				s.assign(n.Value, made)
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				if t := s.info.TypeOf(n.X); t != nil {
					if _, isStruct := types.Unalias(t).Underlying().(*types.Struct); !isStruct {
						s.assign(n.X, made)
					}
				}
			}
		case *ast.CallExpr:
			if id, ok := ast.Unparen(n.Fun).(*ast.Ident); ok && len(n.Args) == 1 {
				if b, ok := s.info.Uses[id].(*types.Builtin); ok && b.Name() == "close" {
					s.close(n.Args[0])
				}
			}
		}
		return true
	}
}

func (s *sharing) close(ch ast.Expr) {
	if v := s.variable(ch); v != nil {
		s.closed[v] = true
	} else if t := s.info.TypeOf(ch); t != nil {
		s.closedTypes = append(s.closedTypes, t)
	}
}

// closes reports whether a channel of this type is closed through a local
// variable: which one is not known.
func (s *sharing) closes(t types.Type) bool {
	ch, ok := types.Unalias(t).Underlying().(*types.Chan)
	if !ok {
		return true
	}
	for _, o := range s.closedTypes {
		other, ok := types.Unalias(o).Underlying().(*types.Chan)
		if !ok || types.Identical(other.Elem(), ch.Elem()) {
			return true
		}
	}
	return false
}

// variable is the field or package variable that e names, nil for any other
// expression.
func (s *sharing) variable(e ast.Expr) *types.Var {
	var v *types.Var
	switch x := ast.Unparen(e).(type) {
	case *ast.SelectorExpr:
		v, _ = s.info.ObjectOf(x.Sel).(*types.Var)
	case *ast.Ident:
		v, _ = s.info.ObjectOf(x).(*types.Var)
		if v != nil && (v.Pkg() == nil || v.Parent() != v.Pkg().Scope()) {
			return nil
		}
	}
	if v == nil {
		return nil
	}
	return v.Origin()
}

func (s *sharing) assign(l ast.Expr, made map[types.Object]bool) {
	if l == nil {
		return
	}
	if star, ok := ast.Unparen(l).(*ast.StarExpr); ok {
		s.assignWhole(s.info.TypeOf(star))
		return
	}
	v := s.variable(l)
	if v == nil {
		return
	}
	if made[s.root(l)] {
		return
	}
	s.assigned[v] = true
	s.assignWhole(v.Type())
}

// root is the variable that an expression starts at.
func (s *sharing) root(e ast.Expr) types.Object {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.SelectorExpr:
			e = x.X
		case *ast.Ident:
			return s.info.ObjectOf(x)
		default:
			return nil
		}
	}
}

// assignWhole notes that all fields of a struct change at once.
func (s *sharing) assignWhole(t types.Type) {
	if t == nil {
		return
	}
	st, ok := types.Unalias(t).Underlying().(*types.Struct)
	if !ok {
		return
	}
	for f := range st.Fields() {
		if !s.whole[f.Origin()] {
			s.whole[f.Origin()] = true
			s.assignWhole(f.Type())
		}
	}
}

// maxCalls is how many calls deep a function is looked into.
const maxCalls = 4

// clean reports whether a function of the package, and all that it calls,
// leaves alone what a lock may guard.
func (s *sharing) clean(c *checker, fn *types.Func, depth int) bool {
	if ok, seen := s.cleaned[fn]; seen {
		return ok
	}
	decl := s.decls[fn]
	if decl == nil || depth > maxCalls {
		return false
	}
	s.cleaned[fn] = true // what it calls recursively adds nothing
	ok := len(s.guard(c, decl, depth).touches(decl.Body)) == 0
	s.cleaned[fn] = ok
	return ok
}
