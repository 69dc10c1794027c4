package holdacross

import (
	"go/ast"
	"go/constant"
	"go/types"
	"regexp"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
)

// closeTwice are the methods that give a thing back and may be called again,
// after which they do nothing.
var closeTwice = map[string]bool{
	"(*database/sql.Rows).Close": true, "(*database/sql.Conn).Close": true,
	"(*github.com/jmoiron/sqlx.Conn).Close":           true,
	"(github.com/jackc/pgx/v5.Rows).Close":            true,
	"(*github.com/jackc/pgx/v5/pgxpool.Conn).Release": true,
	"(github.com/gomodule/redigo/redis.Conn).Close":   true,
}

// closeFirst gives rows or a connection back before the call: by moving the
// statement that does it, or, where that is deferred, by doing it already.
// Nothing from the call on may use them.
func (r *remedy) closeFirst() bool {
	held := r.variable()
	if held == nil || r.at.decl == nil || labelled(r.at.body) || r.escapes(held) || r.v.thing.Class == effect.Conn && r.session() {
		return false
	}
	var deferred ast.Stmt
	ast.Inspect(r.at.body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.DeferStmt:
			if r.closes(n, held) {
				deferred = n
			}
		}
		return true
	})
	s, ok := r.at.list(func(list []ast.Stmt, block int) int {
		for i := block + 1; i < len(list); i++ {
			if _, isDefer := list[i].(*ast.DeferStmt); !isDefer && r.closes(list[i], held) {
				return i
			}
		}
		if deferred != nil {
			return 0
		}
		return -1
	})
	if !ok {
		return false
	}
	block := s.list[s.block]
	if r.others(r.v.thing.Pos+1, block.Pos(), r.reported) {
		return false // the fix of that one is this one's, too
	}
	if !r.file.OwnLines(block) || s.block > 0 && !r.file.OwnLines(s.list[s.block-1]) || !r.visible(held) {
		return false
	}
	insert := func(text string) analysis.TextEdit {
		if s.block == 0 {
			return r.file.InsertBefore(block, text)
		}
		return r.file.InsertAfter(s.list[s.block-1], text)
	}
	if deferred != nil {
		call := called(deferred)
		if deferred.Pos() > r.site.Pos || !closeTwice[r.callee(call)] || r.usedAfter(held, block) {
			return false
		}
		r.closeTitle(call)
		r.edits = append(r.edits, insert(r.file.Text(call)))
		return true
	}
	release := s.list[s.take]
	between := s.list[s.block:s.take]
	if jumps(between) || r.usesAny(between, held) {
		return false
	}
	if !r.file.Alone(release) || r.file.Commented(release) {
		return false
	}
	r.closeTitle(called(release))
	r.edits = append(r.edits, r.file.DeleteLines(release), insert(r.file.Text(release)))
	return true
}

// ofSession matches statements that leave something in the session, for which
// the connection may be held.
var ofSession = regexp.MustCompile(`(?i)advisory|get_lock|applock|lock\s+table|\btemp|\blisten\b`)

// session reports whether the function speaks such a statement.
func (r *remedy) session() bool {
	found := false
	ast.Inspect(r.at.decl, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok {
			if tv := r.c.pass.TypesInfo.Types[e]; tv.Value != nil && tv.Value.Kind() == constant.String {
				found = found || ofSession.MatchString(constant.StringVal(tv.Value))
			}
		}
		return !found
	})
	return found
}

func (r *remedy) closeTitle(call *ast.CallExpr) {
	sel, _ := call.Fun.(*ast.SelectorExpr)
	verb := "close "
	if sel.Sel.Name == "Release" {
		verb = "release "
	}
	r.title = verb + types.ExprString(sel.X) + " before the " + r.operation()
}

// variable is the local variable that holds the thing, nil if there is none.
func (r *remedy) variable() types.Object {
	index := 0
	switch v := r.v.thing.Value.(type) {
	case *ssa.Parameter:
		return v.Object()
	case *ssa.Extract:
		index = v.Index
	case nil:
		return nil
	}
	var found types.Object
	ast.Inspect(r.file.Syntax, func(n ast.Node) bool {
		assign, ok := n.(*ast.AssignStmt)
		if !ok || len(assign.Rhs) != 1 || index >= len(assign.Lhs) {
			return true
		}
		call, ok := ast.Unparen(assign.Rhs[0]).(*ast.CallExpr)
		if ok && call.Lparen == r.v.thing.Pos {
			if id, ok := assign.Lhs[index].(*ast.Ident); ok {
				found = r.c.pass.TypesInfo.ObjectOf(id)
			}
		}
		return true
	})
	return found
}

// visible reports whether the name of a variable means it at the site.
func (r *remedy) visible(v types.Object) bool {
	scope := r.c.pass.Pkg.Scope().Innermost(r.site.Pos)
	if scope == nil {
		return false
	}
	_, obj := scope.LookupParent(v.Name(), r.site.Pos)
	return obj == v
}

// closes reports whether a statement gives the thing back.
func (r *remedy) closes(s ast.Stmt, held types.Object) bool {
	call := called(s)
	if call == nil {
		return false
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "Close" && sel.Sel.Name != "Release" {
		return false
	}
	id, ok := sel.X.(*ast.Ident)
	return ok && r.c.pass.TypesInfo.ObjectOf(id) == held
}

// escapes reports whether the variable is assigned twice, shared with a
// literal, copied, or gives out what lives no longer than it does.
func (r *remedy) escapes(held types.Object) bool {
	info := r.c.pass.TypesInfo
	assigned, bad := 0, false
	ast.Inspect(r.at.decl, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			bad = bad || r.uses(n, held)
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				if id, ok := l.(*ast.Ident); ok && info.ObjectOf(id) == held {
					assigned++
				}
			}
			for _, v := range n.Rhs {
				if id, ok := ast.Unparen(v).(*ast.Ident); ok && info.ObjectOf(id) == held {
					bad = true
				}
			}
		case *ast.Ident:
			if v, ok := info.Defs[n].(*types.Var); ok && v != held && lives(v.Type(), r.v.thing.Class) {
				bad = true
			}
		}
		return !bad
	})
	return bad || assigned > 1
}

// lives reports whether a value of type t is valid only as long as the rows or
// the connection that it came from.
func lives(t types.Type, class effect.Class) bool {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	if s, ok := t.(*types.Slice); ok {
		t = types.Unalias(s.Elem())
	}
	named, ok := t.(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return false
	}
	if named.Obj().Name() == "RawBytes" && named.Obj().Pkg().Path() == "database/sql" {
		return true
	}
	if class != effect.Conn {
		return false
	}
	switch named.Obj().Name() {
	case "Rows", "Row", "Stmt", "Tx", "NamedStmt", "BatchResults":
		return true
	}
	return false
}

func (r *remedy) uses(n ast.Node, obj types.Object) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && r.c.pass.TypesInfo.ObjectOf(id) == obj {
			found = true
		}
		return !found
	})
	return found
}

func (r *remedy) usesAny(stmts []ast.Stmt, obj types.Object) bool {
	for _, s := range stmts {
		if r.uses(s, obj) {
			return true
		}
	}
	return false
}

// usedAfter reports whether anything from a statement on uses the variable.
func (r *remedy) usedAfter(obj types.Object, from ast.Stmt) bool {
	found := false
	ast.Inspect(r.at.body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Pos() >= from.Pos() && r.c.pass.TypesInfo.ObjectOf(id) == obj {
			found = true
		}
		return !found
	})
	return found
}
