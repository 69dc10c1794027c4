package nodeadline

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/astutil"
	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/fix"
	"github.com/concvet/concvet/internal/ir"
	"github.com/concvet/concvet/internal/report"
)

// The limits that fixes write. They are generous: one that is too long is easily
// cut down, one that is too short breaks what worked.
const (
	clientLimit   = "30 * time.Second" // a request with its answer, a call
	headerLimit   = "10 * time.Second" // the header of a request
	dialLimit     = "10 * time.Second" // a connection attempt
	shutdownLimit = "15 * time.Second" // less than the 30 s that Kubernetes waits
)

// A remedy is a fix of one finding under way.
type remedy struct {
	c    *checker
	v    *verdict
	file *fix.File
	path []ast.Node // from the call outwards
	call *ast.CallExpr

	edits  []analysis.TextEdit
	title  string
	change string // what else changes, for a reader to judge; "" for a safe fix
}

// fixes suggests how the wait gets an end: a deadline from the context that is
// at hand, else a limit of its own. A fix that would only satisfy the letter,
// such as another context that never ends, is none. What is not understood is
// left to the reader.
func (c *checker) fixes(v *verdict) (out []analysis.SuggestedFix, changes map[string]string) {
	defer func() {
		if recover() != nil {
			out, changes = nil, nil // the finding is worth more than a fix of it
		}
	}()
	if v.tier != report.Default {
		return nil, nil
	}
	r := &remedy{c: c, v: v}
	var err error
	if r.file, err = fix.Open(c.pass, v.site.Pos); err != nil || !r.locate() {
		return nil, nil
	}
	ok := false
	switch v.slug {
	case HTTPServer:
		ok = r.setting("ReadHeaderTimeout", headerLimit) || r.packageServer()
	case HTTPClient:
		ok = r.request() || r.setting("Timeout", clientLimit) || r.packageClient()
		if ok && r.change == "" && r.title != titlePass {
			r.change = "a response that takes longer than 30 s, with its body, is cut off"
		}
	case Dial:
		ok = r.dial() || r.pass() || r.setting("Timeout", dialLimit)
	case SQL:
		ok = r.statement()
	case Exec:
		ok = r.command()
	case CtxNone:
		ok = r.pass() || r.limit("callCtx", clientLimit)
	case Shutdown:
		ok = r.limit("shutdownCtx", shutdownLimit)
	case ConnIO:
		ok = r.readDeadline()
	}
	if !ok {
		return nil, nil
	}
	if r.edits, ok = r.file.Clean(r.edits); !ok {
		return nil, nil
	}
	out = []analysis.SuggestedFix{{Message: r.title, TextEdits: r.edits}}
	if r.change == "" {
		return out, nil
	}
	return out, map[string]string{r.title: r.change}
}

// locate finds the call in the syntax.
func (r *remedy) locate() bool {
	pos := r.v.site.Pos
	r.path, _ = astutil.PathEnclosingInterval(r.file.Syntax, pos, pos)
	for i, n := range r.path {
		if call, ok := n.(*ast.CallExpr); ok && (call.Lparen == pos || call.Pos() == pos) {
			r.path, r.call = r.path[i:], call
			return true
		}
		if d, ok := n.(*ast.DeferStmt); ok && d.Defer == pos {
			r.path, r.call = r.path[i:], d.Call
			return true
		}
		if g, ok := n.(*ast.GoStmt); ok && g.Go == pos {
			r.path, r.call = r.path[i:], g.Call
			return true
		}
	}
	return false
}

// around returns the call at a position and what stands around it.
func (r *remedy) around(pos token.Pos) (*ast.CallExpr, []ast.Node) {
	if pos < r.file.Syntax.FileStart || pos > r.file.Syntax.FileEnd {
		return nil, nil
	}
	path, _ := astutil.PathEnclosingInterval(r.file.Syntax, pos, pos)
	for i, n := range path {
		if call, ok := n.(*ast.CallExpr); ok && call.Lparen == pos {
			return call, path[i:]
		}
	}
	return nil, nil
}

// imported gives the name of a package at the call, importing it if needed.
func (r *remedy) imported(path, name string) (string, bool) {
	use, edits, ok := r.file.Import(r.c.pass.Pkg, r.call.Pos(), path, name)
	if ok {
		r.edits = append(r.edits, edits...)
	}
	return use, ok && use == name
}

// once reports whether a place is not part of another fix, and takes it.
func (r *remedy) once(pos token.Pos) bool {
	if r.c.taken == nil {
		r.c.taken = make(map[token.Pos]bool)
	}
	if r.c.taken[pos] {
		return false
	}
	r.c.taken[pos] = true
	return true
}

// function is the function or literal around a place.
func function(path []ast.Node) (*ast.FuncType, *ast.BlockStmt) {
	for _, n := range path {
		switch n := n.(type) {
		case *ast.FuncDecl:
			return n.Type, n.Body
		case *ast.FuncLit:
			return n.Type, n.Body
		}
	}
	return nil, nil
}

