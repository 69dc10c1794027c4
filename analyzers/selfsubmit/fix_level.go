package selfsubmit

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/concvet/concvet/internal/ir"
	"github.com/concvet/concvet/internal/pool"
)

const errgroupPath = "golang.org/x/sync/errgroup"

// limit is that of a group of its own where the one of the outer group is no
// constant.
const limit = 8

// ownGroup gives the tasks that a task starts a group of their own, for which it
// waits at its end. A recursion would make one at each level, n to the power of
// the depth goroutines, so there is none for it.
func (r *remedy) ownGroup() bool {
	if r.call == nil || len(r.call.Args) != 1 || r.y.Op.Verb != pool.Submit || r.place != r.y.Op.Instr || !r.returnsError() || r.recursive() {
		return false
	}
	sel, ok := ast.Unparen(r.call.Fun).(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "Go" || !r.isGroup(sel.X) {
		return false
	}
	lit, ok := r.fn.(*ast.FuncLit)
	if !ok || !r.task {
		return false // who calls a function otherwise does not expect it to wait
	}
	outer, last := r.level(lit)
	if outer == nil || r.leaves(outer) || r.goes(lit) != 1 {
		return false
	}
	name := r.free("inner", "nested", "level")
	if name == "" {
		return false
	}
	group, imports, ok := r.file.Import(r.c.pass.Pkg, r.stmt.Pos(), errgroupPath, "errgroup")
	if !ok {
		return false
	}
	n := int64(limit)
	if r.y.Size > 0 {
		n = r.y.Size
	}
	r.edits = append(imports,
		r.file.InsertBefore(outer, fmt.Sprintf("var %s %s.Group\n%s.SetLimit(%d)", name, group, name, n)),
		r.file.Replace(sel.X, name),
		r.file.Replace(last.Results[0], name+".Wait()"))
	r.title = fmt.Sprintf("give these tasks a group of their own, with a limit of %d", n)
	r.change = fmt.Sprintf("the task waits for them, and each may have %d: so many times as many run at once", n)
	return true
}

// isGroup reports whether an expression is an errgroup.Group, or points to one.
func (r *remedy) isGroup(e ast.Expr) bool {
	t := r.c.pass.TypesInfo.TypeOf(e)
	if t == nil {
		return false
	}
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	return ir.IsNamed(t, errgroupPath, "Group")
}

// recursive reports whether the task that is handed over comes to this place
// again.
func (r *remedy) recursive() bool {
	for _, t := range r.c.model.Tasks {
		if t.At != r.y.Op.Instr {
			continue
		}
		for _, op := range r.c.model.Ops(t) {
			if op.Instr == r.y.Op.Instr {
				return true
			}
		}
	}
	return false
}

// level is the statement of a literal's body that the finding is in, if nothing
// but a return of nil follows it.
func (r *remedy) level(lit *ast.FuncLit) (ast.Stmt, *ast.ReturnStmt) {
	list := lit.Body.List
	for i, s := range list {
		if s.Pos() > r.stmt.Pos() || s.End() < r.stmt.End() {
			continue
		}
		if i+2 != len(list) || !r.file.OwnLines(s) {
			return nil, nil
		}
		ret, ok := list[i+1].(*ast.ReturnStmt)
		if !ok || len(ret.Results) != 1 {
			return nil, nil
		}
		id, ok := ast.Unparen(ret.Results[0]).(*ast.Ident)
		if !ok || id.Name != "nil" {
			return nil, nil
		}
		return s, ret
	}
	return nil, nil
}

// leaves reports whether a statement may leave the function around it, so that
// what it has started is not waited for.
func (r *remedy) leaves(s ast.Stmt) bool {
	found := false
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			found = true
		case *ast.BranchStmt:
			found = found || n.Label != nil
		}
		return !found
	})
	return found
}

// goes counts the calls by which a literal itself starts tasks of the group.
func (r *remedy) goes(lit *ast.FuncLit) int {
	n := 0
	ast.Inspect(lit.Body, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			sel, ok := ast.Unparen(node.Fun).(*ast.SelectorExpr)
			if ok && r.isGroup(sel.X) {
				n++
			}
		}
		return true
	})
	return n
}
