package summary

import (
	"go/constant"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/ir"
	"github.com/concvet/concvet/internal/knowledge"
)

// maxMade is how many steps it is looked back to where a client was made.
const maxMade = 12

// boundedClient reports whether the client that an operation works on was made
// with an option or a setting that gives each of its calls an end, or may do so:
// an interceptor, an HTTP client of its own.
func (in *inference) boundedClient(c ir.Callee, t *target, on int) bool {
	if on == knowledge.NoParam || in.dependency || in.deadlines == nil || c.Func == nil || c.Func.Pkg() == nil {
		return false
	}
	if t.row.File != "" && !table().HasBounding(c.Func.Pkg()) {
		return false // made by a constructor of its own
	}
	v := argument(c, t, on)
	return v != nil && in.madeBounded(v, 0)
}

// isClient reports whether values of type t are made by a constructor with
// options that may bound what is done with them, or from such a value.
func isClient(t types.Type) bool {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	named, ok := t.(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return false
	}
	return table().HasBounding(named.Obj().Pkg()) || types.IsInterface(named) && strings.HasSuffix(named.Obj().Name(), "Client")
}

// returnsBounded reports whether a function returns a client that was made with
// something that bounds what is done with it.
func (in *inference) returnsBounded(fn *ssa.Function, i int) bool {
	return isClient(fn.Signature.Results().At(i).Type()) && slices.ContainsFunc(fn.Blocks, func(b *ssa.BasicBlock) bool {
		ret, ok := lastOf(b).(*ssa.Return)
		return ok && i < len(ret.Results) && in.madeBounded(ret.Results[i], 0)
	})
}

// madeBounded reports whether a value was made with something that bounds what
// is done with it, as far as the package shows.
func (in *inference) madeBounded(v ssa.Value, depth int) bool {
	if depth > maxMade || v == nil {
		return false
	}
	if out, ok := in.bounded[v]; ok {
		return out
	}
	if in.bounded == nil {
		in.bounded = make(map[ssa.Value]bool)
	}
	in.bounded[v] = false // while it is looked at
	out := in.findBounded(v, depth+1)
	in.bounded[v] = out
	return out
}

func (in *inference) findBounded(v ssa.Value, depth int) bool {
	if table().Carrier(v.Type()) != nil && in.deadlines.Of(v).End == effect.EndDeadline {
		return true
	}
	var call *ssa.Call
	result := 0
	switch x := v.(type) {
	case *ssa.Call:
		call = x
	case *ssa.Extract:
		call, _ = x.Tuple.(*ssa.Call)
		result = x.Index
	}
	if call == nil {
		return slices.ContainsFunc(in.deadlines.Sources(v), func(s ssa.Value) bool { return in.madeBounded(s, depth) })
	}
	c, t := in.targetOf(call.Common())
	if c.Body != nil && !c.Invoke {
		return slices.ContainsFunc(c.Body.Blocks, func(b *ssa.BasicBlock) bool {
			ret, ok := lastOf(b).(*ssa.Return)
			return ok && result < len(ret.Results) && in.madeBounded(ret.Results[result], depth)
		})
	}
	if t != nil && t.sum != nil && slices.ContainsFunc(t.sum.Ends, func(e effect.Ending) bool { return e.Result == result && e.End == effect.EndDeadline }) {
		return true
	}
	if c.Func == nil || c.Func.Pkg() == nil || knowledge.IsStd(c.Func.Pkg().Path()) {
		return false
	}
	args := c.Args
	if sig := call.Call.Signature(); sig.Variadic() && len(args) > 0 {
		if in.optionBounds(args[len(args)-1], c.Func.Pkg(), depth) {
			return true
		}
		args = args[:len(args)-1]
	}
	return slices.ContainsFunc(args, func(a ssa.Value) bool {
		switch types.Unalias(a.Type()).Underlying().(type) {
		case *types.Pointer, *types.Interface, *types.Struct:
			return !ir.IsContext(a.Type()) && in.madeBounded(a, depth)
		}
		return false
	})
}

