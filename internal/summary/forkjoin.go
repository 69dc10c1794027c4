package summary

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
)

// forkJoin replaces the wait for goroutines that were started in this very
// function by what those goroutines do: a wait for short work is no wait.
func (f *function) forkJoin(instr ssa.CallInstruction, effects []SiteEffect) []SiteEffect {
	waits := false
	for i := range effects {
		waits = waits || effects[i].Kind == effect.GroupWait || effects[i].Kind == effect.Submit
	}
	if !waits {
		return effects
	}
	var out []SiteEffect
	for _, e := range effects {
		if (e.Kind == effect.GroupWait || e.Kind == effect.Submit) && len(e.Frames) == 1 && f.freshGroup(e.On) {
			out = append(out, f.joined(instr, e.On, true, e.Frames[0].Call)...)
			continue
		}
		out = append(out, e)
	}
	return out
}

// freshGroup reports whether a wait group is a variable of this function, or of
// one around it.
func (f *function) freshGroup(path effect.Path) bool {
	if _, sel := path.Split(); sel != "" {
		return false
	}
	switch f.in.paths.Root(path).(type) {
	case *ssa.Alloc, *ssa.Call, *ssa.Extract:
		return true
	}
	return false
}

// joined is what the goroutines of this function that know the wait group or
// channel at path may do that matters to somebody who waits for them.
func (f *function) joined(at ssa.Instruction, path effect.Path, group bool, wait string) []SiteEffect {
	var out []SiteEffect
	for _, g := range f.started {
		if !f.knows(g, path, group) {
			continue
		}
		t := f.in.target(g.callee)
		if t == nil || t.sum == nil {
			continue
		}
		hasRecv := t.hasRecv()
		goInstr, ok := g.at.(ssa.CallInstruction)
		if !ok {
			continue
		}
		for i := range t.sum.Effects {
			switch t.sum.Effects[i].Kind {
			case effect.Net, effect.DB, effect.Exec, effect.Sleep, effect.Lock, effect.IO:
			default:
				continue
			}
			te, ok := f.translate(goInstr, g.callee, t, i, hasRecv)
			if !ok {
				continue
			}
			te.Frames = effect.CutFrames(append([]effect.Frame{{Pos: f.in.pos(position(at)), Call: wait}}, te.Frames...), effect.MaxFrames)
			te.Joined = true
			out = append(out, SiteEffect{Effect: te.Effect})
		}
	}
	return out
}

// knows reports whether a goroutine is given what is at path, or is started by
// it. A wait group (group) may be given inside the struct that has it.
func (f *function) knows(g goroutine, path effect.Path, group bool) bool {
	values := g.callee.Args
	if g.callee.Lit != nil {
		values = append(slices.Clone(values), g.callee.Lit.Bindings...)
	}
	if call, ok := g.at.(*ssa.Call); ok && len(call.Call.Args) > 0 {
		values = append(slices.Clone(values), call.Call.Args[0])
	}
	for _, v := range values {
		p := f.in.paths.Of(v)
		if p == path || group && p != "" && strings.HasPrefix(string(path), string(p)+".") {
			return true
		}
	}
	return false
}
