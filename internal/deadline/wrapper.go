package deadline

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/ir"
)

// maxWrap is through how many functions what a wrapper is given is followed.
const maxWrap = 3

// A wrapping is one value of a type that wraps another one, and the function that
// is looked at: the method which hands on, or one that it calls.
type wrapping struct {
	pkg   *Package
	value ssa.Value // the wrapper
	field map[string]bool
	depth int
}

// wrapper says when what a wrapper is asked for ends, if v makes an interface
// whose implementations hand on by one method: as what it hands on to ends. One
// that gives what it hands on a limit, or may do so, is not known.
func (p *Package) wrapper(v *ssa.MakeInterface, depth int) (Value, bool) {
	name := p.know.Wraps(v.Type())
	if name == "" {
		return Value{}, false
	}
	if _, _, ok := p.know.Settings(v.X); ok {
		return Value{}, false // what is wrapped in the end
	}
	if sig, ok := types.Unalias(v.X.Type()).Underlying().(*types.Signature); ok {
		return p.wrapperFunc(v, sig, depth), true
	}
	if call, ok := v.X.(*ssa.Call); ok {
		if r, ok := p.know.Result(call, 0); ok {
			return p.result(call, r, depth), true
		}
	}
	w := &wrapping{pkg: p, value: v.X, field: make(map[string]bool), depth: depth}
	obj, index, _ := types.LookupFieldOrMethod(v.X.Type(), true, p.pkg(), name)
	fn, ok := obj.(*types.Func)
	if !ok {
		return Value{}, true
	}
	if len(index) == 2 { // the struct embeds what it hands on to
		if f := ir.FieldVar(v.X.Type(), index[0]); f != nil && types.IsInterface(f.Type()) {
			return w.fieldValue(f.Name()), true
		}
		return Value{}, true
	}
	body := v.Parent().Prog.FuncValue(fn.Origin())
	if body == nil || len(body.Blocks) == 0 || len(body.Params) != 2 || len(index) != 1 {
		return Value{}, true
	}
	return w.handsOn(body, body.Params[1], 0), true
}

// wrapperFunc is the same of a function type whose method calls the function.
func (p *Package) wrapperFunc(v *ssa.MakeInterface, sig *types.Signature, depth int) Value {
	x := v.X
	if c, ok := x.(*ssa.ChangeType); ok {
		x = c.X
	}
	body := ir.FuncOf(x, p.paths).Body
	if body == nil || sig.Params().Len() != 1 || len(body.Params) == 0 {
		return Value{}
	}
	w := &wrapping{pkg: p, field: make(map[string]bool), depth: depth}
	return w.handsOn(body, body.Params[len(body.Params)-1], 0)
}

// handsOn joins what a function hands its parameter on to.
func (w *wrapping) handsOn(fn *ssa.Function, asked *ssa.Parameter, depth int) Value {
	out := Value{none: true}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			switch x := instr.(type) {
			case *ssa.Go:
				return Value{}
			case *ssa.Select:
				return Value{} // something ends the wait, perhaps
			case *ssa.Call:
				v, ok := w.call(fn, x, asked, depth)
				if !ok {
					return Value{}
				}
				out = join(out, v)
			}
		}
	}
	for _, lit := range fn.AnonFuncs {
		if usesType(lit, asked.Type()) {
			return Value{} // it hands on there, or makes another one
		}
	}
	if out.none {
		return Value{}
	}
	return out
}

// call is what one call adds; it is false if that is not known.
func (w *wrapping) call(fn *ssa.Function, call *ssa.Call, asked *ssa.Parameter, depth int) (Value, bool) {
	nothing := Value{none: true}
	for i := range max(1, call.Call.Signature().Results().Len()) {
		if r, ok := w.pkg.know.Result(call, i); ok && (r.End == effect.EndDeadline || r.End == effect.EndCancel) {
			return nothing, false // it limits something
		}
	}
	if !types.Identical(call.Call.Signature().Results(), fn.Signature.Results()) || len(call.Call.Args) == 0 {
		return nothing, true
	}
	given := call.Call.Args[len(call.Call.Args)-1]
	if !types.Identical(given.Type(), asked.Type()) {
		return nothing, true
	}
	if !w.same(given, asked, 0) {
		return nothing, false
	}
	if call.Call.IsInvoke() {
		v := w.carrier(fn, call.Call.Value, depth)
		return v, !v.none
	}
	c := ir.CalleeOf(call.Common(), w.pkg.paths)
	switch {
	case c.Body == nil && c.Func != nil && len(c.Args) == 2:
		v := w.carrier(fn, c.Args[0], depth)
		return v, !v.none
	case c.Body != nil && depth < maxWrap && len(c.Body.Params) == 2 && len(fn.Params) == 2 && c.Args[0] == fn.Params[0]:
		v := w.handsOn(c.Body, c.Body.Params[1], depth+1)
		return v, !v.none
	}
	return nothing, false
}

