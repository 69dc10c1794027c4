package pool

import (
	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/ir"
	"github.com/concvet/concvet/internal/summary"
)

// A keptTask is a function that is sent on a channel or stored in a field.
type keptTask struct {
	how    effect.How
	path   effect.Path // of the channel or field, in terms of in
	in     *ssa.Function
	at     ssa.Instruction
	callee *summary.Call
	blocks effect.Blocks
	recv   ssa.Value // an object whose method is called, nil for a function
}

// A caller is a call of a function of this package.
type caller struct {
	instr  ssa.CallInstruction
	callee *summary.Call
}

// findTasks finds the functions that are handed to pools.
func (m *Model) findTasks() {
	var buf [8]*ssa.Value
	for _, fn := range m.res.Funcs() {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				if call, ok := instr.(ssa.CallInstruction); ok {
					m.handOver(fn, call)
				}
				switch x := instr.(type) {
				case *ssa.MakeClosure:
					m.keep(fn, x, x, ir.Sinks(x))
				case *ssa.MakeInterface:
					m.keepObject(fn, x)
				case *ssa.Send, *ssa.Select, *ssa.Store, *ssa.MapUpdate, *ssa.ChangeType:
					for _, op := range instr.Operands(buf[:0]) {
						if f, ok := (*op).(*ssa.Function); ok {
							m.keep(fn, f, instr, ir.SinksOf(f, instr))
						}
					}
				}
			}
		}
	}
}

// handOver notes the tasks that a call hands to a pool.
func (m *Model) handOver(fn *ssa.Function, instr ssa.CallInstruction) {
	if _, ok := instr.Common().Value.(*ssa.Builtin); ok {
		return
	}
	c := m.call(instr)
	if c.Body != nil {
		m.callers[c.Body] = append(m.callers[c.Body], caller{instr, c})
	}
	if c.Sum == nil {
		return
	}
	value, _ := instr.(*ssa.Call)
	for _, t := range c.Sum.Tasks {
		if t.How == effect.Callback {
			continue // no pool that the program knows
		}
		i := t.Param
		if c.HasRecv {
			i++
		}
		if i < 0 || i >= len(c.Args) {
			continue
		}
		g := m.res.Func(c.Args[i])
		if g.Body == nil {
			continue
		}
		var path effect.Path
		if _, isResult := t.Pool.Result(); !isResult {
			path = m.res.Import(t.Pool, c.Args, c.HasRecv, fn)
		} else if value != nil {
			path = m.res.Local(value, c, t.Pool, fn)
		}
		if path == "" {
			continue
		}
		blocks := t.Blocks
		if _, isGo := instr.(*ssa.Go); isGo {
			blocks = effect.Never
		}
		if t.How == effect.OnLoop && c.Body == nil {
			m.add(&Task{Kind: Channel, Pool: path, In: fn, At: instr, Body: g.Body, Blocks: blocks, args: g.Args, hasRecv: g.HasRecv})
			continue
		}
		if t.How != effect.OnPool {
			m.kept = append(m.kept, &keptTask{how: t.How, path: path, in: fn, at: instr, callee: g, blocks: blocks})
			continue
		}
		task := &Task{Kind: Workers, Pool: path, In: fn, At: instr, Body: g.Body, Blocks: blocks, args: g.Args, hasRecv: g.HasRecv}
		if t.Blocks == effect.IfLimited || t.Blocks == effect.Never && spawns(c.Sum) {
			task.Kind = Group
		}
		m.add(task)
	}
}

func (m *Model) add(t *Task) {
	m.Tasks = append(m.Tasks, t)
	m.handed[t.In] = append(m.handed[t.In], t)
}

// keep notes where a function of this package is put.
func (m *Model) keep(fn *ssa.Function, v ssa.Value, at ssa.Instruction, sinks []ir.Sink) {
	if len(sinks) == 0 {
		return
	}
	g := m.res.Func(v)
	if g.Body == nil {
		return
	}
	for _, s := range sinks {
		m.keepAt(fn, s, g, nil)
	}
}

func (m *Model) keepAt(fn *ssa.Function, s ir.Sink, g *summary.Call, recv ssa.Value) {
	k := &keptTask{how: effect.Kept, in: fn, at: s.Instr, callee: g, recv: recv}
	if s.Chan != nil {
		k.how, k.path = effect.OnChan, m.res.Path(s.Chan)
		if s.Waits {
			k.blocks = effect.Always
		}
	} else {
		k.path = m.res.Path(s.Field)
	}
	if k.path != "" {
		m.kept = append(m.kept, k)
	}
}

// keepObject notes objects that are sent on a channel of interfaces: who
// receives them calls their methods.
func (m *Model) keepObject(fn *ssa.Function, x *ssa.MakeInterface) {
	for _, s := range ir.Sinks(x) {
		if s.Chan != nil {
			m.keepAt(fn, s, nil, x.X)
		}
	}
}

// callersOf lists the calls of a function in this package.
func (m *Model) callersOf(fn *ssa.Function) []caller { return m.callers[fn] }

// spawns reports whether a callee starts a goroutine for each call.
func spawns(s *effect.Summary) bool {
	for _, e := range s.Effects {
		if e.Kind == effect.Spawn {
			return true
		}
	}
	return false
}
