package summary

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/ir"
	"github.com/concvet/concvet/internal/knowledge"
)

// Exposed reports whether a wait on the connection v that the predicate wants,
// at a site or in the functions of this package that it leads to, has no
// deadline when it begins, and whether every such wait may come again and again
// on one connection.
func (r *Result) Exposed(site ssa.Instruction, v ssa.Value, wants func(SiteEffect) bool) (exposed, again bool) {
	return r.exposed(site, v, wants, 0)
}

// wholeConn is the root of a path that leads to a connection: the value itself, or
// the part of a net.TCPConn that has its methods.
func wholeConn(path effect.Path) string {
	root, sel := path.Split()
	if sel != "" && sel != ".conn" {
		return ""
	}
	return root
}

// Armed reports whether something may end a wait on the connection v that begins
// at site.
func (r *Result) Armed(site ssa.Instruction, v ssa.Value) bool {
	base, _ := r.in.paths.Of(v).Split()
	return base == "" || r.in.armed(site, base)
}

func (r *Result) exposed(site ssa.Instruction, v ssa.Value, wants func(SiteEffect) bool, depth int) (exposed, again bool) {
	base, _ := r.in.paths.Of(v).Split()
	if base == "" || r.in.armed(site, base) {
		return false, false
	}
	again = r.repeats(site, v)
	call, ok := site.(ssa.CallInstruction)
	if !ok {
		return false, false
	}
	c, t := r.in.targetOf(call.Common())
	if t == nil || t.row != nil {
		return t != nil, again
	}
	if t.body == nil {
		return r.exposedAbroad(c, t, base), again
	}
	if depth == maxStopDepth {
		return false, false
	}
	for i, a := range c.Args {
		if wholeConn(r.in.paths.Of(a)) != base || i >= len(t.body.Params) {
			continue
		}
		q := t.body.Params[i]
		for _, inner := range r.Sites(t.body) {
			if !slices.ContainsFunc(inner.Effects, func(e SiteEffect) bool { return wholeConn(e.On) == string(r.in.paths.Of(q)) && wants(e) }) {
				continue
			}
			in, inAgain := r.exposed(inner.Instr, q, wants, depth+1)
			if in && !inAgain && !again {
				return true, false
			}
			exposed = exposed || in
		}
	}
	return exposed, true
}

// exposedAbroad reports whether the summary of a function of another package
// has a wait on the connection at base that nothing bounds.
func (r *Result) exposedAbroad(c ir.Callee, t *target, base string) bool {
	for _, e := range t.sum.Effects {
		if e.Bound.Kind != effect.Unbounded || e.Kind != effect.Net && e.Kind != effect.IO {
			continue
		}
		p, ok := e.On.Param()
		if _, sel := e.On.Split(); !ok || sel != "" {
			continue
		}
		if a := argument(c, t, p); a != nil {
			if wholeConn(r.in.paths.Of(a)) == base {
				return true
			}
		}
	}
	return false
}

// Repeats reports whether an instruction may run again with the same v.
func (r *Result) Repeats(instr ssa.Instruction, v ssa.Value) bool { return r.repeats(instr, v) }

// repeats reports whether an instruction may run again with the same v: a loop
// that makes v anew each time does not count.
func (r *Result) repeats(instr ssa.Instruction, v ssa.Value) bool {
	var makes *ssa.BasicBlock
	if made, ok := v.(ssa.Instruction); ok && made.Parent() == instr.Parent() {
		makes = made.Block()
	}
	return makes != instr.Block() && ir.Again(instr.Block(), makes)
}

// An arming is what a call does to the deadline of a connection.
type arming uint8

const (
	leaves arming = iota
	clears        // takes the deadline away
	arms          // sets one, or may end waits otherwise
)

// armed reports whether something may end a wait on the connection at base when
// site begins it: a deadline that was set before and not taken away again, a
// helper that may set one, or another function that closes it.
func (in *inference) armed(site ssa.Instruction, base string) bool {
	fn := site.Parent()
	top := fn
	for top.Parent() != nil {
		top = top.Parent()
	}
	return in.armedOutside(top, fn, base) || in.armedBefore(site, base)
}

// armedOutside looks in fn and its literals, except in the function that waits.
func (in *inference) armedOutside(fn, waits *ssa.Function, base string) bool {
	if fn != waits {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				call, ok := instr.(ssa.CallInstruction)
				if ok && (in.arming(call, base, 0) == arms || in.closes(call, base)) {
					return true
				}
			}
		}
	}
	return slices.ContainsFunc(fn.AnonFuncs, func(lit *ssa.Function) bool {
		return !deferred(lit) && in.armedOutside(lit, waits, base)
	})
}