// optionBounds reports whether an option of a constructor of a package, or one
// of a list, bounds what is done with what it makes, or may do so.
func (in *inference) optionBounds(v ssa.Value, of *types.Package, depth int) bool {
	if depth > maxMade {
		return true
	}
	again := func(v ssa.Value) bool { return in.optionBounds(v, of, depth+1) }
	switch x := v.(type) {
	case *ssa.Const:
		return false
	case *ssa.MakeInterface:
		return again(x.X)
	case *ssa.ChangeType:
		return again(x.X)
	case *ssa.Phi:
		return slices.ContainsFunc(x.Edges, func(e ssa.Value) bool { return e != v && again(e) })
	case *ssa.MakeClosure, *ssa.Function:
		body := ir.FuncOf(x, in.paths).Body
		return body == nil || in.setsTimeout(body)
	case *ssa.Slice:
		list, ok := listed(x)
		return !ok || slices.ContainsFunc(list, again)
	case *ssa.UnOp:
		list := in.deadlines.Sources(x)
		return len(list) == 0 || slices.ContainsFunc(list, again)
	case *ssa.Call:
		if b, ok := x.Call.Value.(*ssa.Builtin); ok {
			return b.Name() != "append" || slices.ContainsFunc(x.Call.Args, again)
		}
		if row := in.rowOfCall(x); row != nil && len(row.Bounding) > 0 {
			return in.mayBound(x)
		}
		c := ir.CalleeOf(x.Common(), in.paths)
		return c.Func == nil || c.Func.Pkg() != of && c.Body == nil
	}
	return true
}

// setsTimeout reports whether an option sets a timeout in the struct that it is
// given.
func (in *inference) setsTimeout(body *ssa.Function) bool {
	for _, b := range body.Blocks {
		for _, instr := range b.Instrs {
			s, ok := instr.(*ssa.Store)
			if !ok {
				continue
			}
			addr, ok := s.Addr.(*ssa.FieldAddr)
			if !ok {
				continue
			}
			f := ir.FieldVar(addr.X.Type(), addr.Field)
			c := table().Carrier(addr.X.Type())
			if f != nil && c != nil && slices.Contains(slices.Concat(c.Timeouts, c.Through), f.Name()) {
				return true
			}
		}
	}
	return false
}

// mayBound reports whether what an option is given may bound anything: a text
// that does not speak of a timeout does not, nor do functions of the package
// that make no deadline.
func (in *inference) mayBound(option *ssa.Call) bool {
	for _, a := range option.Call.Args {
		if x, ok := a.(*ssa.Const); ok && x.Value != nil && x.Value.Kind() == constant.String {
			return strings.Contains(strings.ToLower(constant.StringVal(x.Value)), "timeout")
		}
		if s, ok := a.(*ssa.Slice); ok {
			a = s
			if alloc, ok := s.X.(*ssa.Alloc); ok && !in.anyDeadline(alloc) {
				return false
			}
			continue
		}
		if in.harmlessFunc(a) {
			return false
		}
	}
	return true
}

// anyDeadline reports whether one of the functions in a list may make a deadline.
func (in *inference) anyDeadline(list *ssa.Alloc) bool {
	for _, ref := range *list.Referrers() {
		addr, ok := ref.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		for _, s := range *addr.Referrers() {
			if s, ok := s.(*ssa.Store); ok && !in.harmlessFunc(s.Val) {
				return true
			}
		}
	}
	return false
}

// harmlessFunc reports whether a function of the package, or what one returns,
// makes no deadline and calls nobody of the package who might.
func (in *inference) harmlessFunc(v ssa.Value) bool {
	for {
		c, ok := v.(*ssa.ChangeType)
		if !ok {
			break
		}
		v = c.X
	}
	var body *ssa.Function
	if call, ok := v.(*ssa.Call); ok {
		body = ir.CalleeOf(call.Common(), in.paths).Body
	} else {
		body = ir.FuncOf(v, in.paths).Body
	}
	return body != nil && in.makesNone(body)
}

func (in *inference) makesNone(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(*ssa.Call)
			if !ok {
				continue
			}
			if c := ir.CalleeOf(call.Common(), in.paths); c.Body != nil {
				return false
			}
			if r, ok := (endings{in}).Result(call, 0); ok && (r.End == effect.EndDeadline || r.End == effect.EndCancel) {
				return false
			}
		}
	}
	return !slices.ContainsFunc(fn.AnonFuncs, func(lit *ssa.Function) bool { return !in.makesNone(lit) })
}

// listed lists what stands in a slice that is written out, as the arguments of a
// variadic call are; ok is false for any other slice.
func listed(x *ssa.Slice) (values []ssa.Value, ok bool) {
	alloc, ok := x.X.(*ssa.Alloc)
	if !ok {
		return nil, false
	}
	for _, ref := range *alloc.Referrers() {
		addr, ok := ref.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		for _, s := range *addr.Referrers() {
			if s, ok := s.(*ssa.Store); ok {
				values = append(values, s.Val)
			}
		}
	}
	return values, true
}
