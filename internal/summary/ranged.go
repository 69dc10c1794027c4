package summary

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/deadline"
	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/ir"
	"github.com/concvet/concvet/internal/region"
)

// yields reports whether fn is the body of a loop over an iterator function. It
// is a literal in SSA, but stands in its function for whoever reads it.
func yields(fn *ssa.Function) bool { return fn != nil && fn.Synthetic == "range-over-func yield" }

// loopBody is the body of the loop that a call of an iterator stands for, nil if
// it is any other call.
func loopBody(common *ssa.CallCommon) *ssa.Function {
	if common.IsInvoke() || len(common.Args) == 0 {
		return nil
	}
	switch x := common.Args[len(common.Args)-1].(type) {
	case *ssa.MakeClosure:
		if fn, ok := x.Fn.(*ssa.Function); ok && yields(fn) {
			return fn
		}
	case *ssa.Function:
		if yields(x) {
			return x
		}
	case *ssa.ChangeType:
		if mc, ok := x.X.(*ssa.MakeClosure); ok {
			if fn, ok := mc.Fn.(*ssa.Function); ok && yields(fn) {
				return fn
			}
		}
	}
	return nil
}

// iterated resolves the call of an iterator that a loop makes:
//
//	for x := range s.due(ctx) { … }
//
// The arguments are those of the function that made the iterator, then the body
// of the loop. Of an iterator that is not known, the body is all that is.
func (in *inference) iterated(common *ssa.CallCommon, c ir.Callee, t *target) (ir.Callee, *target) {
	if t == nil && c.Func == nil && c.Body == nil {
		if made, mt := in.maker(c.Value); mt != nil {
			out := *mt
			out.sum, out.row, out.body, out.lit = mt.sum.Made, nil, nil, false
			made.Args = append(made.Args[:len(made.Args):len(made.Args)], common.Args...)
			made.Func, made.Body, made.Lit, made.Value = nil, nil, nil, nil
			c, t = made, &out
		}
	}
	at := len(c.Args) - 1
	if t != nil && t.hasRecv() {
		at--
	}
	switch {
	case t == nil || t.sum == nil:
		if c.Func == nil && c.Body == nil {
			c.Args, at = common.Args, len(common.Args)-1
		}
		t = &target{sum: &effect.Summary{Calls: []effect.ParamCall{{Param: at}}}, name: "the iterator"}
	case !callsParam(t.sum, at):
		sum, with := *t.sum, *t
		sum.Calls = append(sum.Calls[:len(sum.Calls):len(sum.Calls)], effect.ParamCall{Param: at})
		with.sum = &sum
		t = &with
	}
	return c, t
}

func callsParam(sum *effect.Summary, i int) bool {
	for _, c := range sum.Calls {
		if c.Param == i {
			return true
		}
	}
	return false
}

// maker resolves the call that has made an iterator.
func (in *inference) maker(v ssa.Value) (ir.Callee, *target) {
	for range 4 {
		switch x := v.(type) {
		case *ssa.ChangeType:
			v = x.X
			continue
		case *ssa.Extract:
			v = x.Tuple
			continue
		}
		break
	}
	call, ok := v.(*ssa.Call)
	if !ok {
		return ir.Callee{}, nil
	}
	c, t := in.targetOf(call.Common())
	if t == nil || t.sum == nil || t.sum.Made == nil {
		return ir.Callee{}, nil
	}
	return c, t
}

// iterator says what the iterator does that fn makes and returns, nil if it returns
// none, or not always the same.
func (f *function) iterator() *effect.Summary {
	at := -1
	results := f.fn.Signature.Results()
	for i := range results.Len() {
		if isIterator(results.At(i).Type()) {
			at = i
		}
	}
	if at < 0 {
		return nil
	}
	var lit *ssa.Function
	for _, b := range f.fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok {
			continue
		}
		if c, ok := ret.Results[at].(*ssa.Const); ok && c.IsNil() {
			continue
		}
		g := ir.FuncOf(ret.Results[at], f.in.paths)
		if g.Body == nil || g.Func != nil || lit != nil && g.Body != lit {
			return nil
		}
		lit = g.Body
	}
	if lit == nil || lit.Parent() != f.fn {
		return nil
	}
	sum := f.in.ownSummary(lit)
	if sum == nil {
		return nil
	}
	return f.handedOut(sum)
}

