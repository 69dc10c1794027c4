package blockinloop

import (
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/astutil"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/fix"
)

// A remedy is a fix of one finding under way.
type remedy struct {
	c    *checker
	v    *verdict
	file *fix.File
	path []ast.Node // from the statement of the wait outwards
	stmt ast.Stmt
	call *ast.CallExpr // set if what moves is a call, see beside

	others []analysis.TextEdit // besides the one of the statement

	title  string
	change string // what else changes, for a reader to judge; "" for a safe fix
}

// fixes suggests how the loop does not wait any more. What only ends the wait
// when the loop has to end is safe; a send that may be dropped, or a call that
// runs beside the loop, is for a reader to judge. Everything that is not
// understood is left to the reader.
func (c *checker) fixes(v *verdict) (out []analysis.SuggestedFix, changes map[string]string) {
	defer func() {
		if recover() != nil {
			out, changes = nil, nil // the finding is worth more than a fix of it
		}
	}()
	file, err := fix.Open(c.pass, v.site.Pos)
	if err != nil {
		return nil, nil
	}
	r := &remedy{c: c, v: v, file: file}
	if !r.locate() {
		return nil, nil
	}
	text, ok := r.text()
	if !ok {
		return nil, nil
	}
	changes = make(map[string]string)
	add := func(r *remedy, text string) {
		edits, ok := file.Clean(append([]analysis.TextEdit{file.Replace(r.stmt, text)}, r.others...))
		if !ok {
			return
		}
		out = append(out, analysis.SuggestedFix{Message: r.title, TextEdits: edits})
		if r.change != "" {
			changes[r.title] = r.change
		}
	}
	if add(r, text); len(out) == 0 || r.call == nil {
		return out, changes
	}
	pooled := &remedy{c: c, v: v, file: file, stmt: r.stmt, path: r.path, call: r.call}
	if text, ok := pooled.pool(); ok {
		add(pooled, text)
	}
	return out, changes
}

// locate finds the statement of the wait, which must have its lines for itself.
func (r *remedy) locate() bool {
	path, _ := astutil.PathEnclosingInterval(r.file.Syntax, r.v.site.Pos, r.v.site.Pos)
	for i, n := range path {
		stmt, ok := n.(ast.Stmt)
		if !ok {
			continue
		}
		r.stmt, r.path = stmt, path[i:]
		return r.file.OwnLines(stmt) || r.v.slug == EventLoop // then a part of an if statement moves with it
	}
	return false
}

// text is what replaces the statement.
func (r *remedy) text() (string, bool) {
	switch r.v.slug {
	case IgnoresStop:
		if r.bare() {
			return r.untilStop()
		}
	case EventLoop:
		if r.v.effect.Kind != effect.ChanSend {
			return r.beside()
		}
		if r.bare() {
			return r.orDrop()
		}
	case Callback:
		if r.v.label == "bubbletea event loop" && r.bare() {
			return r.command()
		}
	}
	return "", false
}

// bare reports whether the statement has its lines for itself and no comment that
// would be lost.
func (r *remedy) bare() bool {
	return r.file.OwnLines(r.stmt) && len(r.file.Comments(r.stmt.Pos(), r.stmt.End())) == 0
}

// lines joins lines, indented as the statement is.
func (r *remedy) lines(list ...string) string {
	column := r.c.pass.Fset.PositionFor(r.stmt.Pos(), false).Column
	return strings.Join(list, "\n"+strings.Repeat("\t", column-1))
}

// untilStop puts the wait into a select with the stop of the loop.
func (r *remedy) untilStop() (string, bool) {
	if r.v.effect.Frames == nil || len(r.v.effect.Frames) > 1 {
		return "", false // it stands in another function
	}
	var wait string
	switch stmt := r.stmt.(type) {
	case *ast.SendStmt:
		wait = "case " + r.file.Text(stmt) + ":"
	case *ast.ExprStmt:
		switch x := ast.Unparen(stmt.X).(type) {
		case *ast.CallExpr:
			sel, ok := x.Fun.(*ast.SelectorExpr)
			if !ok || len(x.Args) != 1 || r.v.effect.Kind != effect.Sleep || !r.isTimeSleep(sel) {
				return "", false
			}
			wait = "case <-" + r.file.Text(sel.X) + ".After(" + r.file.Text(x.Args[0]) + "):"
		case *ast.UnaryExpr:
			wait = "case " + r.file.Text(x) + ":"
		default:
			return "", false
		}
	default:
		return "", false
	}
	stop := r.stop()
	if stop == nil {
		return "", false
	}
	out := []string{"select {", wait}
	out = append(out, stop...)
	r.title = "wait for the end of the loop, too"
	return r.lines(append(out, "}")...), true
}

func (r *remedy) isTimeSleep(sel *ast.SelectorExpr) bool {
	fn, ok := r.c.pass.TypesInfo.Uses[sel.Sel].(*types.Func)
	return ok && fn.FullName() == "time.Sleep"
}

