package summary

import (
	"go/constant"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/ir"
	"github.com/concvet/concvet/internal/knowledge"
)

// unlimited reports whether a limit is one in name only: negative, or so large
// that memory ends before.
func unlimited(args []ssa.Value) bool {
	for _, a := range args {
		c, ok := a.(*ssa.Const)
		if !ok || c.Value == nil || c.Value.Kind() != constant.Int {
			continue
		}
		if n, exact := constant.Int64Val(c.Value); !exact || n < 0 || n >= 1<<31-1 {
			return true
		}
	}
	return false
}

// A limitCall is a call that gives something a limit.
type limitCall struct {
	fn   *ssa.Function
	path effect.Path
	key  string // of the field, "" if it is none
	none bool   // the limit is one in name only
	call *ssa.Call
}

// limitCalls finds the calls of the package that give a limit, or hand
// something to a function that does, or that may.
func (in *inference) limitCalls() []limitCall {
	if in.limits != nil {
		return in.limits
	}
	in.limits = []limitCall{}
	for _, fn := range in.funcs {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				call, ok := instr.(*ssa.Call)
				if !ok {
					continue
				}
				c, t := in.targetOf(call.Common())
				if t == nil || t.sum == nil || len(t.sum.Limits) == 0 {
					continue
				}
				none := unlimited(c.Args)
				for _, key := range in.storedIn(call, 0) {
					in.limits = append(in.limits, limitCall{fn, "", key, none, call})
				}
				for _, p := range t.sum.Limits {
					if path := in.given(call, p, c, t.hasRecv(), fn); path != "" {
						in.limits = append(in.limits, limitCall{fn, path, in.fieldKey(path), none, call})
					}
				}
			}
		}
	}
	return in.limits
}

// storedIn are the fields that a value is put into.
func (in *inference) storedIn(v ssa.Value, depth int) []string {
	if v.Referrers() == nil || depth > 4 {
		return nil
	}
	var out []string
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if key := in.fieldKey(in.paths.Of(r.Addr)); key != "" && r.Val == v {
				out = append(out, key)
			}
		case *ssa.MakeInterface:
			out = append(out, in.storedIn(r, depth+1)...)
		case *ssa.ChangeInterface:
			out = append(out, in.storedIn(r, depth+1)...)
		case *ssa.Phi:
			out = append(out, in.storedIn(r, depth+1)...)
		}
	}
	return out
}

// MayBeLimited reports whether the group or pool at a path is given a limit, or
// whether that cannot be told: it comes from somewhere else.
func (r *Result) MayBeLimited(fn *ssa.Function, path effect.Path) bool {
	if path == "" {
		return true
	}
	if r.GivenLimit(fn, path) {
		return true
	}
	in := r.in
	if in.madeUnlimited(path) {
		base, _ := path.Split()
		return in.handedOut(ir.Outermost(fn), path) || in.handedOut(ir.Outermost(fn), effect.Path(base))
	}
	if in.fieldKey(path) != "" {
		return false
	}
	switch root := in.paths.Root(path).(type) {
	case *ssa.Alloc:
		return in.handedOut(ir.Outermost(fn), path)
	case *ssa.Call, *ssa.Extract:
		call, ok := ir.MadeBy(root).(*ssa.Call)
		if !ok {
			return true
		}
		c := ir.CalleeOf(call.Common(), in.paths)
		if c.Body != nil {
			return in.limitsIn(c.Body, nil) || in.handedOut(ir.Outermost(fn), path)
		}
		// A constructor of the library itself.
		if c.Func == nil || c.Func.Pkg() == nil || !in.hasRows(c.Func.Pkg().Path()) {
			return true
		}
		return in.handedOut(ir.Outermost(fn), path)
	}
	return true
}

// GivenLimit reports whether the package gives a limit to what is at a path, in
// fn or through its field.
func (r *Result) GivenLimit(fn *ssa.Function, path effect.Path) bool {
	return r.given(fn, path, false)
}

// GivenNone reports whether the package says of what is at a path that it has no
// limit: SetLimit(-1).
func (r *Result) GivenNone(fn *ssa.Function, path effect.Path) bool {
	return r.given(fn, path, true)
}

func (r *Result) given(fn *ssa.Function, path effect.Path, none bool) bool {
	key := r.in.fieldKey(path)
	if r.in.madeUnlimited(path) {
		key = "" // the fields of another one do not count
	}
	return slices.ContainsFunc(r.in.limitCalls(), func(l limitCall) bool {
		if l.none != none {
			return false
		}
		return l.path == path && ir.Outermost(l.fn) == ir.Outermost(fn) || key != "" && l.key == key
	})
}

func (in *inference) hasRows(pkg string) bool { return table().HasRows(pkg) }

