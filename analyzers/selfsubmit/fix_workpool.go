package selfsubmit

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/concvet/concvet/internal/pool"
)

const (
	runtimeModule = "github.com/concvet/concvet/runtime"
	workpoolPath  = runtimeModule + "/workpool"
	concPath      = "github.com/sourcegraph/conc/pool"

	// queued is the room before the workers: 0.5 s of waiting × 2,000 a second.
	queued = 1000
)

// workpool makes a pool of the runtime module of a pool of conc that one function
// makes, uses and waits for: it can say that it has no room, and then the task
// does the work itself.
func (r *remedy) workpool() bool {
	if r.call == nil || r.y.Op.Verb != pool.Submit || r.place != r.y.Op.Instr {
		return false
	}
	sel, ok := ast.Unparen(r.call.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	id, ok := ast.Unparen(sel.X).(*ast.Ident)
	if !ok {
		return false
	}
	v, ok := r.c.pass.TypesInfo.Uses[id].(*types.Var)
	if !ok {
		return false
	}
	p := r.pooled(v)
	if p == nil {
		return false
	}
	names, edits, ok := r.file.Imports(r.c.pass.Pkg, p.made.Pos(), [2]string{"context", "context"}, [2]string{workpoolPath, "workpool"})
	if !ok {
		return false
	}
	old, ok := r.dropImport(p)
	if !ok {
		return false
	}
	context := names[0]
	r.edits = append(edits, old...)
	r.edits = append(r.edits, r.file.Replace(p.made, fmt.Sprintf("%s := %s.New(%s, %d) // queue: 0.5 s of waiting × 2,000 a second", v.Name(), names[1], r.file.Text(p.size), queued)))
	for _, s := range p.submits {
		text, ok := r.handsOver(s, v.Name(), context)
		if !ok {
			return false
		}
		r.edits = append(r.edits, text...)
	}
	r.edits = append(r.edits, r.file.Replace(p.wait.Fun, v.Name()+".Shutdown"),
		analysis.TextEdit{Pos: p.wait.Lparen + 1, End: p.wait.Lparen + 1, NewText: []byte(context + ".Background()")})
	r.title = fmt.Sprintf("use a pool that says when it has no room, and run the task here then (add %s)", runtimeModule)
	r.change = fmt.Sprintf("it needs the module: go get %s; a panic of a task ends the program, where conc hands it to Wait", runtimeModule)
	return true
}

// A concPool is a local variable that is a pool of conc, and all of its uses.
type concPool struct {
	made    *ast.AssignStmt // p := pool.New().WithMaxGoroutines(n)
	size    ast.Expr
	submits []submission // p.Go(f)
	wait    *ast.CallExpr
}

type submission struct {
	stmt   *ast.ExprStmt
	call   *ast.CallExpr
	inside bool // in a literal, which may be a task
}

// pooled finds the uses of a variable that is such a pool, nil if there are
// others than those that are understood.
func (r *remedy) pooled(v *types.Var) *concPool {
	p := &concPool{}
	uses, known := 0, 0
	info := r.c.pass.TypesInfo
	is := func(e ast.Expr) bool {
		id, ok := ast.Unparen(e).(*ast.Ident)
		return ok && info.Uses[id] == types.Object(v)
	}
	var stack []ast.Node
	ast.Inspect(r.file.Syntax, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		stack = append(stack, n)
		switch n := n.(type) {
		case *ast.Ident:
			if info.Uses[n] == types.Object(v) {
				uses++
			}
		case *ast.AssignStmt:
			if len(n.Lhs) != 1 || len(n.Rhs) != 1 || n.Tok != token.DEFINE {
				return true
			}
			if id, ok := n.Lhs[0].(*ast.Ident); ok && info.Defs[id] == types.Object(v) {
				if p.size = r.concSize(n.Rhs[0]); p.size != nil {
					p.made = n
				}
			}
		case *ast.ExprStmt:
			call, ok := ast.Unparen(n.X).(*ast.CallExpr)
			if !ok {
				return true
			}
			sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
			if !ok || !is(sel.X) {
				return true
			}
			within := p.made == nil || inside(stack, p.made)
			switch {
			case sel.Sel.Name == "Go" && len(call.Args) == 1 && r.file.OwnLines(n) && p.wait == nil:
				p.submits = append(p.submits, submission{n, call, within})
				known++
			case sel.Sel.Name == "Wait" && len(call.Args) == 0 && p.wait == nil && !within && !looped(stack, p.made):
				p.wait = call
				known++
			}
		}
		return true
	})
	if p.made == nil || p.wait == nil || uses != known || !r.file.OwnLines(p.made) {
		return nil
	}
	return p
}

