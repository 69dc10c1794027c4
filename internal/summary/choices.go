package summary

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/ir"
)

// A choice is a function that stands where a func-typed value is read.
type choice struct {
	key    string
	callee ir.Callee
}

// choices is what the syntax of the package says of func-typed fields and
// variables, and of tables of functions. It is made when it is first asked for.
type choices struct {
	values    map[*types.Var][]ast.Expr       // what is assigned to a func-typed field or variable
	sent      map[*types.Var][]ast.Expr       // what is sent on a channel of functions
	entries   map[*types.Var][]ast.Expr       // what stands in a table: key-value pairs, or values
	literals  map[token.Pos]*ast.CompositeLit // tables, by their brace
	calls     map[*types.Func][]*ast.CallExpr // the calls of a function
	params    map[*types.Var]parameter
	functions map[*ast.FuncLit]*ssa.Function
	converted []*ssa.MakeInterface
}

type parameter struct {
	fn    *types.Func
	index int
}

// maxChoices bounds how many candidates a call has: behind more there is a
// framework, not a table.
const maxChoices = 64

func (in *inference) choices() *choices {
	if in.chosen != nil {
		return in.chosen
	}
	ch := &choices{
		values: make(map[*types.Var][]ast.Expr), sent: make(map[*types.Var][]ast.Expr), entries: make(map[*types.Var][]ast.Expr),
		literals: make(map[token.Pos]*ast.CompositeLit), calls: make(map[*types.Func][]*ast.CallExpr),
		params: make(map[*types.Var]parameter), functions: make(map[*ast.FuncLit]*ssa.Function),
	}
	in.chosen = ch
	for _, fn := range in.funcs {
		if lit, ok := fn.Syntax().(*ast.FuncLit); ok {
			ch.functions[lit] = fn
		}
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				if x, ok := instr.(*ssa.MakeInterface); ok && !isTestFile(in.pass.Fset, fn.Pos()) {
					ch.converted = append(ch.converted, x)
				}
			}
		}
	}
	for _, file := range in.pass.Files {
		if isTestFile(in.pass.Fset, file.Pos()) {
			continue
		}
		ast.Inspect(file, func(n ast.Node) bool {
			in.chooseFrom(ch, n)
			return true
		})
	}
	return ch
}

func (in *inference) chooseFrom(ch *choices, n ast.Node) {
	info := in.pass.TypesInfo
	switch n := n.(type) {
	case *ast.FuncDecl:
		fn, ok := info.Defs[n.Name].(*types.Func)
		if !ok {
			return
		}
		sig := fn.Type().(*types.Signature)
		for i := range sig.Params().Len() {
			if p := sig.Params().At(i); isFunc(p.Type()) {
				ch.params[p] = parameter{fn, i}
			}
		}
	case *ast.CallExpr:
		fun := ast.Unparen(n.Fun)
		switch x := fun.(type) {
		case *ast.IndexExpr:
			fun = x.X
		case *ast.IndexListExpr:
			fun = x.X
		}
		var id *ast.Ident
		switch x := fun.(type) {
		case *ast.Ident:
			id = x
		case *ast.SelectorExpr:
			id = x.Sel
		}
		if fn, ok := info.Uses[id].(*types.Func); ok && fn.Pkg() == in.pass.Pkg {
			ch.calls[fn.Origin()] = append(ch.calls[fn.Origin()], n)
		}
	case *ast.SendStmt:
		if v := in.varOf(n.Chan); v != nil && isFunc(info.TypeOf(n.Value)) {
			ch.sent[v] = append(ch.sent[v], n.Value)
		}
	case *ast.CompositeLit:
		in.chooseLiteral(ch, n)
	case *ast.ValueSpec:
		for i, name := range n.Names {
			if len(n.Names) == len(n.Values) {
				in.choose(ch, info.Defs[name], n.Values[i])
			}
		}
	case *ast.AssignStmt:
		if len(n.Lhs) != len(n.Rhs) {
			return
		}
		for i, lhs := range n.Lhs {
			switch x := ast.Unparen(lhs).(type) {
			case *ast.Ident:
				if obj := info.Defs[x]; obj != nil {
					in.choose(ch, obj, n.Rhs[i])
				} else {
					in.choose(ch, info.Uses[x], n.Rhs[i])
				}
			case *ast.SelectorExpr:
				in.choose(ch, info.Uses[x.Sel], n.Rhs[i])
			case *ast.IndexExpr:
				if v := in.varOf(x.X); v != nil && isTable(v.Type()) {
					ch.entries[v] = append(ch.entries[v], &ast.KeyValueExpr{Key: x.Index, Value: n.Rhs[i]})
				}
			}
		}
	}
}

