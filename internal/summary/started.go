package summary

import (
	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/ir"
)

// A Helper is a function of the package that a call hands a function to, so that
// it starts goroutines with it.
type Helper struct {
	Body  *ssa.Function
	Name  string
	Does  effect.Work // what the goroutines do, as far as the call says
	Args  []ssa.Value // one for each of Body.Params
	Frame effect.Frame
}

// HelperOf says what a call starts by way of a function of the package, nil if
// it hands it nothing to start.
func (r *Result) HelperOf(call ssa.CallInstruction) *Helper {
	c, t := r.in.targetOf(call.Common())
	if t == nil || t.sum == nil || c.Body == nil || len(c.Args) != len(c.Body.Params) {
		return nil
	}
	f := &function{in: r.in, node: r.in.infos[call.Parent()], fn: call.Parent()}
	w, ok := f.startedWork(call, c, t, t.hasRecv())
	if !ok {
		return nil
	}
	return &Helper{Body: c.Body, Name: t.name, Does: w, Args: c.Args, Frame: effect.Frame{Pos: r.in.pos(position(call)), Call: t.name}}
}

// StartsParam reports whether a go statement, or a call that starts goroutines,
// starts a parameter of the function it stands in, or a literal that calls one.
func (r *Result) StartsParam(site *Site) bool {
	call, ok := site.Instr.(ssa.CallInstruction)
	if !ok {
		return false
	}
	for _, v := range append([]ssa.Value{call.Common().Value}, call.Common().Args...) {
		if call.Common().IsInvoke() && v == call.Common().Value {
			continue
		}
		if p, ok := v.(*ssa.Parameter); ok && isFunc(p.Type()) {
			return true
		}
		g := ir.FuncOf(v, r.in.paths)
		if node := r.in.infos[g.Body]; g.Body != nil && g.Func == nil && node != nil && len(node.outer) > 0 {
			return true
		}
	}
	return false
}

// StartedBy lists the effects of a function that a go statement starts, with
// what the statement gives it.
func (r *Result) StartedBy(x *ssa.Go) []SiteEffect {
	c, t := r.in.targetOf(x.Common())
	if t == nil || t.sum == nil || t.lit {
		return nil
	}
	f := &function{in: r.in, node: r.in.infos[x.Parent()], fn: x.Parent()}
	var out []SiteEffect
	for i := range t.sum.Effects {
		if e, ok := f.translate(x, c, t, i, t.hasRecv()); ok {
			out = append(out, e)
		}
	}
	return out
}
