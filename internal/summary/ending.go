package summary

import (
	"go/token"
	"go/types"
	"slices"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/deadline"
	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/ir"
	"github.com/concvet/concvet/internal/knowledge"
)

// newDeadlines answers for the contexts and clients of the package. Only of the
// module that is analysed every assignment is seen, since the scan asks for no
// function of a dependency because of them.
func (in *inference) newDeadlines() *deadline.Package {
	funcs := in.funcs
	if init := in.pkg.SSA.Func("init"); init != nil && len(init.Blocks) > 0 {
		funcs = append(funcs[:len(funcs):len(funcs)], init)
	}
	return deadline.New(funcs, in.paths, endings{in}, !in.dependency)
}

// endings is what tables and facts say of values.
type endings struct{ in *inference }

// Result says when a result of a call ends.
func (k endings) Result(call *ssa.Call, i int) (deadline.Result, bool) {
	c := ir.CalleeOf(call.Common(), k.in.paths)
	if c.Func == nil {
		return deadline.Result{}, false
	}
	t := k.in.target(c)
	if t == nil {
		return deadline.Result{}, false
	}
	arg := func(p int) ssa.Value {
		if p == knowledge.NoParam {
			return nil
		}
		return argument(c, t, p)
	}
	if t.row != nil {
		for _, e := range t.row.Ends {
			if e.Result == i {
				return deadline.Result{End: e.End, Arg: arg(e.Param), Or: arg(e.Or)}, true
			}
		}
		for _, l := range t.row.Links {
			if p, ok := l.From.Param(); ok && l.To == effect.ResultPath(i) && l.From == effect.ParamPath(p) {
				return deadline.Result{End: effect.EndCaller, Arg: arg(p)}, true
			}
		}
		return deadline.Result{}, false
	}
	if t.body != nil || t.sum == nil {
		return deadline.Result{}, false
	}
	for _, e := range t.sum.Ends {
		if e.Result == i {
			r := deadline.Result{End: e.End, Dur: e.Dur}
			if e.End == effect.EndCaller {
				r.Arg = arg(e.Param)
			}
			return r, true
		}
	}
	return deadline.Result{}, false
}

// argument is the argument for parameter p, the receiver being -1.
func argument(c ir.Callee, t *target, p int) ssa.Value {
	if t.hasRecv() {
		p++
	}
	if p < 0 || p >= len(c.Args) {
		return nil
	}
	return c.Args[p]
}

// Settings lists the fields that bound what is done with a carrier.
func (endings) Settings(v ssa.Value) (timeouts, through []string, ok bool) {
	t := types.Unalias(v.Type())
	for range 2 {
		if c := table().Carrier(t); c != nil {
			return c.Timeouts, c.Through, true
		}
		p, ok := t.Underlying().(*types.Pointer)
		if !ok {
			break
		}
		t = types.Unalias(p.Elem())
	}
	return nil, nil, false
}

// Wraps names the method by which an interface hands on.
func (endings) Wraps(t types.Type) string { return table().Wraps(t) }

// Kept reports whether values of a type carry no context where they are kept.
func (endings) Kept(t types.Type) bool { return table().Kept(t) }

// Var says when a package variable of another package ends.
func (k endings) Var(g *ssa.Global) (effect.End, bool) {
	v, _ := g.Object().(*types.Var)
	if v == nil || v.Pkg() == k.in.pass.Pkg {
		return 0, false
	}
	return table().Var(v)
}

// Harmless reports whether a call leaves the settings of its arguments alone:
// the standard library does, and what has a row.
func (k endings) Harmless(call *ssa.CallCommon) bool {
	if _, ok := call.Value.(*ssa.Builtin); ok {
		return true
	}
	c := ir.CalleeOf(call, k.in.paths)
	if c.Func == nil || c.Func.Pkg() == nil {
		return false
	}
	return c.Func.Pkg() != k.in.pass.Pkg && (knowledge.IsStd(c.Func.Pkg().Path()) || table().Func(c.Func) != nil)
}

// Test reports whether fn stands in a test file.
func (k endings) Test(fn *ssa.Function) bool {
	return fn != nil && isTestFile(k.in.pass.Fset, fn.Pos())
}