// chooseLiteral takes over what a literal sets the fields of a struct to.
func (in *inference) chooseLiteral(ch *choices, lit *ast.CompositeLit) {
	t := in.pass.TypesInfo.TypeOf(lit)
	if t == nil {
		return
	}
	if isTable(t) {
		ch.literals[lit.Lbrace] = lit
		return
	}
	if p, ok := types.Unalias(t).Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	st, ok := types.Unalias(t).Underlying().(*types.Struct)
	if !ok {
		return
	}
	for i, elt := range lit.Elts {
		if kv, ok := elt.(*ast.KeyValueExpr); ok {
			if id, ok := kv.Key.(*ast.Ident); ok {
				in.choose(ch, in.pass.TypesInfo.Uses[id], kv.Value)
			}
		} else if i < st.NumFields() {
			in.choose(ch, st.Field(i), elt)
		}
	}
}

// choose notes that a value is assigned to a variable.
func (in *inference) choose(ch *choices, obj types.Object, value ast.Expr) {
	v, ok := obj.(*types.Var)
	if !ok || v.Pkg() != in.pass.Pkg {
		return
	}
	v = v.Origin()
	switch {
	case isFunc(v.Type()):
		ch.values[v] = append(ch.values[v], value)
	case isTable(v.Type()):
		if lit, ok := ast.Unparen(value).(*ast.CompositeLit); ok {
			ch.entries[v] = append(ch.entries[v], lit.Elts...)
		}
	}
}

// varOf is the field or variable that an expression names.
func (in *inference) varOf(e ast.Expr) *types.Var {
	var id *ast.Ident
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		id = x
	case *ast.SelectorExpr:
		id = x.Sel
	default:
		return nil
	}
	if v, ok := in.pass.TypesInfo.Uses[id].(*types.Var); ok {
		return v.Origin()
	}
	return nil
}

// isTable reports whether a type is a map or slice of functions.
func isTable(t types.Type) bool {
	switch u := types.Unalias(t).Underlying().(type) {
	case *types.Map:
		return isFunc(u.Elem())
	case *types.Slice:
		return isFunc(u.Elem())
	case *types.Array:
		return isFunc(u.Elem())
	}
	return false
}

// choicesOf lists the functions that a func-typed value may be, and whether it
// is taken out of a table.
func (in *inference) choicesOf(v ssa.Value) (found []choice, table bool) {
	ch := in.choices()
	if from := receivedFrom(v); from != nil {
		if field := ir.Variable(from); field != nil {
			for _, e := range ch.sent[field] {
				found = in.resolveChoice(ch, found, "", e, 0)
			}
		}
		return found, false
	}
	if e, ok := v.(*ssa.Extract); ok && e.Index == 0 {
		v, _ = e.Tuple.(ssa.Value)
	}
	var of ssa.Value
	switch x := v.(type) {
	case *ssa.Lookup:
		of = x.X
	case *ssa.Index:
		of = x.X
	case *ssa.UnOp:
		if addr, ok := x.X.(*ssa.IndexAddr); ok && x.Op == token.MUL {
			of = addr.X
		}
	}
	if of == nil {
		if field := ir.Variable(v); field != nil {
			for _, e := range ch.values[field] {
				found = in.resolveChoice(ch, found, "", e, 0)
			}
		}
		return found, false
	}
	var elts []ast.Expr
	if field := tableVar(of); field != nil {
		elts = ch.entries[field]
	} else if made := in.paths.Root(in.paths.Of(of)); made != nil {
		if lit := ch.literals[made.Pos()]; lit != nil {
			elts = lit.Elts
		}
	}
	for _, e := range elts {
		key := ""
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			key, e = types.ExprString(kv.Key), kv.Value
		}
		found = in.resolveChoice(ch, found, key, e, 0)
	}
	return found, true
}

