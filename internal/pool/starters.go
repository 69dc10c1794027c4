package pool

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/region"
	"github.com/concvet/concvet/internal/summary"
)

// A starter is a function that waits for a slot of a semaphore, and then starts
// a goroutine which calls a parameter of the function before it gives the slot
// back: a pool by hand.
type starter struct {
	param int         // among the function's Params
	slots effect.Path // the semaphore, in terms of the function
}

// Starts lists the goroutines that an instruction starts, directly or by handing
// a function to one that does.
func (m *Model) Starts(instr ssa.CallInstruction) []*summary.Call {
	if _, ok := instr.Common().Value.(*ssa.Builtin); ok {
		return nil
	}
	c := m.call(instr)
	if _, ok := instr.(*ssa.Go); ok {
		if c.Body == nil {
			return nil
		}
		return []*summary.Call{c}
	}
	if c.Sum == nil {
		return nil
	}
	var out []*summary.Call
	for _, pc := range c.Sum.Calls {
		i := pc.Param
		if c.HasRecv {
			i++
		}
		if pc.Mode != effect.Async || i < 0 || i >= len(c.Args) {
			continue
		}
		if g := m.res.Func(c.Args[i]); g.Body != nil {
			out = append(out, g)
		}
	}
	return out
}

// HandedOver lists the slots that are held where a goroutine starts and that the
// goroutine gives back, as things that it holds from its start on.
func (m *Model) HandedOver(fn *ssa.Function, reg *region.Region, at ssa.Instruction, g *summary.Call) []*region.Thing {
	if g.Body == nil || g.Sum == nil {
		return nil
	}
	var out []*region.Thing
	for _, t := range reg.Held(at) {
		if t.Class != effect.Slot {
			continue
		}
		for _, p := range g.Sum.Releases {
			if m.res.Import(p, g.Args, g.HasRecv, fn) != t.Path {
				continue
			}
			local := m.Inside(p, g.Body)
			if local == "" {
				continue
			}
			o := *t
			o.Path, o.Outer, o.Failed, o.Site = local, true, nil, nil
			out = append(out, &o)
		}
	}
	return out
}

// Inside turns a path of a function's summary into a local one.
func (m *Model) Inside(p effect.Path, fn *ssa.Function) effect.Path {
	i, ok := p.Param()
	if !ok {
		return p
	}
	if fn.Signature.Recv() != nil {
		i++
	}
	if i < 0 || i >= len(fn.Params) {
		return ""
	}
	_, sel := p.Split()
	return m.res.Path(fn.Params[i]) + effect.Path(sel)
}

// findStarters finds what the functions of the package start under a slot.
func (m *Model) findStarters() map[*ssa.Function][]starter {
	out := make(map[*ssa.Function][]starter)
	for _, fn := range m.res.Funcs() {
		if !slices.ContainsFunc(fn.Params, func(p *ssa.Parameter) bool { return isFunc(p.Type()) }) || !m.takes(fn) {
			continue
		}
		reg := m.res.Region(fn)
		if reg == nil {
			continue
		}
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				call, ok := instr.(ssa.CallInstruction)
				if !ok {
					continue
				}
				for _, g := range m.Starts(call) {
					for _, t := range m.HandedOver(fn, reg, call, g) {
						if !m.takesEndlessly(fn, t.Path) {
							continue
						}
						for _, i := range m.calledUnder(fn, g, t) {
							out[fn] = append(out[fn], starter{i, m.res.Import(m.res.Export(t.Path, g.Body), g.Args, g.HasRecv, fn)})
						}
					}
				}
			}
		}
	}
	return out
}

// takes reports whether a function takes a slot itself.
func (m *Model) takes(fn *ssa.Function) bool {
	for _, s := range m.res.Sites(fn) {
		for _, e := range s.Effects {
			if e.Kind == effect.Acquire && e.On != "" {
				return true
			}
		}
	}
	return false
}

// takesEndlessly reports whether a function waits for slots of the semaphore at
// path until there is one.
func (m *Model) takesEndlessly(fn *ssa.Function, path effect.Path) bool {
	found := false
	for _, s := range m.res.Sites(fn) {
		for _, e := range s.Effects {
			if e.Kind != effect.Acquire || e.On != path {
				continue
			}
			if !e.Bound.Endless() {
				return false
			}
			found = true
		}
	}
	return found
}

