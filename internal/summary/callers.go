package summary

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/ir"
)

// A Reach says how control comes to a function of the package.
type Reach struct {
	// Callers are the functions that call it directly, each once.
	Callers []*ssa.Function

	// Anytime reports that it may run at any time besides: another package sees
	// it, it is started as a goroutine, or it is kept or handed on as a value.
	Anytime bool
}

// Reach says how control comes to fn, a declared function.
func (r *Result) Reach(fn *ssa.Function) Reach {
	if r.reach == nil {
		r.computeReach()
	}
	if have := r.reach[fn]; have != nil {
		return *have
	}
	return Reach{Anytime: true}
}

func (r *Result) computeReach() {
	r.reach = make(map[*ssa.Function]*Reach)
	of := func(fn *ssa.Function) *Reach {
		have := r.reach[fn]
		if have == nil {
			have = &Reach{}
			if fn.Signature.Recv() == nil {
				have.Anytime = token.IsExported(fn.Name()) && r.in.pass.Pkg.Name() != "main"
			} else {
				have.Anytime = token.IsExported(fn.Name()) // by an interface, if not by its name
			}
			r.reach[fn] = have
		}
		return have
	}
	dynamic := make(map[string]bool) // methods called through an interface
	var buf [8]*ssa.Value
	for _, fn := range r.in.funcs {
		if fn.Parent() == nil {
			of(fn)
		}
		if r.InTest(fn) {
			continue
		}
		by := ir.Outermost(fn)
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				var callee *ssa.Function
				if call, ok := instr.(ssa.CallInstruction); ok {
					callee = call.Common().StaticCallee()
					if call.Common().IsInvoke() {
						dynamic[call.Common().Method.Name()] = true
					}
				}
				if callee != nil && callee.Origin() != nil {
					callee = callee.Origin()
				}
				if callee != nil && callee.Parent() == nil {
					have := of(callee)
					if _, isGo := instr.(*ssa.Go); isGo {
						have.Anytime = true
					} else if n := len(have.Callers); n == 0 || have.Callers[n-1] != by {
						have.Callers = append(have.Callers, by)
					}
				}
				for i, op := range instr.Operands(buf[:0]) {
					if f, ok := (*op).(*ssa.Function); ok && f.Parent() == nil && !(i == 0 && callee != nil) {
						if m := ir.FuncOf(f, r.in.paths).Body; m != nil { // behind a method value
							of(m).Anytime = true
						}
					}
				}
			}
		}
	}
	for fn, have := range r.reach {
		have.Anytime = have.Anytime || fn.Signature.Recv() != nil && dynamic[fn.Name()]
	}
}
