package summary

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/ir"
)

// returnsUnlimited reports whether a result is a struct made by the function,
// round a group or pool that a constructor of its library made there and that is
// given no limit. The fact says of the result that it never ends.
func (in *inference) returnsUnlimited(fn *ssa.Function, i int) bool {
	found := false
	for _, b := range fn.Blocks {
		ret, ok := lastOf(b).(*ssa.Return)
		if !ok || i >= len(ret.Results) {
			continue
		}
		a, ok := ret.Results[i].(*ssa.Alloc)
		if !ok || !in.roundUnlimited(a) {
			return false
		}
		found = true
	}
	return found && !in.limitsIn(fn, nil)
}

func (in *inference) roundUnlimited(a *ssa.Alloc) bool {
	for _, r := range *a.Referrers() {
		addr, ok := r.(*ssa.FieldAddr)
		if !ok || addr.Referrers() == nil {
			continue
		}
		f := ir.FieldVar(addr.X.Type(), addr.Field)
		if f == nil || !table().CanLimit(f.Type()) {
			continue
		}
		for _, fr := range *addr.Referrers() {
			s, ok := fr.(*ssa.Store)
			if !ok || s.Addr != ssa.Value(addr) {
				continue
			}
			path := in.paths.Of(s.Val)
			call, ok := ir.MadeBy(in.paths.Root(path)).(*ssa.Call)
			if !ok {
				return false
			}
			c := ir.CalleeOf(call.Common(), in.paths)
			return c.Func != nil && c.Func.Pkg() != nil && in.hasRows(c.Func.Pkg().Path()) && !in.handedOut(a.Parent(), path)
		}
	}
	return false
}

// madeUnlimited reports whether what is at a path is part of a result of which a
// fact says that.
func (in *inference) madeUnlimited(path effect.Path) bool {
	v := in.paths.Root(path)
	call, ok := ir.MadeBy(v).(*ssa.Call)
	if !ok {
		return false
	}
	i := 0
	if e, ok := v.(*ssa.Extract); ok {
		i = e.Index
	}
	c, t := in.targetOf(call.Common())
	return c.Body == nil && t != nil && t.row == nil && t.sum != nil &&
		slices.ContainsFunc(t.sum.Ends, func(e effect.Ending) bool { return e.Result == i && e.End == effect.EndNever })
}

// lastOf is the last instruction of a block, nil if it has none.
func lastOf(b *ssa.BasicBlock) ssa.Instruction {
	if len(b.Instrs) == 0 {
		return nil
	}
	return b.Instrs[len(b.Instrs)-1]
}
