package summary

import (
	"go/token"
	"go/types"
	"slices"
	"sort"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/ir"
	"github.com/concvet/concvet/internal/region"
)

// Result answers for the functions of one package. It is computed for the
// package whose pass gave it, and not safe for concurrent use.
type Result struct {
	in      *inference
	regions map[*ssa.Function]*region.Region
	entries map[*ssa.Function][]*region.Thing
	takes   map[*ssa.Function]map[*types.Var]bool
}

// Failures lists what could not be analysed because of a bug of ours or of
// go/ssa, one line each.
func (r *Result) Failures() []string { return r.in.failures }

// Funcs lists the functions of the package that may have an effect, in source
// order, each before its literals.
func (r *Result) Funcs() []*ssa.Function { return r.in.funcs }

// Sites lists the instructions of fn that may keep its goroutine waiting.
func (r *Result) Sites(fn *ssa.Function) []*Site {
	if node := r.in.infos[fn]; node != nil {
		return node.sites
	}
	return nil
}

// Summary returns the summary of a function of the package.
func (r *Result) Summary(fn *ssa.Function) *effect.Summary {
	if node := r.in.infos[fn]; node != nil {
		return node.sum
	}
	return nil
}

// FieldVar returns the struct field that a local path ends in, nil if none.
func (r *Result) FieldVar(path effect.Path) *types.Var { return r.in.fieldVar(path) }

// Root returns the value that a local path is rooted in, nil for a package variable.
func (r *Result) Root(path effect.Path) ssa.Value { return r.in.paths.Root(path) }

// Region returns what is held in fn, given what is held wherever it is called
// as a literal.
func (r *Result) Region(fn *ssa.Function) *region.Region {
	r.computeRegions()
	return r.regions[fn]
}

// Entry returns what callers hold when the literal fn runs.
func (r *Result) Entry(fn *ssa.Function) []*region.Thing {
	r.computeRegions()
	return r.entries[fn]
}

// computeRegions computes every region, functions before their literals, so
// that what is held where a literal is called is known when its turn comes.
func (r *Result) computeRegions() {
	if r.regions != nil {
		return
	}
	r.regions = make(map[*ssa.Function]*region.Region)
	r.entries = make(map[*ssa.Function][]*region.Thing)
	seen := make(map[*ssa.Function]bool) // literals with a call in sight
	join := func(lit *ssa.Function, held []*region.Thing) {
		if !seen[lit] {
			seen[lit] = true
			r.entries[lit] = held
			return
		}
		r.entries[lit] = slices.DeleteFunc(slices.Clone(r.entries[lit]), func(t *region.Thing) bool {
			return !slices.ContainsFunc(held, func(o *region.Thing) bool { return o.Path == t.Path && o.Class == t.Class })
		})
	}
	for _, fn := range r.in.funcs {
		node := r.in.infos[fn]
		if node.events == nil {
			node.events = make(map[ssa.Instruction][]event)
		}
		f := &function{in: r.in, node: node, fn: fn}
		reg := f.region(r.entries[fn])
		r.regions[fn] = reg
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				if call, ok := instr.(ssa.CallInstruction); ok {
					r.literalEntries(f, call, reg, join)
				}
			}
		}
	}
}