// deferred reports whether a literal is only deferred: it runs when the waits
// of the function around it are over.
func deferred(lit *ssa.Function) bool {
	refs := lit.Referrers()
	for _, b := range lit.Parent().Blocks {
		for _, instr := range b.Instrs {
			if mc, ok := instr.(*ssa.MakeClosure); ok && mc.Fn == ssa.Value(lit) {
				refs = mc.Referrers()
			}
		}
	}
	if refs == nil || len(*refs) == 0 {
		return false
	}
	for _, r := range *refs {
		if _, ok := r.(*ssa.Defer); !ok {
			return false
		}
	}
	return true
}

// armedBefore walks back from site to whatever last touched the deadline on each
// way there.
func (in *inference) armedBefore(site ssa.Instruction, base string) bool {
	seen := make(map[*ssa.BasicBlock]bool)
	made, _ := in.paths.Root(effect.Path(base)).(ssa.Instruction)
	// back reports whether one of the ways to end in b leaves a deadline.
	var back func(b *ssa.BasicBlock, end int) bool
	back = func(b *ssa.BasicBlock, end int) bool {
		for i := end - 1; i >= 0; i-- {
			if b.Instrs[i] == made {
				return false // it is another one in each turn
			}
			call, ok := b.Instrs[i].(ssa.CallInstruction)
			if !ok || call == site {
				continue
			}
			if _, ok := call.(*ssa.Defer); ok {
				continue
			}
			switch in.arming(call, base, 0) {
			case arms:
				return true
			case clears:
				return false
			}
		}
		for _, p := range b.Preds {
			if !seen[p] {
				seen[p] = true
				if back(p, len(p.Instrs)) {
					return true
				}
			}
		}
		return false
	}
	return back(site.Block(), slices.Index(site.Block().Instrs, site))
}

// arming says what a call does to the deadline of the connection at base.
func (in *inference) arming(call ssa.CallInstruction, base string, depth int) arming {
	c := ir.CalleeOf(call.Common(), in.paths)
	if timer(c.Func) {
		for _, a := range c.Args {
			if mc, ok := a.(*ssa.MakeClosure); ok && slices.ContainsFunc(mc.Bindings, func(b ssa.Value) bool { return string(in.paths.Of(b)) == base }) {
				return arms // a method of the connection
			}
		}
	}
	row, hasRecv := in.rowOfCallee(c)
	out := leaves
	for i, a := range c.Args {
		if wholeConn(in.paths.Of(a)) == base {
			out = max(out, in.armingArg(c, row, i, hasRecv, depth))
		}
	}
	return out
}

// armingArg says what a call does to the deadline of the connection that is its
// argument i.
func (in *inference) armingArg(c ir.Callee, row *knowledge.Row, i, hasRecv, depth int) arming {
	switch {
	case row != nil:
		switch {
		case !slices.Contains(row.Bounds, i-hasRecv) || row.WritesOnly():
			return leaves
		case in.noTime(c.Args[len(c.Args)-1]):
			return clears
		}
		return arms
	case c.Func != nil && c.Func.Pkg() != nil && knowledge.IsStd(c.Func.Pkg().Path()):
		return leaves
	case c.Body == nil || depth == maxStopDepth:
		return arms // it may
	case i < len(c.Body.Params):
		root, _ := in.paths.Of(c.Body.Params[i]).Split()
		return in.armingIn(c.Body, root, depth+1)
	}
	return leaves
}

// ArmsArgument reports whether a call gives the connection that is its argument
// i a deadline, or may do so, and whether it closes it.
func (r *Result) ArmsArgument(call ssa.CallInstruction, i int) (armed, closed bool) {
	c := ir.CalleeOf(call.Common(), r.in.paths)
	var row *knowledge.Row
	hasRecv := 0
	if c.Func != nil {
		row = r.in.rowOf(c.Func, nil)
		if c.Func.Type().(*types.Signature).Recv() != nil {
			hasRecv = 1
		}
	}
	closed = row != nil && slices.Contains(row.Stops, i-hasRecv)
	return r.in.armingArg(c, row, i, hasRecv, 0) == arms, closed
}

