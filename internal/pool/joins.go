package pool

import (
	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
)

// joins finds waits of a function for tasks that it has handed to a pool itself:
// on a wait group that the task counts down, or for a value that the task sends.
// A group that has accepted a task has started it.
func (m *Model) joins(fn *ssa.Function) []step {
	tasks := m.handed[fn]
	if len(tasks) == 0 {
		return nil
	}
	var out []step
	own := m.ownSignals(fn)
	for _, s := range m.waits(fn) {
		for _, t := range tasks {
			if t.Kind == Group || t.Loop != nil && t.Body == fn || own[s.op.Path] || !m.signals(t, s.op.Path) {
				continue
			}
			j := s.op
			j.Verb, j.Path, j.Join = Wait, t.Pool, t
			out = append(out, step{op: j})
			break
		}
	}
	return append(out, m.collected(fn, tasks)...)
}

// waits lists the waits of a function on what it has made itself.
func (m *Model) waits(fn *ssa.Function) []step {
	var out []step
	for _, s := range m.steps0(fn) {
		if s.calls != nil || s.op.Verb != Wait && s.op.Verb != Receive || s.op.Path == "" {
			continue
		}
		if _, deferred := s.op.Instr.(*ssa.Defer); deferred {
			continue
		}
		out = append(out, s)
	}
	return out
}

// ownSignals is what a function ends waits on itself, where no task does it.
func (m *Model) ownSignals(fn *ssa.Function) map[effect.Path]bool {
	out := make(map[effect.Path]bool)
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			switch x := instr.(type) {
			case *ssa.Send:
				out[m.res.Path(x.Chan)] = true
			case *ssa.Call:
				for _, p := range m.ended(x) {
					out[p] = true
				}
			}
		}
	}
	return out
}

// signals reports whether a task ends waits on the group or channel at path.
func (m *Model) signals(t *Task, path effect.Path) bool {
	for _, p := range m.signalled(t) {
		if p == path {
			return true
		}
	}
	return false
}

// signalled lists what the body of a task, and the literals that it runs, count
// down, send on or close, in terms of the function that hands it over.
func (m *Model) signalled(t *Task) []effect.Path {
	var out []effect.Path
	var visit func(f *frame)
	visit = func(f *frame) {
		for _, b := range f.fn.Blocks {
			for _, instr := range b.Instrs {
				switch x := instr.(type) {
				case *ssa.Send:
					out = append(out, m.lift(t, f, m.res.Path(x.Chan)))
				case *ssa.Call:
					out = append(out, m.callSignals(t, f, x)...)
				case *ssa.Defer:
					out = append(out, m.callSignals(t, f, x)...)
				}
				if call, ok := instr.(ssa.CallInstruction); ok && f.depth < 2 {
					if _, isGo := instr.(*ssa.Go); isGo {
						continue
					}
					if _, builtin := call.Common().Value.(*ssa.Builtin); builtin {
						continue
					}
					if c := m.call(call); c.Body != nil {
						visit(&frame{fn: c.Body, up: f, call: call, args: c.Args, hasRecv: c.HasRecv, depth: f.depth + 1})
					}
				}
			}
		}
	}
	visit(&frame{fn: t.Body})
	return out
}

// callSignals is what one call counts down or closes.
func (m *Model) callSignals(t *Task, f *frame, call ssa.CallInstruction) []effect.Path {
	var out []effect.Path
	for _, p := range m.ended(call) {
		if p = m.lift(t, f, p); p != "" {
			out = append(out, p)
		}
	}
	return out
}

// ended lists the wait groups and channels that a call ends waits on, in terms
// of its function.
func (m *Model) ended(call ssa.CallInstruction) []effect.Path {
	if b, ok := call.Common().Value.(*ssa.Builtin); ok {
		if b.Name() == "close" {
			return []effect.Path{m.res.Path(call.Common().Args[0])}
		}
		return nil
	}
	c := m.call(call)
	var out []effect.Path
	for _, p := range c.Signals {
		out = append(out, m.res.Import(p, c.Args, c.HasRecv, call.Parent()))
	}
	return out
}