// ending says when an effect of a callee ends, by the context and the settings
// that it is given, and what the operation is by its row.
func (f *function) ending(c ir.Callee, t *target, i int, e effect.Effect) (out deadline.Value, as string) {
	of := func(p int) deadline.Value {
		if p < 0 && c.From != nil {
			return f.in.deadlines.Receiver(c.From)
		}
		if v := argument(c, t, p); v != nil {
			return f.in.deadlines.Of(v)
		}
		return deadline.Value{}
	}
	if t.row != nil && i < len(t.row.Effects) {
		row := t.row.Effects[i]
		if row.As == lifetime {
			return deadline.Value{}, row.As // it is meant to last
		}
		out = deadline.Nothing()
		if row.Ctx != knowledge.NoParam {
			out = deadline.Both(out, of(row.Ctx))
		}
		if row.By != knowledge.NoParam {
			out = deadline.Both(out, of(row.By))
		}
		if row.ByVar != "" {
			out = deadline.Both(out, f.in.deadlines.Default(row.ByVar, effect.EndNever))
		}
		switch {
		case row.Max > 0:
			return atMost(out, row.Max), row.As
		case row.Dur != knowledge.NoParam:
			v := argument(c, t, row.Dur)
			if d, ok := constDuration(v); !ok || d > 0 {
				return deadline.Value{End: effect.EndDeadline, Dur: d}, row.As
			}
			return deadline.Value{End: effect.EndNever}, row.As
		case row.Ctx == knowledge.NoParam && row.By == knowledge.NoParam && row.ByVar == "":
			if row.As == "" {
				return deadline.Value{}, ""
			}
			return deadline.Value{End: effect.EndNever}, row.As
		case out.End != effect.EndDeadline && f.in.boundedClient(c, t, row.On):
			return deadline.Value{End: effect.EndDeadline}, row.As
		}
		return out, row.As
	}
	if e.Bound.Kind == effect.CtxBound {
		return atMost(of(e.Bound.Param), e.Bound.Dur), roleOf(e.API)
	}
	if e.Bound.Kind == effect.CancelBound {
		return deadline.Cancelled(of(e.Bound.Param)), roleOf(e.API)
	}
	if role := roleOf(e.API); role == "io" {
		return deadline.Value{}, role
	}
	return deadline.Value{}, ""
}

// atMost is a value of which the library itself makes an end, if most is not 0.
func atMost(v deadline.Value, most time.Duration) deadline.Value {
	if most == 0 || v.End == effect.EndCaller || v.End == effect.EndDeadline {
		return v
	}
	return deadline.Value{End: effect.EndDeadline, Dur: most}
}

// lifetime is the role of what ends with its context because it is meant to.
const lifetime = "lifetime"

// roleOf is the role of the operation that a witness ends in.
func roleOf(api string) string {
	row := table().Row(api)
	if row == nil {
		return ""
	}
	for _, e := range row.Effects {
		if e.As != "" {
			return e.As
		}
	}
	return ""
}

// bodyBound is the bound of reading the body of a response: it ends with the
// request.
func (f *function) bodyBound(body effect.Path) effect.Bound {
	call, ok := ir.MadeBy(f.in.paths.Root(body)).(*ssa.Call)
	if !ok || call.Parent() != f.fn {
		return effect.Bound{}
	}
	c, t := f.targetOf(call.Common())
	if t == nil || t.sum == nil {
		return effect.Bound{}
	}
	for i, e := range t.sum.Effects {
		if e.Kind == effect.Net {
			v, _ := f.ending(c, t, i, e)
			return boundOf(v)
		}
	}
	return effect.Bound{}
}

// boundOf is a value in the form of a bound, for callers.
func boundOf(v deadline.Value) effect.Bound {
	switch v.End {
	case effect.EndDeadline:
		if v.Dur > 0 {
			return effect.Bound{Kind: effect.ConstBound, Dur: v.Dur}
		}
		return effect.Bound{Kind: effect.Deadline}
	case effect.EndCaller:
		if v.Cancelled {
			return effect.Bound{Kind: effect.CancelBound, Param: v.Param}
		}
		return effect.Bound{Kind: effect.CtxBound, Param: v.Param}
	}
	return effect.Bound{}
}

