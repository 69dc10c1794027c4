package pool

import (
	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
)

// An edge says that a task of one pool waits for room in another.
type edge struct {
	task *Task
	op   *Op
}

// pairs finds two pools whose tasks wait for room in each other.
func (m *Model) pairs() []*Cycle {
	var edges []edge
	add := func(t *Task) {
		for _, op := range m.Ops(t) {
			if m.is(op.Path, t.Pool) {
				continue // a cycle of its own
			}
			switch {
			case op.Verb == Submit && t.Kind != Channel && m.waitsForRoom(op, t):
			case op.Verb == Send && t.Kind == Channel:
			default:
				continue
			}
			edges = append(edges, edge{t, op})
		}
	}
	for _, t := range m.Tasks {
		add(t)
	}
	for _, l := range m.Loops {
		add(l.Task)
	}
	var out []*Cycle
	seen := make(map[ssa.Instruction]bool)
	for i, a := range edges {
		for _, b := range edges[i+1:] {
			if a.op.Verb != b.op.Verb || !m.opposite(a, b) || seen[a.op.Instr] || seen[b.op.Instr] {
				continue
			}
			if a.op.Verb == Send && !m.stuckPair(a, b) {
				continue
			}
			seen[a.op.Instr], seen[b.op.Instr] = true, true
			out = append(out, &Cycle{Task: a.task, Op: a.op, Size: m.size(a.task), Back: b.task, BackOp: b.op})
		}
	}
	return out
}

// waitsForRoom reports whether a submit waits until a task of the other pool ends.
func (m *Model) waitsForRoom(op *Op, t *Task) bool {
	if op.Blocks == effect.IfLimited {
		return m.Limited(op.Path, t.In)
	}
	return op.Blocks == effect.Always && !m.unbounded(&Task{Kind: Workers, Pool: op.Path, In: t.In})
}

// opposite reports whether b leads from the pool that a leads to, back to the
// pool that a comes from: the same variables, or the same two fields of one
// object each.
func (m *Model) opposite(a, b edge) bool {
	if a.op.Path == b.task.Pool && a.task.Pool == b.op.Path {
		return true
	}
	if m.variable(a, b) {
		return true
	}
	for _, p := range [][2]effect.Path{{a.task.Pool, b.op.Path}, {a.op.Path, b.task.Pool}} {
		if key := m.res.Field(p[0]); key == "" || key != m.res.Field(p[1]) {
			return false
		}
	}
	return owner(a.task.Pool) == owner(a.op.Path) && owner(b.task.Pool) == owner(b.op.Path)
}

// variable reports whether both pools are variables or parameters, which two
// functions know by different names.
func (m *Model) variable(a, b edge) bool {
	for _, p := range []effect.Path{a.task.Pool, a.op.Path, b.task.Pool, b.op.Path} {
		if _, sel := p.Split(); sel != "" {
			return false
		}
	}
	return m.same(a.op.Path, a.task.In, b.task.Pool, b.task.In) && m.same(a.task.Pool, a.task.In, b.op.Path, b.task.In)
}

// owner is the path of the object that a path ends in a field of.
func owner(p effect.Path) string {
	if i := lastSel(string(p)); i >= 0 {
		return string(p)[:i]
	}
	return ""
}

// stuckPair reports whether nobody but the two loops receives from either
// channel, and whether more is sent than received.
func (m *Model) stuckPair(a, b edge) bool {
	more := a.op.many || b.op.many
	for _, e := range []edge{a, b} {
		makes := m.Makes(e.task.Pool, e.task.In)
		if len(makes) == 0 || sized(makes) || e.task.Loop == nil || m.shown(e.task.Pool) {
			return false
		}
		for _, u := range m.Uses(e.task.Pool, e.task.In) {
			switch {
			case u.Escapes:
				return false
			case u.Close:
			case u.Send:
				looped := a.task.inLoop[u.Instr.Block()] || b.task.inLoop[u.Instr.Block()]
				more = more || u.Instr != a.op.Instr && u.Instr != b.op.Instr && (looped || !fill(u, makes))
			case u.Instr != e.task.Loop.Recv:
				return false
			}
		}
	}
	return more
}
