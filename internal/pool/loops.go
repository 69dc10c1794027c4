package pool

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/summary"
)

// A Loop is a loop of a function that receives from a channel and works on what
// it gets before it receives again.
type Loop struct {
	Fn   *ssa.Function
	Chan effect.Path // in terms of Fn
	Recv ssa.Instruction

	// Case is the case of a select that receives, -1 for a plain receive.
	Case int

	// Task is the body of the loop.
	Task *Task

	// Runs says that the loop calls the functions which it receives.
	Runs bool
}

// findLoops finds the loops that drain a channel.
func (m *Model) findLoops() {
	for _, fn := range m.res.Funcs() {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				switch x := instr.(type) {
				case *ssa.UnOp:
					if x.Op == token.ARROW {
						m.addLoop(fn, x, x.X, -1)
					}
				case *ssa.Select:
					for i, st := range x.States {
						if st.Dir == types.RecvOnly {
							m.addLoop(fn, x, st.Chan, i)
						}
					}
				}
			}
		}
	}
}

func (m *Model) addLoop(fn *ssa.Function, recv ssa.Instruction, ch ssa.Value, state int) {
	path := m.res.Path(ch)
	if path == "" || !m.res.InLoop(recv) {
		return
	}
	blocks := cycle(recv.Block())
	l := &Loop{Fn: fn, Chan: path, Recv: recv, Case: state}
	l.Task = &Task{Kind: Channel, Pool: path, In: fn, At: recv, Body: fn, Loop: l, inLoop: blocks, after: recv.Block(), skip: recv}
	m.Loops = append(m.Loops, l)
}

// cycle lists the blocks that lead from b back to it.
func cycle(b *ssa.BasicBlock) map[*ssa.BasicBlock]bool {
	forward := reach(b, func(x *ssa.BasicBlock) []*ssa.BasicBlock { return x.Succs })
	back := reach(b, func(x *ssa.BasicBlock) []*ssa.BasicBlock { return x.Preds })
	out := make(map[*ssa.BasicBlock]bool)
	for x := range forward {
		if back[x] {
			out[x] = true
		}
	}
	return out
}

func reach(b *ssa.BasicBlock, next func(*ssa.BasicBlock) []*ssa.BasicBlock) map[*ssa.BasicBlock]bool {
	seen := make(map[*ssa.BasicBlock]bool)
	work := []*ssa.BasicBlock{b}
	for len(work) > 0 {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range next(x) {
			if !seen[s] {
				seen[s] = true
				work = append(work, s)
			}
		}
	}
	return seen
}

// runLoops finds which of the functions that are sent or kept somewhere are
// called by a loop, and makes them tasks of its channel.
func (m *Model) runLoops() {
	if len(m.kept) == 0 {
		return
	}
	for _, l := range m.Loops {
		for _, op := range m.Ops(l.Task) {
			if op.Verb != Run {
				continue
			}
			root, _ := op.Path.Split()
			if ch := summary.ReceivedFrom(m.res.Root(effect.Path(root))); ch != nil && m.is(m.res.Path(ch), l.Chan) {
				l.Runs = true
				m.runReceived(l, op)
				continue
			}
			m.runKept(l, op)
		}
	}
}

// runReceived adds the functions that are sent on the channel of a loop which
// calls what it receives.
func (m *Model) runReceived(l *Loop, op *Op) {
	common := op.Instr.(ssa.CallInstruction).Common()
	for _, k := range m.kept {
		if k.how != effect.OnChan || !m.same(k.path, k.in, l.Chan, l.Fn) {
			continue
		}
		g := k.callee
		if k.recv != nil {
			if !common.IsInvoke() {
				continue
			}
			g = m.res.Method(k.recv, common.Method.Name())
		} else if common.IsInvoke() {
			continue
		}
		if g == nil || g.Body == nil {
			continue
		}
		t := &Task{Kind: Channel, Pool: k.path, In: k.in, At: k.at, Body: g.Body, Loop: l, Blocks: k.blocks, args: g.Args, hasRecv: g.HasRecv}
		if g.Lit {
			t.given = make([]effect.Path, 0, len(op.args))
			for _, a := range op.args {
				t.given = append(t.given, m.translate(a, l.Chan, k.path))
			}
		}
		m.add(t)
	}
}

// translate is counterpart, also where the two are the same.
func (m *Model) translate(path, a, b effect.Path) effect.Path {
	if a == b {
		return path
	}
	return counterpart(path, a, b)
}

// runKept adds the functions that are kept in the field which a loop calls them
// out of.
func (m *Model) runKept(l *Loop, op *Op) {
	field := m.container(op.Path)
	if field == "" {
		return
	}
	for _, k := range m.kept {
		if k.how != effect.Kept || k.recv != nil || k.callee.Body == nil {
			continue
		}
		path := m.container(k.path)
		if path == "" || m.res.Field(path) != m.res.Field(field) {
			continue
		}
		pool := m.translate(l.Chan, field, path)
		if pool == "" {
			continue
		}
		t := &Task{Kind: Channel, Pool: pool, In: k.in, At: k.at, Body: k.callee.Body, Loop: l, args: k.callee.Args, hasRecv: k.callee.HasRecv}
		if k.callee.Lit {
			t.given = make([]effect.Path, 0, len(op.args))
			for _, a := range op.args {
				t.given = append(t.given, m.translate(a, field, path))
			}
		}
		m.add(t)
	}
}

// container is the path of the outermost struct field that leads to a value
// through elements and fields of elements.
func (m *Model) container(path effect.Path) effect.Path {
	s := string(path)
	for i := 0; i < len(s); i++ {
		if s[i] != '[' {
			continue
		}
		if p := effect.Path(s[:i]); m.res.Field(p) != "" {
			return p
		}
	}
	if m.res.Field(path) != "" {
		return path
	}
	return ""
}