// ends says when the results of a function end, for importers in the module.
func (in *inference) ends(fn *ssa.Function) []effect.Ending {
	var out []effect.Ending
	results := fn.Signature.Results()
	for i := range results.Len() {
		if !endable(results.At(i).Type()) {
			if in.returnsUnlimited(fn, i) {
				out = append(out, effect.Ending{Result: i, End: effect.EndNever})
			} else if in.returnsBounded(fn, i) {
				out = append(out, effect.Ending{Result: i, End: effect.EndDeadline})
			}
			continue
		}
		if table().Kept(results.At(i).Type()) && in.hasLocalDatabase() {
			continue // importers do not see that it is a file
		}
		v := in.deadlines.Fn(fn, i)
		if v.End == effect.EndUnknown || v.Cancelled || in.armsResult(fn, i, 0) {
			continue
		}
		e := effect.Ending{Result: i, End: v.End, Dur: v.Dur}
		if v.End == effect.EndCaller {
			e.Param = v.Param
		}
		out = append(out, e)
	}
	return out
}

// endable reports whether values of type t are asked when they end: contexts,
// what carries one, and what has settings that bound it.
func endable(t types.Type) bool {
	if table().Carrier(t) != nil {
		return true
	}
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	named, ok := t.(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return false
	}
	if table().Kept(named) {
		return true
	}
	switch named.Obj().Pkg().Path() + "." + named.Obj().Name() {
	case "context.Context", "net/http.Request", "net.Conn", "net/http.RoundTripper":
		return true
	}
	return false
}

// Deadlines says when the contexts, clients and connections of the package end,
// nil if nothing in it was analysed.
func (r *Result) Deadlines() *deadline.Package { return r.in.deadlines }

// Stopped reports whether something else ends whatever waits on v: a timer that
// kills the process, a goroutine that closes the connection, a helper that sets a
// deadline.
func (r *Result) Stopped(site ssa.Instruction, v ssa.Value) bool {
	base, _ := r.in.paths.Of(v).Split()
	if base == "" {
		return true // nothing can be said
	}
	top := site.Parent()
	for top.Parent() != nil {
		top = top.Parent()
	}
	return r.in.stops(top, site, base, 0)
}

// maxStopDepth is how many calls deep it is looked for who ends a wait.
const maxStopDepth = 3

// stops looks in fn and its literals for what ends waits on the value at the
// local path base, or may end them.
func (in *inference) stops(fn *ssa.Function, site ssa.Instruction, base string, depth int) bool {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if ok && instr != site && in.stopsBy(call, site, base, depth) {
				return true
			}
		}
	}
	return slices.ContainsFunc(fn.AnonFuncs, func(lit *ssa.Function) bool { return in.stops(lit, site, base, depth) })
}

func (in *inference) stopsBy(call ssa.CallInstruction, site ssa.Instruction, base string, depth int) bool {
	c := ir.CalleeOf(call.Common(), in.paths)
	row, hasRecv := in.rowOfCallee(c)
	for i, a := range c.Args {
		if neg, ok := a.(*ssa.UnOp); ok && neg.Op == token.SUB {
			a = neg.X // the group of a process
		}
		if root, sel := in.paths.Of(a).Split(); root != base || sel != "" && row == nil {
			continue
		}
		switch {
		case row != nil:
			if slices.Contains(row.Bounds, i-hasRecv) {
				return true
			}
			// A connection is closed after use, too, by the very function.
			if slices.Contains(row.Stops, i-hasRecv) && (row.Kills() || site != nil && call.Parent() != site.Parent()) {
				return true
			}
		case c.Func != nil && c.Func.Pkg() != nil && knowledge.IsStd(c.Func.Pkg().Path()):
		case c.Body == nil || depth == maxStopDepth:
			return true // it may
		case i < len(c.Body.Params):
			root, _ := in.paths.Of(c.Body.Params[i]).Split()
			if in.stops(c.Body, nil, root, depth+1) {
				return true
			}
		}
	}
	return false
}

// Loops reports whether an instruction may run again and again in one call of
// its function.
func (r *Result) Loops(instr ssa.Instruction) bool { return ir.Again(instr.Block(), nil) }

// Callee returns what a call in the package calls.
func (r *Result) Callee(call ssa.CallInstruction) ir.Callee {
	return ir.CalleeOf(call.Common(), r.in.paths)
}
