package summary

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/ir"
	"github.com/concvet/concvet/internal/region"
)

// starters lists the parameters that a function runs in a goroutine of its own,
// each under a slot that it waits for first and that the goroutine gives back
// when it ends: to its callers in other packages the semaphore is a pool.
func (f *function) starters(sum *effect.Summary, r *region.Region) []effect.Task {
	if f.in.dependency || len(f.calls) == 0 || f.fn.Parent() != nil {
		return nil
	}
	var out []effect.Task
	for i, pc := range f.calls {
		if pc.Mode != effect.Async {
			continue
		}
		at := f.callers[i]
		for _, t := range r.Held(at) {
			if t.Class != effect.Slot || t.Outer {
				continue
			}
			path := f.in.paths.Export(t.Path, f.fn)
			if path == "" || !waitsFor(sum, path) || !f.givenBack(at, t.Path) {
				continue
			}
			task := effect.Task{Param: pc.Param, Pool: path, How: effect.OnPool, Blocks: effect.Always}
			if !slices.Contains(out, task) {
				out = append(out, task)
			}
		}
	}
	return out
}

// waitsFor reports whether a function waits for slots of the semaphore at path
// until there is one.
func waitsFor(sum *effect.Summary, path effect.Path) bool {
	found := false
	for _, e := range sum.Effects {
		if e.Kind != effect.Acquire || e.On != path {
			continue
		}
		if !e.Bound.Endless() {
			return false
		}
		found = true
	}
	return found
}

// givenBack reports whether the goroutine that an instruction starts gives a slot
// back at its end: by a deferred call.
func (f *function) givenBack(at ssa.CallInstruction, slot effect.Path) bool {
	c := ir.CalleeOf(at.Common(), f.in.paths)
	bodies := []ir.Callee{c}
	for _, a := range at.Common().Args {
		if g := ir.FuncOf(a, f.in.paths); g.Lit != nil {
			bodies = append(bodies, g)
		}
	}
	for _, g := range bodies {
		if g.Body == nil || f.in.infos[g.Body] == nil {
			continue
		}
		t := f.in.target(g)
		if t == nil || t.sum == nil || !slices.ContainsFunc(t.sum.Releases, func(p effect.Path) bool {
			return f.in.paths.Import(p, g.Args, t.hasRecv(), f.fn) == slot
		}) {
			continue
		}
		for instr, events := range f.in.infos[g.Body].events {
			d, deferred := instr.(*ssa.Defer)
			if deferred && d.Parent() == g.Body && slices.ContainsFunc(events, func(e event) bool { return e.Verb == region.Release || e.Verb == region.DropSlot }) {
				return true
			}
		}
	}
	return false
}
