package unboundedqueue

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"
)

// setLimit calls SetLimit right after the group is made, in the same function.
func (r *remedy) setLimit() bool {
	call, group := r.groupCall()
	if call == nil || r.nested(group) {
		return false
	}
	made := r.made(group)
	if made == nil {
		return false
	}
	if old := r.oldLimit(group); old != nil {
		r.edits = append(r.edits, r.file.Replace(old, fmt.Sprint(workers)))
	} else {
		if !r.file.OwnLines(made) {
			return false
		}
		r.edits = append(r.edits, r.file.InsertAfter(made, fmt.Sprintf("%s.SetLimit(%d) %s", group.Name(), workers, limitComment())))
	}
	r.title = fmt.Sprintf("Limit the group to %d goroutines", workers)
	if r.f.effect.Does&waiting != 0 {
		r.change = "no more than 64 of the tasks run at once: they must not wait for each other"
	}
	return true
}

// groupCall is the call of the site and the variable of the group.
func (r *remedy) groupCall() (*ast.CallExpr, *types.Var) {
	for _, n := range r.path {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			continue
		}
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok || sel.Sel.Name != "Go" {
			continue
		}
		v, ok := r.object(sel.X).(*types.Var)
		if !ok || v.IsField() || v.Parent() == r.c.pass.Pkg.Scope() {
			return nil, nil
		}
		return call, v
	}
	return nil, nil
}

// nested reports whether a task of the group uses the group itself: with a limit
// it could wait for its own place. So could other tasks be waited for before.
func (r *remedy) nested(group *types.Var) bool {
	found := false
	ast.Inspect(r.path[len(r.path)-1], func(n ast.Node) bool {
		lit, ok := n.(*ast.FuncLit)
		if !ok {
			return !found
		}
		ast.Inspect(lit, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && r.c.pass.TypesInfo.Uses[id] == group {
				found = true
			}
			return !found
		})
		return false
	})
	return found
}

// made is the statement that defines the group, in the function of the site.
func (r *remedy) made(group *types.Var) ast.Stmt {
	var out ast.Stmt
	body := r.path[len(r.path)-1]
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return n == body
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				break
			}
			for _, l := range n.Lhs {
				if id, ok := l.(*ast.Ident); ok && r.c.pass.TypesInfo.Defs[id] == group {
					out = n
				}
			}
		case *ast.DeclStmt:
			d, ok := n.Decl.(*ast.GenDecl)
			if !ok || len(d.Specs) != 1 {
				break
			}
			if vs, ok := d.Specs[0].(*ast.ValueSpec); ok && len(vs.Names) == 1 && r.c.pass.TypesInfo.Defs[vs.Names[0]] == group {
				if _, isPointer := group.Type().Underlying().(*types.Pointer); !isPointer || len(vs.Values) == 1 {
					out = n
				}
			}
		}
		return out == nil
	})
	return out
}

// oldLimit is the argument of a SetLimit that sets none.
func (r *remedy) oldLimit(group *types.Var) ast.Expr {
	var out ast.Expr
	ast.Inspect(r.path[len(r.path)-1], func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 1 {
			return true
		}
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if ok && sel.Sel.Name == "SetLimit" && r.object(sel.X) == types.Object(group) && typeutil.StaticCallee(r.c.pass.TypesInfo, call) != nil {
			out = call.Args[0]
		}
		return true
	})
	return out
}
