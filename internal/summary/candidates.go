package summary

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/ir"
)

// A MayCall is a call whose callee is one of several, or one that nothing says
// for certain: out of a table of functions, in a field that a constructor sets,
// of an interface that some types of the package are converted to.
type MayCall struct {
	At         ssa.Instruction // in the function that was asked for
	Pos        token.Pos
	Table      bool // the callees stand in a map or slice
	Interface  bool
	Candidates []Candidate
}

// A Candidate is a function that a MayCall may run.
type Candidate struct {
	Key     string // under which it stands in a table, or its type; "" if it is not known
	Func    *types.Func
	Effects []SiteEffect // of the call if this is the callee
}

// maxMayDepth is how many calls away from a function a MayCall is looked for.
const maxMayDepth = 2

// MayCalls lists the calls in fn, and in the functions that it calls, of which
// only candidates are known. Calls that are resolved are in Sites.
func (r *Result) MayCalls(fn *ssa.Function) []*MayCall {
	return r.mayCalls(fn, 0)
}

func (r *Result) mayCalls(fn *ssa.Function, depth int) []*MayCall {
	node := r.in.infos[fn]
	if node == nil {
		return nil
	}
	if out, ok := r.may[fn]; ok {
		return out
	}
	if r.may == nil {
		r.may = make(map[*ssa.Function][]*MayCall)
	}
	if depth == 0 {
		r.may[fn] = nil // in a recursion
	}
	f := &function{in: r.in, node: node, fn: fn}
	var out []*MayCall
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(*ssa.Call)
			if !ok {
				continue
			}
			c, t := r.in.targetOf(call.Common())
			switch {
			case t == nil && c.Body == nil || t != nil && t.symbolic != "":
				if m := r.mayCall(f, call, c); m != nil {
					out = append(out, m)
				}
			case t != nil && t.body != nil && t.row == nil && depth < maxMayDepth && t.body != fn:
				for _, inner := range r.mayCalls(t.body, depth+1) {
					out = append(out, r.outward(f, call, c, t, inner))
				}
			}
		}
	}
	if depth == 0 {
		r.may[fn] = out
	}
	return out
}

// mayCall finds the candidates of one call.
func (r *Result) mayCall(f *function, call *ssa.Call, c ir.Callee) *MayCall {
	common := call.Common()
	m := &MayCall{At: call, Pos: position(call)}
	var found []choice
	switch {
	case common.IsInvoke():
		m.Interface = true
		found = r.in.choicesOfMethod(common)
	case c.Value != nil:
		found, m.Table = r.in.choicesOf(c.Value)
	}
	for _, ch := range found {
		callee := ch.callee
		callee.Args = append(callee.Args[:len(callee.Args):len(callee.Args)], common.Args...)
		if common.IsInvoke() {
			callee.Args = append([]ssa.Value{common.Value}, common.Args...)
		}
		cand := Candidate{Key: ch.key, Func: ch.callee.Func}
		if t := r.in.target(callee); t != nil && t.sum != nil {
			for i := range t.sum.Effects {
				if e, ok := f.translate(call, callee, t, i, t.hasRecv()); ok {
					if t.lit {
						e.Lit = t.body
					}
					cand.Effects = append(cand.Effects, e)
				}
			}
		}
		m.Candidates = append(m.Candidates, cand)
	}
	if len(m.Candidates) == 0 {
		return nil
	}
	return m
}

// outward makes a MayCall of a callee one of its caller.
func (r *Result) outward(f *function, call *ssa.Call, c ir.Callee, t *target, inner *MayCall) *MayCall {
	out := *inner
	out.At, out.Pos = call, position(call)
	out.Candidates = nil
	for _, cand := range inner.Candidates {
		sum := &effect.Summary{}
		for _, e := range cand.Effects {
			e.On, e.Pool, e.Without = r.in.paths.Export(e.On, t.body), r.in.paths.Export(e.Pool, t.body), r.in.paths.Export(e.Without, t.body)
			sum.Effects = append(sum.Effects, e.Effect)
		}
		through := *t
		through.sum = sum
		var effects []SiteEffect
		for i := range sum.Effects {
			if e, ok := f.translate(call, c, &through, i, t.hasRecv()); ok {
				effects = append(effects, e)
			}
		}
		out.Candidates = append(out.Candidates, Candidate{cand.Key, cand.Func, effects})
	}
	return &out
}