// atHand is the context that the function is given: one of its parameters, or
// that of the request which it serves. It is not looked for outside of a
// literal, which may run when that one has ended.
func (r *remedy) atHand(path []ast.Node) (string, bool) {
	typ, body := function(path)
	if typ == nil || body == nil {
		return "", false
	}
	inner := r.c.pass.Pkg.Scope().Innermost(r.call.Pos())
	if inner == nil {
		return "", false
	}
	for _, field := range typ.Params.List {
		for _, name := range field.Names {
			obj, ok := r.c.pass.TypesInfo.Defs[name].(*types.Var)
			if !ok || name.Name == "_" {
				continue
			}
			expr := ""
			switch {
			case isNamed(obj.Type(), "context", "Context"):
				expr = name.Name
			case isNamed(obj.Type(), "net/http", "Request"):
				expr = name.Name + ".Context()"
			default:
				continue
			}
			if _, found := inner.LookupParent(name.Name, r.call.Pos()); found != obj || r.assigned(obj, body) {
				continue
			}
			return expr, true
		}
	}
	return "", false
}

// assigned reports whether the function gives a parameter another value: it may
// not be the caller's any more.
func (r *remedy) assigned(obj *types.Var, body *ast.BlockStmt) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok {
			for _, lhs := range a.Lhs {
				if id, ok := lhs.(*ast.Ident); ok && r.c.pass.TypesInfo.ObjectOf(id) == types.Object(obj) {
					found = true
				}
			}
		}
		return !found
	})
	return found
}

func isNamed(t types.Type, path, name string) bool {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	return ir.IsNamed(t, path, name)
}

// callee is the full name of what a call calls.
func (r *remedy) callee(call *ast.CallExpr) string {
	var id *ast.Ident
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		id = f
	case *ast.SelectorExpr:
		id = f.Sel
	default:
		return ""
	}
	fn, ok := r.c.pass.TypesInfo.Uses[id].(*types.Func)
	if !ok {
		return ""
	}
	return fn.FullName()
}

// endless reports whether an expression is a call that makes a context which
// never ends; todo, whether its author meant to come back.
func (r *remedy) endless(e ast.Expr) (call *ast.CallExpr, todo, ok bool) {
	call, isCall := ast.Unparen(e).(*ast.CallExpr)
	if !isCall {
		return nil, false, false
	}
	switch r.callee(call) {
	case "context.TODO":
		return call, true, true
	case "context.Background":
		return call, false, true
	}
	return nil, false, false
}

// returned reports whether something of the call's result outlives the function,
// or is used by a literal: it may need the context after the end of a limit.
func (r *remedy) returned() bool {
	v, ok := r.v.site.Instr.(*ssa.Call)
	if !ok {
		return false
	}
	return outlives(v, 0)
}

func outlives(v ssa.Value, depth int) bool {
	if v.Referrers() == nil || depth > 6 {
		return depth > 6
	}
	if plain(v.Type()) {
		return false
	}
	for _, ref := range *v.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Return, *ssa.Send, *ssa.MakeClosure, *ssa.MapUpdate, *ssa.Go, *ssa.Defer:
			return true
		case *ssa.Store:
			if ref.Val == v {
				return true
			}
		case *ssa.Extract:
			if outlives(ref, depth+1) {
				return true
			}
		case *ssa.Phi:
			if outlives(ref, depth+1) {
				return true
			}
		case *ssa.MakeInterface:
			if outlives(ref, depth+1) {
				return true
			}
		}
	}
	return false
}

// plain reports whether values of type t hold nothing that waits: errors, texts,
// numbers, and what is made of them.
func plain(t types.Type) bool {
	switch u := types.Unalias(t).Underlying().(type) {
	case *types.Basic:
		return true
	case *types.Interface:
		named, ok := types.Unalias(t).(*types.Named)
		return ok && named.Obj().Pkg() == nil && named.Obj().Name() == "error"
	case *types.Slice:
		return plain(u.Elem())
	case *types.Map:
		return plain(u.Key()) && plain(u.Elem())
	}
	return false
}

// never reports whether a value ends never, as the finding says.
func never(v *verdict) bool { return v.ends.End == effect.EndNever }

// goesOn reports whether the function may serve the connection after a place: a
// deadline that is not taken away again would end the session.
func (r *remedy) goesOn(after token.Pos) bool {
	_, body := function(r.path)
	on := body == nil
	if on {
		return true
	}
	ast.Inspect(body, func(n ast.Node) bool {
		if n == nil || n.End() <= after {
			return false
		}
		switch n := n.(type) {
		case *ast.ForStmt, *ast.RangeStmt, *ast.GoStmt:
			on = true
		case *ast.CallExpr:
			if n.Pos() < after {
				break
			}
			for _, a := range n.Args {
				if t := r.c.pass.TypesInfo.TypeOf(a); t != nil && (isConn(t) || isNamed(t, "bufio", "Reader")) {
					on = true
				}
			}
		}
		return !on
	})
	return on
}
