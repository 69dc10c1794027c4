package nodeadline

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ast/astutil"
	"golang.org/x/tools/go/ssa"
	"honnef.co/go/tools/analysis/edit"
)

const titlePass = "Pass on the context that is at hand"

// setting sets a timeout in the literal of a client, server or dialer.
func (r *remedy) setting(field, limit string) bool {
	for _, pos := range []token.Pos{r.v.ends.Pos, r.v.ends.Other} {
		if lit := r.literal(pos, field); lit != nil && r.set(lit, field, limit) {
			return true
		}
	}
	return false
}

// literal is the struct literal that is made at a position and has a field of
// the name.
func (r *remedy) literal(pos token.Pos, field string) *ast.CompositeLit {
	if !pos.IsValid() || pos < r.file.Syntax.FileStart || pos > r.file.Syntax.FileEnd {
		return nil
	}
	path, _ := astutil.PathEnclosingInterval(r.file.Syntax, pos, pos)
	var lit *ast.CompositeLit
	for _, n := range path {
		switch n := n.(type) {
		case *ast.CompositeLit:
			if n.Lbrace == pos {
				lit = n
			}
		case *ast.AssignStmt:
			for i, lhs := range n.Lhs {
				if lhs.Pos() == pos && len(n.Lhs) == len(n.Rhs) {
					lit, _ = ast.Unparen(n.Rhs[i]).(*ast.CompositeLit)
				}
			}
		case *ast.ValueSpec:
			for i, name := range n.Names {
				if name.Pos() == pos && i < len(n.Values) {
					lit, _ = ast.Unparen(n.Values[i]).(*ast.CompositeLit)
				}
			}
		}
		if lit != nil {
			break
		}
	}
	if lit == nil {
		return nil
	}
	t := r.c.pass.TypesInfo.TypeOf(lit)
	if t == nil {
		return nil
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	has := false
	for i := range st.NumFields() {
		has = has || st.Field(i).Name() == field
	}
	for _, elt := range lit.Elts {
		kv, ok := elt.(*ast.KeyValueExpr)
		if !ok {
			return nil
		}
		if id, ok := kv.Key.(*ast.Ident); ok && id.Name == field {
			return nil
		}
	}
	if !has {
		return nil
	}
	return lit
}

// set adds a field to a literal, in the form that the literal has.
func (r *remedy) set(lit *ast.CompositeLit, field, limit string) bool {
	if !r.once(lit.Lbrace) {
		return false
	}
	if _, ok := r.imported("time", "time"); !ok {
		return false
	}
	text := field + ": " + limit
	switch n := len(lit.Elts); {
	case n == 0:
		if len(r.file.Comments(lit.Lbrace, lit.Rbrace)) > 0 {
			return false
		}
		r.edits = append(r.edits, edit.ReplaceWithString(edit.Range{lit.Lbrace + 1, lit.Rbrace}, text))
	case r.file.Line(lit.Elts[n-1].End()) == r.file.Line(lit.Rbrace):
		r.edits = append(r.edits, edit.ReplaceWithString(edit.Range{lit.Elts[n-1].End(), lit.Elts[n-1].End()}, ", "+text))
	case r.file.OwnLinesWithComma(lit.Elts[n-1]):
		r.edits = append(r.edits, r.file.InsertAfter(lit.Elts[n-1], text+","))
	default:
		return false
	}
	r.title = "Set " + field
	return true
}

// request gives the request the context that is at hand.
func (r *remedy) request() bool {
	call, path := r.around(r.v.ends.Pos)
	if call == nil || !never(r.v) || !sameFunction(path, r.path) {
		return false
	}
	ctx, ok := r.atHand(path)
	if !ok {
		return false
	}
	switch r.callee(call) {
	case "net/http.NewRequest":
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok || len(call.Args) != 3 || !r.once(call.Lparen) {
			return false
		}
		r.edits = append(r.edits, edit.ReplaceWithString(sel.Sel, "NewRequestWithContext"),
			edit.ReplaceWithString(edit.Range{call.Args[0].Pos(), call.Args[0].Pos()}, ctx+", "))
	case "context.Background", "context.TODO":
		if !r.argument(call, path) || strings.HasSuffix(ctx, ".Context()") && !r.usedElsewhere(call) || !r.once(call.Lparen) {
			return false
		}
		r.edits = append(r.edits, edit.ReplaceWithString(call, ctx))
		if r.callee(call) == "context.Background" {
			r.change = "the call ends when " + ctx + " does"
		}
	default:
		return false
	}
	r.title = titlePass
	return true
}

// argument reports whether a call is an argument of another one.
func (r *remedy) argument(call *ast.CallExpr, path []ast.Node) bool {
	if len(path) < 2 {
		return false
	}
	outer, ok := path[1].(*ast.CallExpr)
	return ok && outer.Fun != ast.Expr(call)
}

func sameFunction(a, b []ast.Node) bool {
	_, x := function(a)
	_, y := function(b)
	return x != nil && x == y
}

// packageClient makes http.Get(url) a call of a client with a limit.
func (r *remedy) packageClient() bool {
	name, ok := strings.CutPrefix(r.callee(r.call), "net/http.")
	sel, isSel := ast.Unparen(r.call.Fun).(*ast.SelectorExpr)
	if !ok || !isSel {
		return false
	}
	if id, isID := sel.X.(*ast.Ident); !isID || id.Name != "http" {
		return false
	}
	if _, ok := r.imported("time", "time"); !ok || !r.once(r.call.Lparen) {
		return false
	}
	r.edits = append(r.edits, edit.ReplaceWithString(sel.X, "(&http.Client{Timeout: "+clientLimit+"})"))
	r.title = "Use a client with a timeout for " + name
	return true
}

// dial uses a form of the dial that takes a limit.
func (r *remedy) dial() bool {
	sel, ok := ast.Unparen(r.call.Fun).(*ast.SelectorExpr)
	if !ok || r.call.Ellipsis.IsValid() {
		return false
	}
	switch r.callee(r.call) {
	case "net.Dial":
		if len(r.call.Args) != 2 {
			return false
		}
		r.edits = append(r.edits, edit.ReplaceWithString(sel.Sel, "DialTimeout"),
			edit.ReplaceWithString(edit.Range{r.call.Args[1].End(), r.call.Args[1].End()}, ", "+dialLimit))
	case "crypto/tls.Dial":
		if len(r.call.Args) != 3 {
			return false
		}
		if _, ok := r.imported("net", "net"); !ok {
			return false
		}
		r.edits = append(r.edits, edit.ReplaceWithString(sel.Sel, "DialWithDialer"),
			edit.ReplaceWithString(edit.Range{r.call.Args[0].Pos(), r.call.Args[0].Pos()}, "&net.Dialer{Timeout: "+dialLimit+"}, "))
	default:
		return false
	}
	if _, ok := r.imported("time", "time"); !ok || !r.once(r.call.Lparen) {
		return false
	}
	r.title = "Dial with a timeout"
	return true
}

// statement uses the form that takes a context.
func (r *remedy) statement() bool {
	sel, ok := ast.Unparen(r.call.Fun).(*ast.SelectorExpr)
	if !ok || r.callee(r.call) == "" {
		return false
	}
	ctx, ok := r.atHand(r.path)
	if !ok || !r.once(r.call.Lparen) {
		return false
	}
	at := edit.Range{r.call.Lparen + 1, r.call.Lparen + 1}
	if sel.Sel.Name == "Begin" {
		r.edits = append(r.edits, edit.ReplaceWithString(sel.Sel, "BeginTx"), edit.ReplaceWithString(at, ctx+", nil"))
		r.change = "the transaction is rolled back when " + ctx + " ends"
	} else {
		if len(r.call.Args) > 0 {
			ctx += ", "
		}
		r.edits = append(r.edits, edit.ReplaceWithString(sel.Sel, sel.Sel.Name+"Context"), edit.ReplaceWithString(at, ctx))
	}
	r.title = titlePass
	return true
}

// command makes the command with the context that is at hand.
func (r *remedy) command() bool {
	made := r.c.command(r.c.arguments(r.v)[0])
	if made == nil {
		return false
	}
	call, path := r.around(made.Pos())
	if call == nil || !sameFunction(path, r.path) {
		return false
	}
	ctx, ok := r.atHand(path)
	if !ok {
		return false
	}
	switch r.callee(call) {
	case "os/exec.Command":
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok || len(call.Args) == 0 || !r.once(call.Lparen) {
			return false
		}
		r.edits = append(r.edits, edit.ReplaceWithString(sel.Sel, "CommandContext"),
			edit.ReplaceWithString(edit.Range{call.Args[0].Pos(), call.Args[0].Pos()}, ctx+", "))
	case "os/exec.CommandContext":
		inner, todo, ok := r.endless(call.Args[0])
		if !ok || !r.once(inner.Lparen) {
			return false
		}
		r.edits = append(r.edits, edit.ReplaceWithString(inner, ctx))
		if !todo {
			r.change = "the process is killed when " + ctx + " ends"
		}
	default:
		return false
	}
	r.title = titlePass
	return true
}

// contextArgument is the argument that never ends, where it is made in place.
func (r *remedy) contextArgument() (call *ast.CallExpr, todo, ok bool) {
	for _, a := range r.call.Args {
		if inner, todo, ok := r.endless(a); ok {
			return inner, todo, true
		}
	}
	return nil, false, false
}

// pass gives the call the context that is at hand.
func (r *remedy) pass() bool {
	inner, todo, ok := r.contextArgument()
	if !ok {
		return false
	}
	ctx, ok := r.atHand(r.path)
	if !ok || strings.HasSuffix(ctx, ".Context()") && !r.usedElsewhere(inner) || !r.once(inner.Lparen) {
		return false
	}
	r.edits = append(r.edits, edit.ReplaceWithString(inner, ctx))
	r.title = titlePass
	if !todo {
		r.change = "the call ends when " + ctx + " does"
	}
	return true
}

// usedElsewhere reports whether the file uses the package context apart from the
// expression: else its import would be left over.
func (r *remedy) usedElsewhere(inner *ast.CallExpr) bool {
	n := 0
	ast.Inspect(r.file.Syntax, func(x ast.Node) bool {
		if sel, ok := x.(*ast.SelectorExpr); ok {
			if id, ok := sel.X.(*ast.Ident); ok {
				if p, ok := r.c.pass.TypesInfo.Uses[id].(*types.PkgName); ok && p.Imported().Path() == "context" && (sel.Pos() < inner.Pos() || sel.Pos() > inner.End()) {
					if sel.Sel.Name != "Background" && sel.Sel.Name != "TODO" { // another fix may take it away, too
						n++
					}
				}
			}
		}
		return true
	})
	return n > 0
}

// limit gives the call a context with a deadline. In a loop it is given up after
// the call, elsewhere at the end of the function.
func (r *remedy) limit(name, limit string) bool {
	inner, _, ok := r.contextArgument()
	if !ok || r.returned() {
		return false
	}
	stmt, loop := r.statementAround()
	if stmt == nil || !r.file.OwnLines(stmt) {
		return false
	}
	if _, isDefer := stmt.(*ast.DeferStmt); isDefer {
		return false
	}
	if _, isGo := stmt.(*ast.GoStmt); isGo {
		return false
	}
	scope := r.c.pass.Pkg.Scope().Innermost(stmt.Pos())
	if scope == nil || r.known(name, stmt.Pos()) || r.known("cancel", stmt.Pos()) || !r.once(stmt.Pos()) || !r.once(inner.Lparen) {
		return false
	}
	if _, ok := r.imported("time", "time"); !ok {
		return false
	}
	parent := r.file.Text(inner)
	if !strings.HasPrefix(parent, "context.") {
		return false
	}
	parent = "context.Background()"
	if ctx, ok := r.atHand(r.path); ok {
		parent = "context.WithoutCancel(" + ctx + ")"
	}
	r.edits = append(r.edits, edit.ReplaceWithString(inner, name))
	head := fmt.Sprintf("%s, cancel := context.WithTimeout(%s, %s)", name, parent, limit)
	if loop {
		switch stmt.(type) {
		case *ast.ExprStmt, *ast.AssignStmt:
		default:
			return false
		}
		r.edits = append(r.edits, r.file.InsertBefore(stmt, head), r.file.InsertAfter(stmt, "cancel()"))
	} else {
		r.edits = append(r.edits, r.file.InsertBefore(stmt, head), r.file.InsertBefore(stmt, "defer cancel()"))
	}
	r.title = "Give the call a deadline"
	if v, ok := r.v.site.Instr.(*ssa.Call); ok && keepsWaiting(v) {
		r.change = "what the call gives ends after " + strings.TrimSuffix(limit, " * time.Second") + " s, too"
	}
	return true
}

// keepsWaiting reports whether something that the call gives is used later, and
// may wait for the same context then.
func keepsWaiting(call *ssa.Call) bool {
	if _, tuple := call.Type().(*types.Tuple); !tuple {
		return !plain(call.Type()) && call.Referrers() != nil && len(*call.Referrers()) > 0
	}
	for _, ref := range *call.Referrers() {
		if e, ok := ref.(*ssa.Extract); ok && !plain(e.Type()) && e.Referrers() != nil && len(*e.Referrers()) > 0 {
			return true
		}
	}
	return false
}

// known reports whether a name means something at a place, or in the function
// around it.
func (r *remedy) known(name string, pos token.Pos) bool {
	inner := r.c.pass.Pkg.Scope().Innermost(pos)
	if inner == nil {
		return true
	}
	if _, obj := inner.LookupParent(name, token.NoPos); obj != nil {
		return true
	}
	_, body := function(r.path)
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Name == name {
			found = true
		}
		return !found
	})
	return found
}

// statementAround is the statement of a block that the call stands in, and
// whether it may run again and again in one call of the function.
func (r *remedy) statementAround() (stmt ast.Stmt, loop bool) {
	for i, n := range r.path {
		if stmt != nil {
			switch n.(type) {
			case *ast.ForStmt, *ast.RangeStmt:
				loop = true
			case *ast.LabeledStmt:
				return nil, false // a goto may lead here
			case *ast.FuncDecl, *ast.FuncLit:
				return stmt, loop
			}
			continue
		}
		s, ok := n.(ast.Stmt)
		if !ok {
			if _, isLit := n.(*ast.FuncLit); isLit {
				return nil, false
			}
			continue
		}
		switch r.path[i+1].(type) {
		case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
		default:
			continue
		}
		switch s.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			return nil, false // the head of the loop itself
		case *ast.BlockStmt:
			continue
		}
		if comm, ok := r.path[i+1].(*ast.CommClause); ok && comm.Comm == s {
			return nil, false
		}
		stmt = s
	}
	return nil, false
}