// calledUnder lists the parameters of fn that a goroutine which it starts calls
// while it holds t.
func (m *Model) calledUnder(fn *ssa.Function, g *summary.Call, t *region.Thing) []int {
	inner := m.res.RegionFrom(g.Body, []*region.Thing{t})
	if inner == nil {
		return nil
	}
	var out []int
	for _, b := range g.Body.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(*ssa.Call)
			if !ok || call.Call.IsInvoke() {
				continue
			}
			path := m.res.Path(call.Call.Value)
			if p, ok := m.res.Root(path).(*ssa.Parameter); ok && p.Parent() == g.Body {
				path = m.res.Import(m.res.Export(path, g.Body), g.Args, g.HasRecv, fn)
			}
			p, ok := m.res.Root(path).(*ssa.Parameter)
			if !ok || p.Parent() != fn || !isFunc(p.Type()) {
				continue
			}
			if _, sel := path.Split(); sel != "" {
				continue
			}
			if slices.ContainsFunc(inner.Held(call), func(h *region.Thing) bool { return h.Class == effect.Slot && h.Path == t.Path }) {
				out = append(out, slices.Index(fn.Params, p))
			}
		}
	}
	return out
}

// startTasks makes tasks of the functions that are handed to starters, also
// through functions that hand on a parameter of theirs.
func (m *Model) startTasks() {
	starters := m.findStarters()
	if len(starters) == 0 {
		return
	}
	for round := 0; round < 2; round++ {
		for _, fn := range m.res.Funcs() {
			for _, b := range fn.Blocks {
				for _, instr := range b.Instrs {
					call, ok := instr.(*ssa.Call)
					if !ok {
						continue
					}
					if _, builtin := call.Call.Value.(*ssa.Builtin); builtin {
						continue
					}
					c := m.call(call)
					for _, s := range starters[c.Body] {
						if c.Body == nil || s.param >= len(c.Args) {
							continue
						}
						path := m.res.Import(m.res.Export(s.slots, c.Body), c.Args, c.HasRecv, fn)
						if path == "" {
							continue
						}
						arg := c.Args[s.param]
						if p, ok := arg.(*ssa.Parameter); ok && round == 0 {
							next := starter{slices.Index(fn.Params, p), path}
							if fn != c.Body && !slices.Contains(starters[fn], next) {
								starters[fn] = append(starters[fn], next)
							}
							continue
						}
						if g := m.res.Func(arg); g.Body != nil && round == 1 {
							m.add(&Task{Kind: Slots, Pool: path, In: fn, At: call, Body: g.Body, Blocks: effect.Always, args: g.Args, hasRecv: g.HasRecv})
						}
					}
				}
			}
		}
	}
}

// Counted reports whether a wait on the group at path waits for the goroutine
// that an instruction starts: the group starts it, or it counts itself down.
func (m *Model) Counted(at ssa.CallInstruction, g *summary.Call, path effect.Path) bool {
	if _, isGo := at.(*ssa.Go); !isGo {
		c := m.call(at)
		return c.HasRecv && len(c.Args) > 0 && m.is(m.res.Path(c.Args[0]), path)
	}
	t := &Task{Kind: Own, In: at.Parent(), Body: g.Body, args: g.Args, hasRecv: g.HasRecv}
	return m.signals(t, path)
}

// Waits lists the waits of a function for groups, and for what it receives, that
// last until somebody else does something.
func (m *Model) Waits(fn *ssa.Function) []*Op {
	var out []*Op
	for _, s := range m.waits(fn) {
		if !s.op.Select {
			out = append(out, &s.op)
		}
	}
	return out
}

// Answers reports whether what is received from a channel that fn makes comes
// from the goroutine g only, which sends or closes it after it has come to the
// instruction after.
func (m *Model) Answers(fn *ssa.Function, g *summary.Call, path effect.Path, after ssa.Instruction) bool {
	mc, ok := m.res.Root(path).(*ssa.MakeChan)
	if _, sel := path.Split(); !ok || sel != "" || mc.Parent() != fn {
		return false
	}
	found := false
	for _, u := range m.Uses(path, fn) {
		if u.Escapes {
			return false
		}
		if !u.Send && !u.Close {
			continue
		}
		if _, deferred := u.Instr.(*ssa.Defer); u.Fn != g.Body || !deferred && !precedes(after, u.Instr) {
			return false
		}
		found = true
	}
	return found
}

// precedes reports whether b is only come to after a.
func precedes(a, b ssa.Instruction) bool {
	if a.Block() == b.Block() {
		return index(a) < index(b)
	}
	return a.Block().Dominates(b.Block())
}