// handedOut is the summary of a literal of fn in the terms of who calls fn and
// then what it returns: its parameters come after those of fn.
func (f *function) handedOut(sum *effect.Summary) *effect.Summary {
	shift := f.fn.Signature.Params().Len()
	path := func(p effect.Path) effect.Path {
		if i, ok := p.Param(); ok && i >= 0 {
			_, sel := p.Split()
			return effect.ParamPath(i+shift) + effect.Path(sel)
		}
		if strings.HasPrefix(string(p), "l:") {
			if p = f.in.paths.Export(p, f.fn); strings.HasPrefix(string(p), "l:") {
				return "" // of a function around this one
			}
		}
		return p
	}
	list := func(in []effect.Path) []effect.Path {
		var out []effect.Path
		for _, p := range in {
			if p = path(p); p != "" {
				out = append(out, p)
			}
		}
		return out
	}
	out := &effect.Summary{Omitted: sum.Omitted, Symbolic: sum.Symbolic}
	for _, e := range sum.Effects {
		if e.Kind == effect.Spawn || e.Kind == effect.Enqueue {
			continue // it is reported where it stands
		}
		e.On, e.Pool, e.Free = path(e.On), path(e.Pool), list(e.Free) // a context is that of fn already
		if e.Kind == effect.IO && e.On == "" {
			continue
		}
		out.Effects = append(out.Effects, e)
	}
	for _, c := range sum.Calls {
		c.Param += shift
		held := c.Held
		c.Held = nil
		for _, h := range held {
			if h.Path = path(h.Path); h.Path != "" || h.Class.Pinned() {
				c.Held = append(c.Held, h)
			}
		}
		c.Free, c.List = list(c.Free), 0
		out.Calls = append(out.Calls, c)
	}
	out.Normalize()
	return out
}

// isIterator reports whether t is a function that a loop can range over.
func isIterator(t types.Type) bool {
	sig, ok := types.Unalias(t).Underlying().(*types.Signature)
	if !ok || sig.Params().Len() != 1 || sig.Results().Len() != 0 {
		return false
	}
	yield, ok := types.Unalias(sig.Params().At(0).Type()).Underlying().(*types.Signature)
	if !ok || yield.Results().Len() != 1 {
		return false
	}
	b, ok := yield.Results().At(0).Type().Underlying().(*types.Basic)
	return ok && b.Kind() == types.Bool
}

// inBody adds what happens in the body of a loop over an iterator, where it
// happens there.
func (f *function) inBody(instr ssa.CallInstruction, body *ssa.Function, held []*region.Thing, free []effect.Path) {
	node := f.in.infos[body]
	if node == nil {
		return
	}
	f.in.ownSummary(body)
	for _, s := range node.sites {
		var list []SiteEffect
		for _, e := range s.Effects {
			if e.Kind == effect.Spawn || e.Kind == effect.Enqueue {
				continue // it is reported in the body
			}
			out := e
			out.On, out.Pool = f.outOf(e.On, body), f.outOf(e.Pool, body)
			out.Free = free[:len(free):len(free)]
			for _, p := range e.Free {
				if p = f.outOf(p, body); p != "" {
					out.Free = append(out.Free, p)
				}
			}
			if out.Kind == effect.IO && out.On == "" {
				continue
			}
			out.Repeats = out.Repeats || out.Bound.Kind == effect.ConstBound
			out.Lit, out.Held, out.Owned = body, append(held[:len(held):len(held)], e.Held...), nil
			out.Ends, out.As, out.Direct = deadline.Value{}, "", false // it is the body's to end
			list = append(list, out)
		}
		if len(list) > 0 {
			f.node.sites = append(f.node.sites, &Site{Instr: instr, Pos: s.Pos, Effects: list})
		}
	}
}

// ranges adds what a loop over an iterator does: t is the iterator, or what is
// known of it.
func (f *function) ranges(instr ssa.CallInstruction, body *ssa.Function, c ir.Callee, t *target) {
	hasRecv := t.hasRecv()
	var held []*region.Thing
	var free []effect.Path
	called := false
	for _, pc := range t.sum.Calls {
		if !isLast(pc, c, hasRecv) || pc.Mode == effect.Async {
			continue
		}
		things := f.calleeHeld(instr, c, t, pc, hasRecv)
		if called {
			things = heldAtOneOf(held, things)
		}
		held, called = things, true
		for _, p := range pc.Free {
			if q := f.in.paths.Import(p, c.Args, hasRecv, f.fn); q != "" {
				free = append(free, q)
			}
		}
		f.adopt(instr, body, c, &pc, hasRecv)
	}
	if called {
		f.inBody(instr, body, held, free)
	}
}

// isLast reports whether it is the last argument that is called.
func isLast(pc effect.ParamCall, c ir.Callee, hasRecv bool) bool {
	i := pc.Param
	if hasRecv {
		i++
	}
	return i == len(c.Args)-1
}

// outOf is the path of a loop's body in the terms of the function around it, ""
// for what only the body knows.
func (f *function) outOf(p effect.Path, body *ssa.Function) effect.Path {
	if p == "" || p[0] == 'g' {
		return p
	}
	if root := f.in.paths.Root(p); root == nil || root.Parent() == body {
		return ""
	}
	return p
}