// EverArmed reports whether the function that v is a value of, or a literal in
// it, gives the connection v a deadline at any time, or may do so.
func (r *Result) EverArmed(v ssa.Value) bool {
	base := wholeConn(r.in.paths.Of(v))
	fn := v.Parent()
	if base == "" || fn == nil {
		return true
	}
	fn = ir.Outermost(fn)
	return r.in.armingIn(fn, base, 0) == arms
}

// armingIn is the most that a function and its literals do to the deadline of
// the connection at base.
func (in *inference) armingIn(fn *ssa.Function, base string, depth int) arming {
	out := leaves
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if call, ok := instr.(ssa.CallInstruction); ok {
				out = max(out, in.arming(call, base, depth))
				if fn.Parent() != nil && in.closes(call, base) {
					return arms
				}
			}
		}
	}
	for _, lit := range fn.AnonFuncs {
		if !deferred(lit) {
			out = max(out, in.armingIn(lit, base, depth))
		}
	}
	return out
}

// closes reports whether a call closes the connection at base.
func (in *inference) closes(call ssa.CallInstruction, base string) bool {
	c := ir.CalleeOf(call.Common(), in.paths)
	if c.Func == nil || len(c.Args) == 0 || wholeConn(in.paths.Of(c.Args[0])) != base {
		return false
	}
	row := in.rowOf(c.Func, nil)
	return row != nil && slices.Contains(row.Stops, -1)
}

// timer reports whether fn runs a function later.
func timer(fn *types.Func) bool {
	return fn != nil && fn.Pkg() != nil && fn.Name() == "AfterFunc" && (fn.Pkg().Path() == "time" || fn.Pkg().Path() == "context")
}

// noTime reports whether v is the zero time, with which a deadline is taken away.
func (in *inference) noTime(v ssa.Value) bool {
	switch x := v.(type) {
	case *ssa.Const:
		return x.Value == nil
	case *ssa.UnOp:
		switch addr := x.X.(type) {
		case *ssa.Alloc:
			stores, ok := in.paths.Stores(addr)
			return ok && len(stores) == 0
		case *ssa.Global:
			return in.deadlines.Unset(addr)
		}
	}
	return false
}

// bounds reports whether a function sets a deadline for the connection at base,
// itself or by a function of the package.
func (in *inference) bounds(fn *ssa.Function, base string, depth int) bool {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(*ssa.Call)
			if !ok {
				continue
			}
			c := ir.CalleeOf(call.Common(), in.paths)
			for i, a := range c.Args {
				if wholeConn(in.paths.Of(a)) != base {
					continue
				}
				if c.Body != nil && depth < maxStopDepth && i < len(c.Body.Params) && in.bounds(c.Body, string(in.paths.Of(c.Body.Params[i])), depth+1) {
					return true
				}
				if c.Func == nil || c.Body != nil {
					continue
				}
				if row := in.rowOf(c.Func, nil); row != nil && i == 0 && slices.Contains(row.Bounds, -1) && !in.noTime(c.Args[len(c.Args)-1]) {
					return true
				}
			}
		}
	}
	return false
}

// armsResult reports whether a function sets a deadline for the connection that
// it returns as result i, or may.
func (in *inference) armsResult(fn *ssa.Function, i, depth int) bool {
	for _, b := range fn.Blocks {
		if len(b.Instrs) == 0 {
			continue
		}
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok || i >= len(ret.Results) {
			continue
		}
		base, _ := in.paths.Of(ret.Results[i]).Split()
		if base == "" {
			continue
		}
		if in.armingIn(fn, base, 1) == arms {
			return true
		}
		if depth < maxStopDepth && in.madeArmed(in.paths.Root(effect.Path(base)), depth+1) {
			return true
		}
	}
	return false
}

// madeArmed reports whether v is the result of a function of this package that
// sets its deadline, or may.
func (in *inference) madeArmed(v ssa.Value, depth int) bool {
	index := 0
	if x, ok := v.(*ssa.Extract); ok {
		index = x.Index
	}
	call, ok := ir.MadeBy(v).(*ssa.Call)
	if !ok {
		return false
	}
	c := ir.CalleeOf(call.Common(), in.paths)
	return c.Body != nil && !c.Invoke && in.armsResult(c.Body, index, depth)
}

// MadeArmed reports whether v is the result of a function of this package that
// sets its deadline, or may.
func (r *Result) MadeArmed(v ssa.Value) bool { return r.in.madeArmed(v, 0) }