// literalEntries tells the literals that a call runs what is held there.
func (r *Result) literalEntries(f *function, call ssa.CallInstruction, reg *region.Region, join func(*ssa.Function, []*region.Thing)) {
	common := call.Common()
	c, t := r.in.targetOf(common)
	_, isGo := call.(*ssa.Go)
	if t != nil && t.lit {
		if isGo {
			join(t.body, nil)
		} else {
			join(t.body, outer(reg.Held(call)))
		}
	}
	hasRecv := t != nil && t.sig != nil && t.sig.Recv() != nil && !t.lit
	for i, a := range c.Args {
		g := ir.FuncOf(a, r.in.paths)
		if g.Body == nil || g.Func != nil {
			continue
		}
		var held []*region.Thing
		called := false
		if t != nil && t.sum != nil && !isGo {
			for _, pc := range t.sum.Calls {
				j := pc.Param
				if hasRecv {
					j++
				}
				if j != i || pc.Mode == effect.Async {
					continue
				}
				things := append(outer(reg.Held(call)), f.calleeHeld(call, c, t, pc, hasRecv)...)
				if called {
					things = slices.DeleteFunc(things, func(t *region.Thing) bool {
						return !slices.ContainsFunc(held, func(o *region.Thing) bool { return o.Path == t.Path && o.Class == t.Class })
					})
				}
				held, called = things, true
			}
		}
		if called {
			join(g.Body, held)
		} else {
			join(g.Body, nil)
		}
	}
}

// outer marks things as held by a caller.
func outer(things []*region.Thing) []*region.Thing {
	out := make([]*region.Thing, 0, len(things))
	for _, t := range things {
		o := *t
		o.Outer = true
		o.Failed = nil
		out = append(out, &o)
	}
	return out
}

// Takes lists the locks, as struct fields, that fn or what it calls in this
// package takes.
func (r *Result) Takes(fn *ssa.Function) map[*types.Var]bool {
	if r.takes == nil {
		r.computeTakes()
	}
	return r.takes[fn]
}

// computeTakes spreads the locks taken over the calls of the package. Unlike
// the effects of a summary it leaves none out.
func (r *Result) computeTakes() {
	r.takes = make(map[*ssa.Function]map[*types.Var]bool)
	callers := make(map[*ssa.Function][]*ssa.Function)
	var queue []*ssa.Function
	for _, fn := range r.in.funcs {
		set := make(map[*types.Var]bool)
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				for _, e := range r.in.infos[fn].events[instr] {
					if e.Verb == region.Acquire && e.Thing.Class.IsLock() {
						if v := r.in.fieldVar(e.Thing.Path); v != nil {
							set[v] = true
						}
					}
				}
				call, ok := instr.(ssa.CallInstruction)
				if !ok {
					continue
				}
				if _, isGo := call.(*ssa.Go); isGo {
					continue
				}
				c, t := r.in.targetOf(call.Common())
				if t != nil && t.body != nil {
					callers[t.body] = append(callers[t.body], fn)
				}
				for _, a := range c.Args {
					if g := ir.FuncOf(a, r.in.paths); g.Body != nil {
						callers[g.Body] = append(callers[g.Body], fn)
					}
				}
			}
		}
		r.takes[fn] = set
		queue = append(queue, fn)
	}
	for len(queue) > 0 {
		fn := queue[0]
		queue = queue[1:]
		for _, by := range callers[fn] {
			grew := false
			for v := range r.takes[fn] {
				if !r.takes[by][v] {
					r.takes[by][v] = true
					grew = true
				}
			}
			if grew {
				queue = append(queue, by)
			}
		}
	}
}

// Receivers lists the functions that receive from the channel in a struct field.
func (r *Result) Receivers(field *types.Var) []*ssa.Function {
	var out []*ssa.Function
	for _, fn := range r.in.funcs {
		found := false
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				switch x := instr.(type) {
				case *ssa.UnOp:
					found = found || x.Op == token.ARROW && r.in.fieldVar(r.in.paths.Of(x.X)) == field
				case *ssa.Select:
					for _, st := range x.States {
						found = found || st.Dir == types.RecvOnly && r.in.fieldVar(r.in.paths.Of(st.Chan)) == field
					}
				}
			}
		}
		if found {
			out = append(out, fn)
		}
	}
	sort.Slice(out, func(i, j int) bool { return r.in.index[out[i]] < r.in.index[out[j]] })
	return out
}

// Path returns the local path of a value.
func (r *Result) Path(v ssa.Value) effect.Path { return r.in.paths.Of(v) }