// stop is the case that ends the loop, as lines: a copy of one that a select of
// the loop has, or what a question to the context comes to.
func (r *remedy) stop() []string {
	if len(r.v.on.Stop) == 0 {
		return nil
	}
	at := r.v.on.Stop[len(r.v.on.Stop)-1].Pos
	path, _ := astutil.PathEnclosingInterval(r.file.Syntax, at, at)
	for i, n := range path {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.FuncDecl:
			return nil
		case *ast.CommClause:
			return r.clause(n)
		case *ast.CallExpr:
			sel, ok := n.Fun.(*ast.SelectorExpr)
			if !ok || sel.Sel.Name != "Err" || !r.sameHere(sel.X) {
				continue
			}
			if loop := enclosingFor(path[i:]); loop != nil && loop.Cond != nil && loop.Cond.Pos() <= at && at < loop.Cond.End() && r.lastOf(loop.Body) {
				return []string{"case <-" + r.file.Text(sel.X) + ".Done():"}
			}
			return nil
		}
	}
	return nil
}

func enclosingFor(path []ast.Node) *ast.ForStmt {
	for _, n := range path {
		if loop, ok := n.(*ast.ForStmt); ok {
			return loop
		}
	}
	return nil
}

// lastOf reports whether the wait is the last statement of a block: nothing runs
// once more when it ends early.
func (r *remedy) lastOf(body *ast.BlockStmt) bool {
	return len(body.List) > 0 && body.List[len(body.List)-1] == r.stmt
}

// clause copies a case that does nothing but leave the function, or a loop by
// its label.
func (r *remedy) clause(n *ast.CommClause) []string {
	comm, ok := n.Comm.(*ast.ExprStmt)
	if !ok || len(n.Body) != 1 || len(r.file.Comments(n.Pos(), n.End())) > 0 || !r.sameHere(comm) || !r.sameHere(n.Body[0]) {
		return nil
	}
	switch leave := n.Body[0].(type) {
	case *ast.ReturnStmt:
	case *ast.BranchStmt:
		if leave.Label == nil {
			return nil
		}
	default:
		return nil
	}
	if strings.Contains(r.file.Text(n.Body[0]), "\n") {
		return nil
	}
	return []string{"case " + r.file.Text(comm) + ":", "\t" + r.file.Text(n.Body[0])}
}

// sameHere reports whether every name in n means the same where the wait is.
func (r *remedy) sameHere(n ast.Node) bool {
	scope := r.c.pass.Pkg.Scope().Innermost(r.stmt.Pos())
	same := scope != nil
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			same = false
		case *ast.SelectorExpr:
			same = same && r.sameHere(n.X)
			return false
		case *ast.Ident:
			obj := r.c.pass.TypesInfo.Uses[n]
			if _, isLabel := obj.(*types.Label); isLabel || obj == nil {
				return true
			}
			_, here := scope.LookupParent(n.Name, r.stmt.Pos())
			same = same && here == obj
		}
		return same
	})
	return same
}

// orDrop lets a send pass if it would have to wait.
func (r *remedy) orDrop() (string, bool) {
	stmt, ok := r.stmt.(*ast.SendStmt)
	if !ok || len(r.v.effect.Frames) > 1 {
		return "", false
	}
	r.title = "drop what cannot be sent at once"
	r.change = "a receiver that does not keep up misses what is sent to it"
	return r.lines("select {", "case "+r.file.Text(stmt)+":", "default:", "}"), true
}

// command turns a call whose result is not used, before a return without a
// command, into the command of that return.
func (r *remedy) command() (string, bool) {
	stmt, ok := r.stmt.(*ast.ExprStmt)
	if !ok {
		return "", false
	}
	call, ok := ast.Unparen(stmt.X).(*ast.CallExpr)
	ret := r.next()
	if !ok || ret == nil || len(ret.Results) != 2 {
		return "", false
	}
	scope := r.c.pass.Pkg.Scope().Innermost(r.stmt.Pos())
	if tv, ok := r.c.pass.TypesInfo.Types[ret.Results[1]]; !ok || !tv.IsNil() || scope == nil {
		return "", false
	}
	if _, taken := scope.LookupParent("cmd", r.stmt.Pos()); taken != nil {
		return "", false
	}
	msg := r.message()
	if msg == "" {
		return "", false
	}
	r.title = "return the call as a command"
	r.change = "the call is made after Update has returned, beside others"
	r.others = append(r.others, r.file.Replace(ret.Results[1], "cmd"))
	return r.lines("cmd := func() "+msg+" {", "\t"+r.file.Text(call), "\treturn nil", "}"), true
}

// next is the return statement after the wait, nil if another one follows.
func (r *remedy) next() *ast.ReturnStmt {
	var list []ast.Stmt
	if len(r.path) < 2 {
		return nil
	}
	switch parent := r.path[1].(type) {
	case *ast.BlockStmt:
		list = parent.List
	case *ast.CaseClause:
		list = parent.Body
	}
	for i, stmt := range list {
		if stmt == r.stmt && i+1 < len(list) {
			ret, _ := list[i+1].(*ast.ReturnStmt)
			return ret
		}
	}
	return nil
}

// message is the message type of bubbletea, as the parameter of Update is
// written: "tea.Msg".
func (r *remedy) message() string {
	for _, n := range r.path {
		if decl, ok := n.(*ast.FuncDecl); ok && decl.Name.Name == "Update" && len(decl.Type.Params.List) == 1 {
			return r.file.Text(decl.Type.Params.List[0].Type)
		}
		if _, ok := n.(*ast.FuncLit); ok {
			return ""
		}
	}
	return ""
}