// limitsIn reports whether a function of the package gives a limit to what it
// makes, or, if p is not nil, to its parameter p.
func (in *inference) limitsIn(fn *ssa.Function, p *ssa.Parameter) bool {
	for _, l := range in.limitCalls() {
		if !l.none && l.fn == fn && (p == nil || in.paths.Root(l.path) == ssa.Value(p)) {
			return true
		}
	}
	return false
}

// handedOut reports whether fn or a literal in it hands what is at path to a
// function that gives it a limit, or of which nothing is known.
func (in *inference) handedOut(fn *ssa.Function, path effect.Path) bool {
	for _, lit := range fn.AnonFuncs {
		if in.handedOut(lit, path) {
			return true
		}
	}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok {
				continue
			}
			c, t := in.targetOf(call.Common())
			if t != nil && t.row != nil {
				continue
			}
			for i, a := range c.Args {
				if in.paths.Of(a) != path {
					continue
				}
				if c.Func != nil && c.Func.Pkg() != nil && in.hasRows(c.Func.Pkg().Path()) && i == 0 {
					continue // a method of the thing itself
				}
				if c.Body == nil || i < len(c.Body.Params) && in.limitsIn(c.Body, c.Body.Params[i]) {
					return true
				}
			}
		}
	}
	return false
}

// rowOfCall is the row of the function that a call calls, nil if it has none.
func (r *Result) rowOfCall(call ssa.CallInstruction) *knowledge.Row { return r.in.rowOfCall(call) }

func (in *inference) rowOfCall(call ssa.CallInstruction) *knowledge.Row {
	_, t := in.targetOf(call.Common())
	if t == nil {
		return nil
	}
	return t.row
}

// Grows says what grows without a limit by the operation with this name (that of
// an effect): a group, a pool; "" if it is not known for that.
func (r *Result) Grows(api string) string {
	if row := table().Row(api); row != nil {
		return row.Grows
	}
	return ""
}

// Made says what a call makes that grows without a limit: a pool, a channel; ""
// if it does not, or if one of its options gives it a bound.
func (r *Result) Made(call ssa.CallInstruction) string {
	row := r.rowOfCall(call)
	if row != nil && row.Grows == "workers" && !r.sizeless(call) {
		return ""
	}
	if row == nil || row.Grows == "" || slices.ContainsFunc(row.Effects, func(e knowledge.Effect) bool { return e.Kind == effect.Spawn }) {
		return ""
	}
	if sig := call.Common().Signature(); row.Grows != "workers" && sig.Variadic() {
		if args := call.Common().Args; r.bounds(args[len(args)-1]) {
			return ""
		}
	}
	return row.Grows
}

// sizeless reports whether the size that a call gives a pool is none: not
// positive, or so large that memory ends before.
func (r *Result) sizeless(call ssa.CallInstruction) bool {
	_, t := r.in.targetOf(call.Common())
	n, ok := r.in.sizeOf(call.Common(), t)
	return ok && (n <= 0 || n >= 1<<31-1)
}

// bounds reports whether an argument is an option that bounds, or a list with
// one; a list from elsewhere may have one.
func (r *Result) bounds(v ssa.Value) bool {
	switch x := v.(type) {
	case *ssa.Call:
		if row := r.rowOfCall(x); row != nil && len(row.Bounding) > 0 {
			return !unlimited(x.Call.Args)
		}
	case *ssa.ChangeType:
		return r.bounds(x.X)
	case *ssa.MakeInterface:
		return r.bounds(x.X)
	case *ssa.Slice:
		list, ok := listed(x)
		return !ok || slices.ContainsFunc(list, r.bounds)
	case *ssa.Phi, *ssa.UnOp:
		return true
	case *ssa.Parameter:
		return true
	}
	return false
}

// BoundingOption is the name of the function in the package of the callee whose
// result bounds what the call makes, "" if there is none that takes a number.
func (r *Result) BoundingOption(call ssa.CallInstruction) string {
	c := ir.CalleeOf(call.Common(), r.in.paths)
	if c.Func == nil || c.Func.Pkg() == nil || !call.Common().Signature().Variadic() {
		return ""
	}
	scope := c.Func.Pkg().Scope()
	for _, name := range scope.Names() {
		fn, ok := scope.Lookup(name).(*types.Func)
		if !ok {
			continue
		}
		sig := fn.Signature()
		if row := table().Func(fn); row == nil || len(row.Bounding) == 0 || sig.Params().Len() != 1 {
			continue
		}
		if b, ok := types.Unalias(sig.Params().At(0).Type()).Underlying().(*types.Basic); ok && b.Info()&types.IsInteger != 0 {
			return name
		}
	}
	return ""
}
