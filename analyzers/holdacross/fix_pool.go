package holdacross

import (
	"go/ast"
	"go/constant"
	"go/types"
	"regexp"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
)

// useHeld lets a statement run on the transaction or connection that is held,
// in place of a second connection of its pool.
func (r *remedy) useHeld() bool {
	if r.v.thing.Class != effect.Tx && r.v.thing.Class != effect.Conn {
		return false
	}
	for _, t := range r.held() {
		if t.Path != r.v.thing.Path && t.Class != effect.Slot {
			return false // another finding would stay, or its rows are still read
		}
	}
	held := r.variable()
	call := r.call()
	if held == nil || call == nil || !r.visible(held) || r.assignedAgain(held) {
		return false
	}
	instr, ok := r.site.Instr.(*ssa.Call)
	if !ok {
		return false
	}
	for _, n := range r.at.path {
		if loop, ok := n.(*ast.ForStmt); ok && loop.Cond != nil && strings.HasSuffix(types.ExprString(loop.Cond), ".Next()") {
			return false // rows are being read, on which connection is not known
		}
	}
	if r.inLoopAfter(call, held) && returnsRows(r.c.pass.TypesInfo.TypeOf(call)) {
		return false
	}
	if r.useReceiver(instr, call, held) || r.useArgument(instr, call, held) {
		r.change = r.poolChange(call, held)
		return true
	}
	return false
}

// call is the call expression of the site.
func (r *remedy) call() *ast.CallExpr {
	for _, n := range r.at.path {
		if call, ok := n.(*ast.CallExpr); ok && call.Lparen == r.site.Pos {
			return call
		}
	}
	return nil
}

// assignedAgain reports whether the variable may hold something else by now.
func (r *remedy) assignedAgain(v types.Object) bool {
	n := 0
	ast.Inspect(r.file.Syntax, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.AssignStmt:
			for _, l := range node.Lhs {
				if id, ok := l.(*ast.Ident); ok && r.c.pass.TypesInfo.ObjectOf(id) == v {
					n++
				}
			}
		case *ast.UnaryExpr:
			if id, ok := node.X.(*ast.Ident); ok && node.Op.String() == "&" && r.c.pass.TypesInfo.ObjectOf(id) == v {
				n += 2
			}
		}
		return true
	})
	return n > 1
}

// returnsRows reports whether a call gives rows to be read one by one.
func returnsRows(t types.Type) bool {
	if tuple, ok := t.(*types.Tuple); ok && tuple.Len() > 0 {
		t = tuple.At(0).Type()
	}
	if t == nil {
		return false
	}
	next, _, _ := types.LookupFieldOrMethod(t, true, nil, "Next")
	_, ok := next.(*types.Func)
	return ok
}

// inLoopAfter reports whether a loop after the call uses what is held: as long
// as rows are read on the same connection, it cannot.
func (r *remedy) inLoopAfter(call *ast.CallExpr, held types.Object) bool {
	found := false
	ast.Inspect(r.at.body, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			found = found || n.Pos() > call.Pos() && r.uses(n, held)
		}
		return !found
	})
	return found
}

// useReceiver replaces the pool in db.Query(…) if what is held has the same
// method. Calls in between, as in db.WithContext(ctx).Create(x), must all be
// methods of one type, which the pool and what is held then share.
func (r *remedy) useReceiver(instr *ssa.Call, call *ast.CallExpr, held types.Object) bool {
	info := r.c.pass.TypesInfo
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || info.Selections[sel] == nil || len(instr.Call.Args) == 0 || instr.Call.IsInvoke() {
		return false
	}
	if r.c.res.Path(instr.Call.Args[0]) != r.v.effect.Pool {
		return false
	}
	if !sameMethod(r.c.pass.Pkg, info.TypeOf(sel.X), held.Type(), sel.Sel.Name) {
		return false
	}
	x := ast.Unparen(sel.X)
	for {
		inner, ok := x.(*ast.CallExpr)
		if !ok {
			break
		}
		next, ok := ast.Unparen(inner.Fun).(*ast.SelectorExpr)
		if !ok || info.Selections[next] == nil || !types.Identical(info.TypeOf(next.X), held.Type()) || !types.Identical(info.TypeOf(inner), held.Type()) {
			return false
		}
		x = ast.Unparen(next.X)
	}
	if !pure(x) || info.Selections[sel].Obj().Pkg() == r.c.pass.Pkg {
		return false
	}
	if id, ok := x.(*ast.Ident); ok && info.ObjectOf(id) == held {
		return false
	}
	r.title = "use " + held.Name() + " instead of " + types.ExprString(x)
	r.edits = append(r.edits, r.file.Replace(x, held.Name()))
	return true
}

