package holdacross

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"

	"golang.org/x/tools/go/ast/astutil"
)

// A place is where a site stands in the syntax.
type place struct {
	path []ast.Node     // the nodes around the site, innermost first, up to the function
	decl *ast.FuncDecl  // nil in a literal
	body *ast.BlockStmt // of the innermost function
}

func (r *remedy) locate() *place {
	path, _ := astutil.PathEnclosingInterval(r.file.Syntax, r.site.Pos, r.site.Pos)
	for i, n := range path {
		switch n := n.(type) {
		case *ast.FuncDecl:
			return &place{path[:i], n, n.Body}
		case *ast.FuncLit:
			if i > 0 && path[i-1] != n.Body {
				continue // the literal itself is called here
			}
			return &place{path[:i], nil, n.Body}
		}
	}
	return nil
}

// A span is a part of one list of statements: the acquire, the statement that
// blocks, and the release.
type span struct {
	list    []ast.Stmt
	take    int // index of the acquire
	block   int // index of the statement that the site is in
	release int // index of the release; of a deferred one, take+1
	defers  bool
}

// statements is the list of statements that a node holds.
func statements(n ast.Node) []ast.Stmt {
	switch n := n.(type) {
	case *ast.BlockStmt:
		return n.List
	case *ast.CaseClause:
		return n.Body
	case *ast.CommClause:
		return n.Body
	}
	return nil
}

// list finds the innermost list of statements around the site in which accept
// finds a statement before the one that the site is in. It fails in and around
// loops: what is used after the call may be used by the next round.
func (p *place) list(accept func(list []ast.Stmt, block int) int) (s span, ok bool) {
	for i, n := range p.path {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt, *ast.FuncLit:
			return s, false
		}
		list := statements(n)
		if list == nil || i == 0 {
			continue
		}
		for j, stmt := range list {
			if stmt != p.path[i-1] {
				continue
			}
			if take := accept(list, j); take >= 0 {
				for _, outer := range p.path[i:] {
					switch outer.(type) {
					case *ast.ForStmt, *ast.RangeStmt:
						return s, false
					}
				}
				return span{list: list, take: take, block: j, release: -1}, true
			}
		}
	}
	return s, false
}

// jumps reports whether the statements can leave their list other than at its
// end.
func jumps(stmts []ast.Stmt) bool {
	found := false
	for _, s := range stmts {
		ast.Inspect(s, func(n ast.Node) bool {
			switch n.(type) {
			case *ast.ReturnStmt, *ast.BranchStmt, *ast.LabeledStmt:
				found = true
			case *ast.FuncLit:
				return false
			}
			return !found
		})
	}
	return found
}

// labelled reports whether the function has a label or a goto: the order of the
// statements is then not the order in which they run.
func labelled(body *ast.BlockStmt) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		if _, ok := n.(*ast.LabeledStmt); ok {
			found = true
		}
		return !found
	})
	return found
}

// called is the call that a statement consists of: "x.Close()", "_ = x.Close()".
func called(s ast.Stmt) *ast.CallExpr {
	var e ast.Expr
	switch s := s.(type) {
	case *ast.ExprStmt:
		e = s.X
	case *ast.DeferStmt:
		return s.Call
	case *ast.AssignStmt:
		if len(s.Lhs) != 1 || len(s.Rhs) != 1 {
			return nil
		}
		if id, ok := s.Lhs[0].(*ast.Ident); !ok || id.Name != "_" {
			return nil
		}
		e = s.Rhs[0]
	default:
		return nil
	}
	call, _ := ast.Unparen(e).(*ast.CallExpr)
	return call
}

// pure reports whether e is a variable, or a field reached through fields.
func pure(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return true
	case *ast.SelectorExpr:
		return pure(e.X)
	}
	return false
}

// same reports whether two pure expressions name the same variable.
func (r *remedy) same(a, b ast.Expr) bool {
	a, b = ast.Unparen(a), ast.Unparen(b)
	info := r.c.pass.TypesInfo
	switch x := a.(type) {
	case *ast.Ident:
		y, ok := b.(*ast.Ident)
		return ok && info.ObjectOf(x) != nil && info.ObjectOf(x) == info.ObjectOf(y)
	case *ast.SelectorExpr:
		y, ok := b.(*ast.SelectorExpr)
		return ok && info.ObjectOf(x.Sel) == info.ObjectOf(y.Sel) && r.same(x.X, y.X)
	}
	return false
}

// mentions reports whether a node has an expression that is the same variable
// as e.
func (r *remedy) mentions(n ast.Node, e ast.Expr) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		if x, ok := n.(ast.Expr); ok && pure(x) && r.same(x, e) {
			found = true
		}
		return !found
	})
	return found
}

// variables are the variables that a pure expression goes through.
func (r *remedy) variables(e ast.Expr) map[string]bool {
	names := make(map[string]bool)
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if v, ok := r.c.pass.TypesInfo.ObjectOf(id).(*types.Var); ok && !v.IsField() {
				names[id.Name] = true
			}
		}
		return true
	})
	return names
}

// ofLock matches comments that say why the lock is held: what somebody has
// thought about is not for a tool to change.
var ofLock = regexp.MustCompile(`(?i)lock|\bheld\b|\bhold(s|ing)?\b|mutex|\bmu\b|atomic|serialis|serializ|concurren|interleav|\brac(e|y)|guard|protect`)

// explained reports whether a comment on the function, or in it up to a
// position, speaks of the lock.
func (r *remedy) explained(to token.Pos) bool {
	from := r.at.decl.Pos()
	if r.at.decl.Doc != nil {
		from = r.at.decl.Doc.Pos()
	}
	for _, c := range r.file.Comments(from, r.file.LineEnd(to)) {
		if ofLock.MatchString(c.Text) {
			return true
		}
	}
	return false
}
