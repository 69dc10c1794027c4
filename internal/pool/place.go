package pool

import (
	"golang.org/x/tools/go/ssa"
)

// Place is the instruction at which an operation of a task is reported: the
// operation itself where only tasks come to it, or else the last call on the
// way there that only tasks make.
func (m *Model) Place(t *Task, op *Op) ssa.Instruction {
	at := op.Instr
	for f := op.frame; f.up != nil; f = f.up {
		if m.onlyTask(f.fn, t, make(map[*ssa.Function]bool)) {
			return at
		}
		at = f.call
	}
	return at
}

// onlyTask reports whether every call of fn that is in sight comes out of a
// task.
func (m *Model) onlyTask(fn *ssa.Function, t *Task, seen map[*ssa.Function]bool) bool {
	if fn == t.Body || seen[fn] {
		return true
	}
	seen[fn] = true
	if obj := fn.Object(); obj != nil && obj.Exported() {
		return false
	}
	for _, u := range m.Tasks {
		if u.Body == fn {
			return true
		}
	}
	callers := m.callersOf(fn)
	if len(callers) == 0 {
		return fn.Parent() != nil
	}
	for _, c := range callers {
		if !m.onlyTask(c.instr.Parent(), t, seen) {
			return false
		}
	}
	return true
}

// Rest lists the calls between the place of an operation and the operation.
func (o *Op) Rest(place ssa.Instruction) []ssa.CallInstruction {
	calls := o.Calls()
	for i, c := range calls {
		if c == place {
			return calls[i:]
		}
	}
	return nil
}

// Many reports whether one run of the task may come to the operation several
// times.
func (o *Op) Many() bool { return o.many }

// Fn is the function that the operation stands in.
func (o *Op) Fn() *ssa.Function { return o.Instr.Parent() }