// sameMethod reports whether two types have a method of the same name that
// takes and returns the same.
func sameMethod(pkg *types.Package, a, b types.Type, name string) bool {
	if a == nil || b == nil {
		return false
	}
	x, _, _ := types.LookupFieldOrMethod(a, true, pkg, name)
	y, _, _ := types.LookupFieldOrMethod(b, true, pkg, name)
	f, ok := x.(*types.Func)
	g, ok2 := y.(*types.Func)
	return ok && ok2 && types.Identical(f.Signature(), g.Signature())
}

// useArgument replaces the pool as an argument, if the parameter takes what is
// held as well (it is an interface of both, or they are of one type), and the
// second connection is taken through that parameter.
func (r *remedy) useArgument(instr *ssa.Call, call *ast.CallExpr, held types.Object) bool {
	info := r.c.pass.TypesInfo
	sig, ok := info.TypeOf(call.Fun).(*types.Signature)
	if !ok || len(r.v.effect.Frames) < 2 || call.Ellipsis.IsValid() {
		return false
	}
	offset := len(instr.Call.Args) - sig.Params().Len()
	if instr.Call.IsInvoke() || offset < 0 || sig.Variadic() && offset > 0 && len(call.Args) != sig.Params().Len() {
		return false
	}
	index := -1
	for i, a := range call.Args {
		if i >= sig.Params().Len() || i+offset >= len(instr.Call.Args) || sig.Variadic() && i == sig.Params().Len()-1 {
			break
		}
		if r.c.res.Path(instr.Call.Args[i+offset]) == r.v.effect.Pool && pure(a) {
			if index >= 0 {
				return false
			}
			index = i
		}
	}
	if index < 0 || r.reaches(instr, call) {
		return false
	}
	param := sig.Params().At(index).Type()
	if iface, ok := types.Unalias(param).Underlying().(*types.Interface); ok && iface.NumMethods() == 0 || !types.AssignableTo(held.Type(), param) {
		return false
	}
	arg := call.Args[index]
	r.title = "pass " + held.Name() + " instead of " + types.ExprString(arg)
	r.edits = append(r.edits, r.file.Replace(arg, held.Name()))
	return true
}

// reaches reports whether the receiver of the call leads to the pool as well:
// the callee may then take it from there.
func (r *remedy) reaches(instr *ssa.Call, call *ast.CallExpr) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || r.c.pass.TypesInfo.Selections[sel] == nil || len(instr.Call.Args) == 0 {
		return false
	}
	recv := string(r.c.res.Path(instr.Call.Args[0]))
	return recv == "" || strings.HasPrefix(string(r.v.effect.Pool), recv+".")
}

// poolChange says what a reader has to judge before a statement becomes part of
// a transaction. Only the first statement of one that does nothing but read what
// is committed is certainly the same there.
func (r *remedy) poolChange(call *ast.CallExpr, held types.Object) string {
	if !r.reading(call) {
		if r.v.thing.Class == effect.Conn {
			return "the statement then depends on the state of the session that " + held.Name() + " has"
		}
		return "the statement then sees what " + held.Name() + " has changed, and is undone with it"
	}
	used := r.at.decl == nil
	ast.Inspect(r.at.body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Pos() > r.v.thing.Pos && id.Pos() < call.Pos() && r.c.pass.TypesInfo.Uses[id] == held && !r.deferred(id) {
			used = true
		}
		return !used
	})
	for _, n := range r.at.path {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			used = true
		}
	}
	if used || r.v.thing.By == "parameter" {
		return "the query then sees what " + held.Name() + " has changed"
	}
	return ""
}

// deferred reports whether an identifier stands in a deferred call.
func (r *remedy) deferred(id *ast.Ident) bool {
	found := false
	ast.Inspect(r.at.body, func(n ast.Node) bool {
		if d, ok := n.(*ast.DeferStmt); ok && d.Pos() <= id.Pos() && id.End() <= d.End() {
			found = true
		}
		return !found
	})
	return found
}

var (
	selects = regexp.MustCompile(`(?i)^\s*select\b`)
	does    = regexp.MustCompile(`(?i)\bfor\s+(no\s+key\s+)?(update|share|key)|\block\b|\bnextval\b|\binto\b|\(\s*(insert|update|delete)`)
)

// reading reports whether a call asks for one row by a constant statement that
// only reads. Several rows would have to be read to their end before anything
// else can be done on the same connection.
func (r *remedy) reading(call *ast.CallExpr) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "QueryRow" && sel.Sel.Name != "QueryRowContext" {
		return false
	}
	for _, a := range call.Args {
		tv := r.c.pass.TypesInfo.Types[a]
		if tv.Value != nil && tv.Value.Kind() == constant.String {
			text := constant.StringVal(tv.Value)
			return selects.MatchString(text) && !does.MatchString(text)
		}
	}
	return false
}
