package unboundedqueue

import (
	"fmt"
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/astutil"
	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/fix"
)

// callAt is the call whose parenthesis opens at a position, with its file.
func (c *checker) callAt(pos token.Pos) (*fix.File, *ast.CallExpr, []ast.Node) {
	file, err := fix.Open(c.pass, pos)
	if err != nil {
		return nil, nil, nil
	}
	path, _ := astutil.PathEnclosingInterval(file.Syntax, pos, pos)
	for i, n := range path {
		if call, ok := n.(*ast.CallExpr); ok && (call.Lparen == pos || call.Pos() == pos) {
			return file, call, path[i:]
		}
	}
	return nil, nil, nil
}

// poolFixes gives the pool the option that bounds its queue, if its library has
// one.
func (c *checker) poolFixes(call *ssa.Call) (out []analysis.SuggestedFix, changes map[string]string) {
	defer func() {
		if recover() != nil {
			out, changes = nil, nil
		}
	}()
	option := c.res.BoundingOption(call)
	file, expr, _ := c.callAt(call.Pos())
	if option == "" || expr == nil || expr.Ellipsis.IsValid() || len(expr.Args) == 0 {
		return nil, nil
	}
	fun := ast.Unparen(expr.Fun)
	if ix, ok := fun.(*ast.IndexExpr); ok {
		fun = ix.X
	}
	sel, ok := fun.(*ast.SelectorExpr)
	if !ok {
		return nil, nil
	}
	last := expr.Args[len(expr.Args)-1]
	r := &remedy{c: c, file: file, title: fmt.Sprintf("Let no more than %d tasks wait", queued), change: "who submits waits while the queue is full"}
	r.edits = append(r.edits, file.Replace(last, fmt.Sprintf("%s, %s.%s(%d)", file.Text(last), file.Text(sel.X), option, queued)))
	return r.done()
}

// capacityFix puts a named constant in the place of a capacity.
func (c *checker) capacityFix(mc *ssa.MakeChan, forOne bool) (out []analysis.SuggestedFix, changes map[string]string) {
	defer func() {
		if recover() != nil {
			out, changes = nil, nil
		}
	}()
	file, call, path := c.callAt(mc.Pos())
	if call == nil || len(call.Args) != 2 {
		return nil, nil
	}
	if _, ok := ast.Unparen(call.Args[1]).(*ast.BasicLit); !ok {
		return nil, nil // a constant that others may use, too
	}
	decl, ok := path[len(path)-2].(ast.Decl)
	if !ok || !file.OwnLines(decl) {
		return nil, nil
	}
	const name = "maxQueued"
	n, why := queued, queuedText
	if forOne {
		n, why = queuedForOne, queuedForOneText
	}
	if c.sized[name] || c.pass.Pkg.Scope().Lookup(name) != nil || c.usedIn(file.Syntax, name) {
		return nil, nil
	}
	if c.sized == nil {
		c.sized = make(map[string]bool)
	}
	c.sized[name] = true
	r := &remedy{c: c, file: file, title: fmt.Sprintf("Make room for %d values", n), change: "senders that found room may wait, or drop, when as many are queued"}
	r.edits = append(r.edits,
		file.InsertBefore(decl, fmt.Sprintf("// %s is how many values may wait for their receiver: %s.\nconst %s = %d\n", name, why, name, n)),
		file.Replace(call.Args[1], name))
	return r.done()
}

func (c *checker) usedIn(f *ast.File, name string) bool {
	found := false
	ast.Inspect(f, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Name == name {
			found = true
		}
		return !found
	})
	return found
}