// same reports whether v is what the function is asked for, or a copy that ends
// as it does.
func (w *wrapping) same(v ssa.Value, asked *ssa.Parameter, depth int) bool {
	if v == asked || w.pkg.paths.Of(v) == w.pkg.paths.Of(asked) {
		return true
	}
	switch x := v.(type) {
	case *ssa.Phi:
		for _, e := range x.Edges {
			if e != x && (depth == 2*maxWrap || !w.same(e, asked, depth+1)) {
				return false
			}
		}
		return true
	case *ssa.UnOp:
		if a, ok := x.X.(*ssa.Alloc); ok && x.Op == token.MUL {
			stores, ok := w.pkg.paths.Stores(a)
			for _, s := range stores {
				ok = ok && depth < 2*maxWrap && w.same(s.Val, asked, depth+1)
			}
			return ok && len(stores) > 0
		}
	case *ssa.Call:
		r, ok := w.pkg.know.Result(x, 0)
		return ok && r.End == effect.EndCaller && r.Arg != nil && depth < 2*maxWrap && w.same(r.Arg, asked, depth+1)
	}
	return false
}

// carrier is when what is handed on to ends: a field of the wrapper, what a
// method of it returns, or something else.
func (w *wrapping) carrier(fn *ssa.Function, v ssa.Value, depth int) Value {
	if phi, ok := v.(*ssa.Phi); ok && depth < maxWrap {
		out := Value{none: true}
		for _, e := range phi.Edges {
			out = join(out, w.carrier(fn, e, depth+1))
		}
		return out
	}
	if call, ok := v.(*ssa.Call); ok && depth < maxWrap {
		c := ir.CalleeOf(call.Common(), w.pkg.paths)
		if c.Body != nil && len(c.Args) == 1 && len(fn.Params) > 0 && c.Args[0] == fn.Params[0] {
			out := Value{none: true}
			for _, b := range c.Body.Blocks {
				if ret := returns(b); ret != nil && len(ret.Results) == 1 {
					out = join(out, w.carrier(c.Body, ret.Results[0], depth+1))
				}
			}
			return out
		}
	}
	if len(fn.Params) > 0 && w.value != nil {
		root, sel := w.pkg.paths.Of(v).Split()
		if base, _ := w.pkg.paths.Of(fn.Params[0]).Split(); root == base && len(sel) > 1 && sel[0] == '.' {
			return w.fieldValue(sel[1:])
		}
	}
	return w.pkg.of(v, w.depth+1)
}

// fieldValue joins what is in a field of the wrapper: what is stored to it where
// the wrapper is made, else what the package ever stores to it.
func (w *wrapping) fieldValue(name string) Value {
	p := w.pkg
	made := p.key(w.value)
	if call, ok := made.(*ssa.Call); ok {
		made = onlyMade(call, p.paths)
	}
	a, ok := made.(*ssa.Alloc)
	if !ok || a.Referrers() == nil {
		return p.fieldOf(w.value.Type(), name, w.depth)
	}
	out := Value{none: true}
	for _, r := range *a.Referrers() {
		fa, ok := r.(*ssa.FieldAddr)
		if !ok || fa.Referrers() == nil {
			continue
		}
		if f := ir.FieldVar(fa.X.Type(), fa.Field); f == nil || f.Name() != name {
			continue
		}
		for _, fr := range *fa.Referrers() {
			if s, ok := fr.(*ssa.Store); ok && s.Addr == ssa.Value(fa) {
				out = join(out, p.of(s.Val, w.depth+1))
			}
		}
	}
	if a.Parent() != w.value.Parent() && out.End == effect.EndCaller {
		return Value{} // of whoever calls the constructor
	}
	return out
}

// onlyMade is the struct that a constructor of the package makes and returns.
func onlyMade(call *ssa.Call, paths *ir.Paths) any {
	c := ir.CalleeOf(call.Common(), paths)
	if c.Body == nil || c.Invoke {
		return nil
	}
	var out any
	for _, b := range c.Body.Blocks {
		if ret := returns(b); ret != nil && len(ret.Results) > 0 {
			if out != nil {
				return nil
			}
			out = paths.Root(paths.Of(ret.Results[0]))
		}
	}
	return out
}

// fieldOf joins what the package stores to a field that only it can set.
func (p *Package) fieldOf(owner types.Type, name string, depth int) Value {
	obj, _, _ := types.LookupFieldOrMethod(owner, true, p.pkg(), name)
	f, ok := obj.(*types.Var)
	if !ok || !p.private(f, owner) {
		return Value{}
	}
	return p.stored(f.Origin(), depth+1)
}

// usesType reports whether a literal has a value of a type that it is asked for.
func usesType(lit *ssa.Function, t types.Type) bool {
	for _, b := range lit.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok {
				continue
			}
			for _, a := range call.Common().Args {
				if types.Identical(a.Type(), t) {
					return true
				}
			}
		}
	}
	return false
}

// returns is the return at the end of a block, nil if it ends otherwise.
func returns(b *ssa.BasicBlock) *ssa.Return {
	if len(b.Instrs) == 0 {
		return nil
	}
	ret, _ := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
	return ret
}
