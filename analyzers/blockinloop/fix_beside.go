package blockinloop

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/fix"
)

const (
	runtimeModule = "github.com/concvet/concvet/runtime"
	workpoolPath  = runtimeModule + "/workpool"
)

// The pool that a fix writes: one worker, as the loop was one, so that the calls
// stay in order; and the queue = wait budget × rate.
const (
	queued     = 100
	queuedText = "1 s of waiting × 100 a second"
)

// beside makes a call in a goroutine, if nothing of it is used: one at a time if
// the loop can leave its source alone meanwhile.
func (r *remedy) beside() (string, bool) {
	if r.v.effect.Kind == effect.Sleep || r.v.heldBy != "" || !r.whole() {
		return "", false
	}
	// The operands of a go statement are evaluated by the loop.
	stmt, plain := r.stmt.(*ast.ExprStmt)
	plain = plain && ast.Unparen(stmt.X) == ast.Expr(r.call) && r.call.Lparen == r.v.site.Pos
	if r.shared(false) {
		return "", false
	}
	apart := !r.shared(true)
	if apart {
		if text, ok := r.oneAtATime(); ok {
			return text, true
		}
	}
	if !apart && !plain {
		return "", false
	}
	if r.overtakes() {
		return "", false
	}
	r.title = "make the call in a goroutine"
	r.change = "calls may run side by side and in any order: bound how many there are, and guard what they share with the loop"
	if plain {
		return "go " + r.file.Text(r.call), true
	}
	if l := r.later(); l == nil || !l.Can(r.stmt) {
		return "", false
	}
	return r.lines("go func() {", "\t"+r.file.Text(r.stmt), "}()"), true
}

// whole makes the statement the one that has all that is done with the results
// of the call: the call alone, or an if statement that looks at them.
func (r *remedy) whole() bool {
	for len(r.path) > 1 {
		outer, ok := r.path[1].(*ast.IfStmt)
		if !ok || outer.Init != r.stmt && outer.Else != r.stmt {
			break
		}
		r.stmt, r.path = outer, r.path[1:]
	}
	if !r.file.OwnLines(r.stmt) || len(r.path) < 2 {
		return false
	}
	switch r.path[1].(type) {
	case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
	default:
		return false
	}
	ast.Inspect(r.stmt, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && call.Lparen == r.v.site.Pos {
			r.call = call
		}
		return r.call == nil
	})
	switch stmt := r.stmt.(type) {
	case *ast.ExprStmt, *ast.IfStmt:
		return r.call != nil
	case *ast.AssignStmt:
		for _, lhs := range stmt.Lhs {
			if id, ok := lhs.(*ast.Ident); !ok || id.Name != "_" {
				return false
			}
		}
		return r.call != nil
	}
	return false
}

// fn is the function or literal around the statement.
func (r *remedy) fn() ast.Node {
	for i, n := range r.path {
		switch n := n.(type) {
		case *ast.FuncDecl:
			return n
		case *ast.FuncLit:
			if i > 0 && r.path[i-1] == ast.Node(n.Body) {
				return n
			}
		}
	}
	return nil
}

// loops are the innermost and the outermost loop around the statement in its
// function, the latter with its label.
func (r *remedy) loops() (inner ast.Node, outer ast.Stmt) {
	for i, n := range r.path {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.FuncDecl:
			return inner, outer
		case *ast.ForStmt, *ast.RangeStmt:
			if inner == nil {
				inner = n
			}
			outer = n.(ast.Stmt)
			if l, ok := r.path[i+1].(*ast.LabeledStmt); ok {
				outer = l
			}
		}
	}
	return inner, outer
}

// later judges what can be carried out in another goroutine, nil if there is no
// loop around the statement.
func (r *remedy) later() *fix.Later {
	inner, outer := r.loops()
	fn := r.fn()
	if outer == nil || fn == nil {
		return nil
	}
	l := &fix.Later{Info: r.c.pass.TypesInfo, Version: r.c.pass.TypesInfo.FileVersions[r.file.Syntax], Func: fn, Loop: outer}
	switch inner := inner.(type) {
	case *ast.ForStmt:
		l.Round = inner.Body
	case *ast.RangeStmt:
		l.Round = inner.Body
	}
	return l
}

// free reports whether names are not used in the function, nor mean anything.
func (r *remedy) free(names ...string) bool {
	fn := r.fn()
	used := false
	ast.Inspect(fn, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			for _, name := range names {
				used = used || id.Name == name
			}
		}
		return !used
	})
	for _, name := range names {
		_, obj := r.c.pass.Pkg.Scope().Innermost(fn.Pos()).LookupParent(name, token.NoPos)
		used = used || obj != nil
	}
	return !used
}

// listed reports whether a statement around the site stands in a list of
// statements and has its lines for itself, so that others can come before it.
func (r *remedy) listed(s ast.Stmt) bool {
	for i, n := range r.path {
		if n != ast.Node(s) || i+1 == len(r.path) {
			continue
		}
		switch r.path[i+1].(type) {
		case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
			return r.file.OwnLines(s)
		}
	}
	return false
}

