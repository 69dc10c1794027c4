package unboundedqueue

import (
	"fmt"
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/concvet/concvet/internal/ir"
)

const (
	runtimeModule = "github.com/concvet/concvet/runtime"
	workpoolPath  = runtimeModule + "/workpool"
)

// workpool hands what a go statement in a loop runs to a pool that is made before
// the loop: it limits the workers and the queue before them.
func (r *remedy) workpool() bool {
	g, outer := r.goStmt(), r.outerLoop()
	if g == nil || outer == nil || !r.plain(g) || !r.plain(outer) || !r.free("pool") {
		return false
	}
	for _, n := range r.path {
		if _, ok := n.(*ast.FuncLit); ok && n != r.path[len(r.path)-1] {
			return false
		}
	}
	names, imports, ok := r.file.Imports(r.c.pass.Pkg, g.Pos(), [2]string{"context", "context"}, [2]string{workpoolPath, "workpool"})
	if !ok {
		return false
	}
	context, name := names[0], names[1]
	submit, failed := r.submit(context)
	head := fmt.Sprintf("%s func(%s.Context) ", submit, context)
	if lit, ok := ast.Unparen(g.Call.Fun).(*ast.FuncLit); ok {
		if len(g.Call.Args) > 0 || lit.Type.Results.NumFields() > 0 || len(lit.Body.List) == 0 {
			return false
		}
		r.edits = append(r.edits,
			analysis.TextEdit{Pos: g.Pos(), End: lit.Body.Lbrace, NewText: []byte(head)},
			analysis.TextEdit{Pos: lit.End(), End: g.End(), NewText: []byte(")" + failed)})
	} else {
		if !r.stable(g.Call, outer) {
			return false
		}
		r.edits = append(r.edits, r.file.Replace(g, head+"{ "+r.file.Text(g.Call)+" })"+failed))
	}
	r.edits = append(r.edits, imports...)
	r.edits = append(r.edits, r.file.InsertBefore(outer, fmt.Sprintf(
		"// Workers: %s.\n// Queue: %s.\npool := %s.New(%d, %d)\ndefer pool.Shutdown(%s.Background())",
		workersText, queuedText, name, workers, queued, context)))
	r.title = fmt.Sprintf("Run them on a pool of %d workers with a queue of %d (add %s)", workers, queued, runtimeModule)
	r.change = fmt.Sprintf("it needs the module: go get %s; the loop waits while the queue is full, and the function returns when all that was accepted is done", runtimeModule)
	return true
}

// submit is the beginning of the call that hands a task over, and what follows
// its end: the wait for room ends with the context of the function, if it is
// clear what the function does then.
func (r *remedy) submit(context string) (head, failed string) {
	var typ *ast.FuncType
	switch fn := r.path[len(r.path)-1].(type) {
	case *ast.FuncDecl:
		typ = fn.Type
	case *ast.FuncLit:
		typ = fn.Type
	}
	ctx := r.contextParam(typ)
	if ctx == "" || r.list() {
		return fmt.Sprintf("pool.Submit(%s.Background(),", context), ""
	}
	if typ.Results.NumFields() > 0 {
		if t := r.c.pass.TypesInfo.TypeOf(typ.Results.List[0].Type); typ.Results.NumFields() > 1 || !types.Identical(t, types.Universe.Lookup("error").Type()) || !r.free("err") {
			return fmt.Sprintf("pool.Submit(%s.Background(),", context), ""
		}
		return fmt.Sprintf("if err := pool.Submit(%s,", ctx), "; err != nil {\nreturn err\n}"
	}
	return fmt.Sprintf("if pool.Submit(%s,", ctx), " != nil {\nreturn\n}"
}

// contextParam is the name of the parameter that is a context, "" if there is
// none or if its name means something else at the site.
func (r *remedy) contextParam(typ *ast.FuncType) string {
	for _, field := range typ.Params.List {
		for _, id := range field.Names {
			obj := r.c.pass.TypesInfo.Defs[id]
			if obj == nil || id.Name == "_" || !ir.IsContext(obj.Type()) {
				continue
			}
			if _, now := r.c.pass.Pkg.Scope().Innermost(r.f.site.Pos).LookupParent(id.Name, r.f.site.Pos); now == obj {
				return id.Name
			}
		}
	}
	return ""
}