// looped reports whether the innermost of some nodes stands in a loop that does
// not make the pool anew.
func looped(stack []ast.Node, made ast.Node) bool {
	for _, n := range stack {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			if n.Pos() > made.Pos() {
				return true
			}
		}
	}
	return false
}

// inside reports whether the innermost of some nodes stands in a literal that
// does not contain where the pool is made.
func inside(stack []ast.Node, made ast.Node) bool {
	for _, n := range stack {
		if lit, ok := n.(*ast.FuncLit); ok && !(lit.Pos() <= made.Pos() && made.End() <= lit.End()) {
			return true
		}
	}
	return false
}

// concSize is n in pool.New().WithMaxGoroutines(n), nil for anything else.
func (r *remedy) concSize(e ast.Expr) ast.Expr {
	limit, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || len(limit.Args) != 1 || !r.isConc(limit.Fun, "WithMaxGoroutines") {
		return nil
	}
	made, ok := ast.Unparen(ast.Unparen(limit.Fun).(*ast.SelectorExpr).X).(*ast.CallExpr)
	if !ok || len(made.Args) != 0 || !r.isConc(made.Fun, "New") {
		return nil
	}
	return limit.Args[0]
}

func (r *remedy) isConc(e ast.Expr, name string) bool {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != name {
		return false
	}
	fn, ok := r.c.pass.TypesInfo.Uses[sel.Sel].(*types.Func)
	if !ok || fn.Pkg() == nil || fn.Pkg().Path() != concPath {
		return false
	}
	recv := fn.Signature().Recv()
	return recv == nil || strings.HasSuffix(recv.Type().String(), "pool.Pool")
}

// handsOver is what takes the place of one call of Go.
func (r *remedy) handsOver(s submission, name, context string) ([]analysis.TextEdit, bool) {
	arg := ast.Unparen(s.call.Args[0])
	text := ""
	switch arg := arg.(type) {
	case *ast.FuncLit:
		text = fmt.Sprintf("func(%s.Context) ", context)
		if !s.inside {
			return []analysis.TextEdit{
				r.file.Replace(s.call.Fun, name+".Submit"),
				{Pos: arg.Pos(), End: arg.Body.Pos(), NewText: []byte(context + ".Background(), " + text)},
			}, true
		}
		variable := "task"
		if scope := r.c.pass.Pkg.Scope().Innermost(s.call.Pos()); scope == nil {
			return nil, false
		} else if _, obj := scope.LookupParent(variable, s.call.Pos()); obj != nil {
			return nil, false
		}
		return []analysis.TextEdit{
			{Pos: s.stmt.Pos(), End: arg.Body.Pos(), NewText: []byte(variable + " := " + text)},
			{Pos: arg.End(), End: s.stmt.End(), NewText: fmt.Appendf(nil, "\nif %s.TrySubmit(%s) != nil {\n%s(%s.Background())\n}", name, variable, variable, context)},
		}, true
	case *ast.Ident:
		text = fmt.Sprintf("func(%s.Context) { %s() }", context, arg.Name)
		if s.inside {
			return []analysis.TextEdit{r.file.Replace(s.stmt, fmt.Sprintf("if %s.TrySubmit(%s) != nil {\n%s()\n}", name, text, arg.Name))}, true
		}
		return []analysis.TextEdit{r.file.Replace(s.stmt, fmt.Sprintf("%s.Submit(%s.Background(), %s)", name, context, text))}, true
	}
	return nil, false
}

// dropImport takes the import of conc away. It fails if something else needs it.
func (r *remedy) dropImport(p *concPool) ([]analysis.TextEdit, bool) {
	used := false
	ast.Inspect(r.file.Syntax, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || p.made.Pos() <= id.Pos() && id.Pos() < p.made.End() {
			return true
		}
		if name, ok := r.c.pass.TypesInfo.Uses[id].(*types.PkgName); ok && name.Imported().Path() == concPath {
			used = true
		}
		return true
	})
	if used {
		return nil, false // and may be replaced at the same time
	}
	for _, d := range r.file.Syntax.Decls {
		decl, ok := d.(*ast.GenDecl)
		if !ok || decl.Tok != token.IMPORT {
			continue
		}
		for _, s := range decl.Specs {
			spec, ok := s.(*ast.ImportSpec)
			if !ok {
				continue
			}
			if path, err := strconv.Unquote(spec.Path.Value); err != nil || path != concPath {
				continue
			}
			if !decl.Lparen.IsValid() || len(decl.Specs) == 1 || !r.file.OwnLines(spec) {
				return nil, false
			}
			return []analysis.TextEdit{r.file.DeleteLines(spec)}, true
		}
	}
	return nil, false
}