// oneAtATime makes the call, if it is the last that a case does, in a goroutine,
// and has the loop receive from the source again when it has returned. So nothing
// is lost, nothing overtakes, and who sends waits as before.
func (r *remedy) oneAtATime() (string, bool) {
	clause, ok := r.path[1].(*ast.CommClause)
	if !ok || clause.Body[len(clause.Body)-1] != r.stmt || len(r.path) < 5 {
		return "", false
	}
	for _, n := range r.path[2:] {
		sel, ok := n.(*ast.SelectStmt)
		if !ok {
			continue
		}
		for _, c := range sel.Body.List {
			if c.(*ast.CommClause).Comm == nil {
				return "", false // it does not wait here
			}
		}
		break
	}
	inner, outer := r.loops()
	loop, ok := inner.(*ast.ForStmt)
	if !ok || !r.inSelectOf(loop) || !r.listed(outer) || r.c.gated[r.fn()] || !r.free("next", "returned") {
		return "", false
	}
	ch := received(clause.Comm)
	l := r.later()
	if ch == nil || !l.Same(ch) || !l.Can(r.stmt) {
		return "", false
	}
	if _, isChan := r.c.pass.TypesInfo.TypeOf(ch).Underlying().(*types.Chan); !isChan {
		return "", false
	}
	if r.c.gated == nil {
		r.c.gated = make(map[ast.Node]bool)
	}
	r.c.gated[r.fn()] = true
	source := r.file.Text(ch)
	r.title = "make the call in a goroutine, one at a time"
	r.change = "the loop goes on while the call is made, and may end before it has returned: guard what they share"
	r.others = append(r.others,
		r.file.InsertBefore(outer, fmt.Sprintf("next := %s // nil while a call is under way\nreturned := make(chan struct{}, 1)", source)),
		r.file.Replace(ch, "next"),
		r.file.InsertAfter(r.stmt, "case <-returned:\n\tnext = "+source))
	call := []string{"go func() {", "\t" + r.file.Text(r.stmt), "\treturned <- struct{}{}", "}()"}
	if r.file.Commented(r.stmt) {
		return r.lines(append(call, "next = nil")...), true // so that the comment stays with the call
	}
	return r.lines(append([]string{"next = nil"}, call...)...), true
}

// inSelectOf reports whether the case of the statement belongs to a select that
// is a statement of the loop's body.
func (r *remedy) inSelectOf(loop *ast.ForStmt) bool {
	if len(r.path) < 6 {
		return false
	}
	rest := r.path[3:] // after the case and the body of the select
	if _, ok := rest[0].(*ast.SelectStmt); !ok {
		return false
	}
	rest = rest[1:]
	if _, ok := rest[0].(*ast.LabeledStmt); ok {
		rest = rest[1:]
	}
	return rest[0] == ast.Node(loop.Body)
}

// received is the channel that a case receives from, nil if it sends.
func received(comm ast.Stmt) ast.Expr {
	var e ast.Expr
	switch comm := comm.(type) {
	case *ast.ExprStmt:
		e = comm.X
	case *ast.AssignStmt:
		if len(comm.Rhs) == 1 {
			e = comm.Rhs[0]
		}
	}
	if u, ok := ast.Unparen(e).(*ast.UnaryExpr); ok && u.Op == token.ARROW {
		return u.X
	}
	return nil
}

// pool hands the call to a pool of one worker that is made before the loop. What
// finds no room is left out.
func (r *remedy) pool() (string, bool) {
	_, outer := r.loops()
	l := r.later()
	if l == nil || !r.listed(outer) || !l.Can(r.stmt) || !r.free("pool") {
		return "", false
	}
	fn := r.fn()
	if other := r.c.pooled[fn]; other != nil && other != outer {
		return "", false // the name belongs to the pool of another loop
	}
	names, imports, ok := r.file.Imports(r.c.pass.Pkg, r.stmt.Pos(), [2]string{"context", "context"}, [2]string{workpoolPath, "workpool"})
	if !ok {
		return "", false
	}
	context, workpool := names[0], names[1]
	r.title = fmt.Sprintf("Hand the call to a worker with a queue of %d (add %s)", queued, runtimeModule)
	r.change = fmt.Sprintf("it needs the module: go get %s; a call that finds the queue full is not made, the function returns when all others are, and what they share with the loop is to be guarded", runtimeModule)
	r.others = append(imports, r.file.InsertBefore(outer, fmt.Sprintf(
		"// One worker: the calls stay in order.\n// Queue: %s.\npool := %s.New(1, %d)\ndefer pool.Shutdown(%s.Background())",
		queuedText, workpool, queued, context)))
	if r.c.pooled == nil {
		r.c.pooled = make(map[ast.Node]ast.Stmt)
	}
	r.c.pooled[fn] = outer
	task := fmt.Sprintf("func(%s.Context) {", context)
	if _, ok := r.stmt.(*ast.ExprStmt); ok && !strings.Contains(r.file.Text(r.stmt), "\n") {
		task += " " + r.file.Text(r.stmt) + " }"
	} else {
		task += "\n" + r.file.Text(r.stmt) + "\n}"
	}
	return r.lines("if pool.TrySubmit("+task+") != nil {", "\t// The queue is full: this call is not made.", "}"), true
}