// receivedFrom is the channel that a value is received from, nil if it is not.
func receivedFrom(v ssa.Value) ssa.Value {
	index := 0
	if e, ok := v.(*ssa.Extract); ok {
		v, index = e.Tuple, e.Index
	}
	switch x := v.(type) {
	case *ssa.UnOp:
		if x.Op == token.ARROW && index == 0 {
			return x.X
		}
	case *ssa.Select:
		at := 2 // the first value in the result
		for _, st := range x.States {
			if st.Dir != types.RecvOnly {
				continue
			}
			if at == index {
				return st.Chan
			}
			at++
		}
	}
	return nil
}

// tableVar is the field or package variable that a table stands in, by its value
// or, for an array, by its address.
func tableVar(v ssa.Value) *types.Var {
	switch x := v.(type) {
	case *ssa.FieldAddr:
		if f := ir.FieldVar(x.X.Type(), x.Field); f != nil {
			return f.Origin()
		}
	case *ssa.Global:
		f, _ := x.Object().(*types.Var)
		return f
	}
	return ir.Variable(v)
}

// resolveChoice adds the functions that an expression may stand for.
func (in *inference) resolveChoice(ch *choices, found []choice, key string, e ast.Expr, depth int) []choice {
	if depth > 3 || len(found) >= maxChoices {
		return found
	}
	info := in.pass.TypesInfo
	switch x := ast.Unparen(e).(type) {
	case *ast.FuncLit:
		if body := ch.functions[x]; body != nil {
			return append(found, choice{key, ir.Callee{Body: body}})
		}
	case *ast.SelectorExpr:
		sel, ok := info.Selections[x]
		if ok && sel.Kind() == types.MethodVal {
			if m, ok := sel.Obj().(*types.Func); ok {
				return append(found, choice{key, ir.Bound(in.pkg.SSA.Prog, m)})
			}
		}
		return in.namedChoice(ch, found, key, info.Uses[x.Sel], depth)
	case *ast.Ident:
		return in.namedChoice(ch, found, key, info.Uses[x], depth)
	case *ast.CallExpr:
		if tv, ok := info.Types[x.Fun]; ok && tv.IsType() && len(x.Args) == 1 {
			return in.resolveChoice(ch, found, key, x.Args[0], depth) // a conversion
		}
	}
	return found
}

func (in *inference) namedChoice(ch *choices, found []choice, key string, obj types.Object, depth int) []choice {
	switch obj := obj.(type) {
	case *types.Func:
		obj = obj.Origin()
		return append(found, choice{key, ir.Callee{Func: obj, Body: in.bodyOf(obj)}})
	case *types.Var:
		if p, ok := ch.params[obj]; ok { // what callers hand over
			for _, call := range ch.calls[p.fn] {
				if p.index < len(call.Args) {
					found = in.resolveChoice(ch, found, key, call.Args[p.index], depth+1)
				}
			}
			return found
		}
		for _, e := range ch.values[obj.Origin()] {
			found = in.resolveChoice(ch, found, key, e, depth+1)
		}
	}
	return found
}

func (in *inference) bodyOf(fn *types.Func) *ssa.Function {
	if body := in.pkg.SSA.Prog.FuncValue(fn); body != nil && len(body.Blocks) > 0 {
		return body
	}
	return nil
}

// choicesOfMethod lists the methods of the types that the package converts to
// the interface of a call.
func (in *inference) choicesOfMethod(common *ssa.CallCommon) []choice {
	iface := common.Value.Type()
	var found []choice
	seen := make(map[*types.Func]bool)
	for _, x := range in.choices().converted {
		if !types.Identical(x.Type(), iface) {
			continue
		}
		obj, _, _ := types.LookupFieldOrMethod(x.X.Type(), true, in.pass.Pkg, common.Method.Name())
		fn, ok := obj.(*types.Func)
		if !ok || seen[fn.Origin()] || fn.Pkg() != in.pass.Pkg {
			continue
		}
		fn = fn.Origin()
		seen[fn] = true
		found = append(found, choice{typeName(x.X.Type()), ir.Callee{Func: fn, Body: in.bodyOf(fn)}})
	}
	return found
}

// typeName is the name of a type, or of what it points to.
func typeName(t types.Type) string {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if named, ok := types.Unalias(t).(*types.Named); ok {
		return named.Obj().Name()
	}
	return ""
}
