package nodeadline

import (
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// readDeadline gives the connection a deadline before the read, if the function
// closes it in the end.
func (r *remedy) readDeadline() bool {
	root := r.c.res.Root(r.v.effect.On)
	if root == nil {
		return false
	}
	name, ok := r.variable()
	if !ok {
		return false
	}
	stmt, loop := r.statementAround()
	// A helper that is given an accepted connection may serve it to the end.
	if stmt == nil || loop && r.c.res.Repeats(r.v.site.Instr, root) || r.v.accepted && (!r.v.effect.Direct || r.goesOn(stmt.End())) || !r.file.OwnLines(stmt) || !r.closes(name) && !r.closedByCallee(root) || !r.once(stmt.Pos()) {
		return false
	}
	if _, ok := r.imported("time", "time"); !ok {
		return false
	}
	r.edits = append(r.edits, r.file.InsertBefore(stmt, name+".SetReadDeadline(time.Now().Add("+dialLimit+"))"))
	r.title = "Set a deadline for what is read"
	r.change = "everything that is read from " + name + " afterwards has to be there within 10 s"
	return true
}

// variable is the local variable with the connection: an argument of the call,
// its receiver, or what a reader of it was made from.
func (r *remedy) variable() (string, bool) {
	list := append([]ast.Expr(nil), r.call.Args...)
	if sel, ok := ast.Unparen(r.call.Fun).(*ast.SelectorExpr); ok {
		list = append(list, sel.X)
	}
	for _, e := range list {
		if id, ok := ast.Unparen(e).(*ast.Ident); ok && isConn(r.c.pass.TypesInfo.TypeOf(id)) {
			return id.Name, true
		}
	}
	name := r.c.res.NameOf(r.v.effect.On)
	if scope := r.c.pass.Pkg.Scope().Innermost(r.call.Pos()); scope != nil && token.IsIdentifier(name) {
		if _, obj := scope.LookupParent(name, r.call.Pos()); obj != nil && isConn(obj.Type()) {
			return name, true
		}
	}
	return "", false
}

// closedByCallee reports whether the function that is given the connection closes
// it when it is done.
func (r *remedy) closedByCallee(conn ssa.Value) bool {
	call, ok := r.v.site.Instr.(ssa.CallInstruction)
	if !ok {
		return false
	}
	callee := r.c.res.Callee(call)
	if callee.Body == nil {
		return false
	}
	for i, a := range callee.Args {
		if i >= len(callee.Body.Params) || r.c.res.Path(a) != r.c.res.Path(conn) {
			continue
		}
		given := r.c.res.Path(callee.Body.Params[i])
		for _, b := range callee.Body.Blocks {
			for _, instr := range b.Instrs {
				d, ok := instr.(*ssa.Defer)
				if !ok {
					continue
				}
				inner := r.c.res.Callee(d)
				if inner.Func != nil && inner.Func.Name() == "Close" && len(inner.Args) > 0 && r.c.res.Path(inner.Args[0]) == given {
					return true
				}
			}
		}
	}
	return false
}

// closes reports whether the function closes the connection in the end.
func (r *remedy) closes(name string) bool {
	_, body := function(r.path)
	if body == nil {
		return false
	}
	for _, s := range body.List {
		d, ok := s.(*ast.DeferStmt)
		if !ok {
			continue
		}
		if sel, ok := d.Call.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == "Close" {
			if id, ok := sel.X.(*ast.Ident); ok && id.Name == name {
				return true
			}
		}
	}
	return false
}
