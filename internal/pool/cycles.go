package pool

import (
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/summary"
)

// A Cycle is a task that waits in its own goroutine for what only the pool that
// it occupies can give.
type Cycle struct {
	Task *Task
	Op   *Op
	End  bool // what it waits for is the end of the goroutine that runs it
	Size int64

	// Back is the task of the other pool that closes a cycle of two, with the
	// operation by which it does.
	Back   *Task
	BackOp *Op
}

// Cycles lists the cycles of the package.
func (m *Model) Cycles() []*Cycle {
	var out []*Cycle
	for _, t := range m.Tasks {
		for _, op := range m.Ops(t) {
			if !m.is(op.Path, t.Pool) {
				continue
			}
			switch {
			case t.Kind == Slots && (op.Verb == Send || op.Verb == Take):
				take := *op
				take.Verb = Take
				out = append(out, &Cycle{Task: t, Op: &take, Size: m.slots(t)})
			case t.Kind == Slots || op.Verb == Take:
			case op.Verb == Submit && op.Blocks == effect.IfLimited && !m.Limited(op.Path, t.In):
			case op.Verb == Submit && m.unbounded(t):
			case op.Verb == Wait && (op.Join != nil || t.Kind == Workers) && (m.unbounded(t) || t.Kind == Group && !m.Limited(op.Path, t.In)):
			case op.Verb == Wait && t.Kind == Channel && op.Join == nil:
			case op.Verb == Send && t.Kind != Channel:
			case op.Verb == Receive || op.Verb == Run:
			default:
				out = append(out, &Cycle{Task: t, Op: op, Size: m.size(t)})
			}
		}
	}
	for _, l := range m.Loops {
		for _, op := range m.Ops(l.Task) {
			if m.is(op.Path, l.Chan) && (op.Verb == Send || op.Verb == Wait && op.Join != nil) {
				out = append(out, &Cycle{Task: l.Task, Op: op})
			}
		}
	}
	out = append(out, m.pairs()...)
	return append(out, m.endings()...)
}

// endings finds goroutines that wait for their own end.
func (m *Model) endings() []*Cycle {
	var out []*Cycle
	byFn := make(map[*ssa.Function][]effect.Path)
	for _, fn := range m.res.Funcs() {
		ends := m.endsOf(fn)
		if len(ends) == 0 {
			continue
		}
		byFn[fn] = ends
		t := &Task{Kind: Own, In: fn, Body: fn}
		for _, op := range m.Ops(t) {
			if m.waitsForEnd(op, ends, fn, op.Path) {
				out = append(out, &Cycle{Task: t, Op: op, End: true})
			}
		}
	}
	for _, t := range m.Tasks {
		if t.Loop == nil {
			continue
		}
		for _, end := range byFn[t.Loop.Fn] {
			path := m.translate(end, t.Loop.Chan, t.Pool)
			if path == "" {
				continue
			}
			for _, op := range m.Ops(t) {
				if m.waitsForEnd(op, []effect.Path{path}, t.In, op.Path) {
					out = append(out, &Cycle{Task: t, Op: op, End: true})
				}
			}
		}
	}
	return out
}

func (m *Model) waitsForEnd(op *Op, ends []effect.Path, fn *ssa.Function, path effect.Path) bool {
	if op.Verb != Wait && op.Verb != Receive || op.Join != nil || op.Select {
		return false
	}
	if _, deferred := op.Instr.(*ssa.Defer); deferred {
		return false // it may run after the end is told
	}
	for _, call := range op.Calls() {
		if _, deferred := call.(*ssa.Defer); deferred {
			return false
		}
	}
	for _, end := range ends {
		if !m.is(end, path) {
			continue
		}
		if op.Verb == Receive {
			for _, u := range m.Uses(path, fn) {
				if u.Send || u.Escapes {
					return false
				}
			}
		}
		return true
	}
	return false
}

// endsOf lists the wait groups that a function counts down, and the channels
// that it closes, when it returns.
func (m *Model) endsOf(fn *ssa.Function) []effect.Path {
	var out []effect.Path
	add := func(p effect.Path) {
		if p == "" {
			return
		}
		if v := m.res.Root(p); v != nil && v.Parent() == fn {
			if _, isParam := v.(*ssa.Parameter); !isParam {
				return // nobody else knows it
			}
		}
		out = append(out, p)
	}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			d, ok := instr.(*ssa.Defer)
			if !ok {
				continue
			}
			for _, p := range m.ended(d) {
				add(p)
			}
			if _, builtin := d.Common().Value.(*ssa.Builtin); builtin {
				continue
			}
			c := m.call(d)
			if c.Body == nil || !c.Lit {
				continue
			}
			for _, b := range c.Body.Blocks {
				for _, instr := range b.Instrs {
					call, ok := instr.(*ssa.Call)
					if !ok || !b.Dominates(last(c.Body)) {
						continue
					}
					for _, p := range m.ended(call) {
						add(m.res.Import(m.res.Export(p, c.Body), c.Args, c.HasRecv, fn))
					}
				}
			}
		}
	}
	return out
}

func last(fn *ssa.Function) *ssa.BasicBlock {
	for _, b := range fn.Blocks {
		if len(b.Instrs) > 0 {
			if _, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok {
				return b
			}
		}
	}
	return fn.Blocks[0]
}

// unbounded reports whether the pool of a task is known never to make anybody
// wait for a free worker: it is made without a limit, or refuses.
func (m *Model) unbounded(t *Task) bool {
	if t.Kind != Workers {
		return false
	}
	for _, call := range m.creations(t.Pool, t.In) {
		c := m.call(call)
		if c.Sized && c.Size <= 0 {
			return true
		}
		for _, o := range m.options(call) {
			if o == nil || o.NoWait() {
				return true
			}
		}
	}
	return false
}

// size is how many tasks of a pool run at once, 0 if that is no constant.
func (m *Model) size(t *Task) int64 {
	var n int64
	for _, call := range m.creations(t.Pool, t.In) {
		c := m.call(call)
		if !c.Sized || n != 0 && n != c.Size {
			return 0
		}
		n = c.Size
	}
	if n != 0 {
		return n
	}
	// A group is told its limit by a call of its own.
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
				if !c.Row || c.Sum == nil {
					continue
				}
				for _, p := range c.Sum.Limits {
					if !m.same(m.res.Import(p, c.Args, c.HasRecv, fn), fn, t.Pool, t.In) {
						continue
					}
					if !c.Sized || n != 0 && n != c.Size {
						return 0
					}
					n = c.Size
				}
			}
		}
	}
	return n
}

// slots is the constant number of slots of the semaphore of a task, 0 if that is
// not known.
func (m *Model) slots(t *Task) int64 {
	n, _ := m.Slots(t.Pool, t.In)
	return n
}

// creations lists the calls that make the pool at path, or those that are stored
// in the field that it stands in.
func (m *Model) creations(path effect.Path, in *ssa.Function) []*ssa.Call {
	if m.created == nil {
		m.created = make(map[string][]*ssa.Call)
		for _, fn := range m.res.Funcs() {
			for _, b := range fn.Blocks {
				for _, instr := range b.Instrs {
					s, ok := instr.(*ssa.Store)
					if !ok {
						continue
					}
					call := m.maker(s.Val)
					if call == nil {
						continue
					}
					if key := m.res.Field(m.res.Path(s.Addr)); key != "" {
						m.created[key] = append(m.created[key], call)
					} else if p := m.res.Path(s.Addr); strings.HasPrefix(string(p), "g:") {
						m.created[string(p)] = append(m.created[string(p)], call)
					}
				}
			}
		}
	}
	m.collectUses()
	var out []*ssa.Call
	for p := range m.aliases(path, in) {
		if call := m.maker(m.res.Root(p)); call != nil {
			out = append(out, call)
		}
		if key := m.res.Field(p); key != "" {
			out = append(out, m.created[key]...)
		}
		out = append(out, m.created[string(p)]...)
	}
	return out
}

// maker is the call that makes the pool v, nil if that is not known.
func (m *Model) maker(v ssa.Value) *ssa.Call {
	if e, ok := v.(*ssa.Extract); ok {
		v = e.Tuple
	}
	call, ok := v.(*ssa.Call)
	if !ok {
		return nil
	}
	if _, builtin := call.Call.Value.(*ssa.Builtin); builtin {
		return nil
	}
	if !m.call(call).Makes() {
		return nil
	}
	return call
}

// options lists the calls that make the options of a constructor; nil stands
// for one that cannot be told.
func (m *Model) options(call *ssa.Call) []*summary.Call {
	args := call.Call.Args
	if len(args) == 0 || !call.Call.Signature().Variadic() {
		return nil
	}
	sl, ok := args[len(args)-1].(*ssa.Slice)
	if !ok {
		if c, isConst := args[len(args)-1].(*ssa.Const); isConst && c.IsNil() {
			return nil
		}
		return []*summary.Call{nil}
	}
	a, ok := sl.X.(*ssa.Alloc)
	if !ok || a.Referrers() == nil {
		return []*summary.Call{nil}
	}
	var out []*summary.Call
	for _, r := range *a.Referrers() {
		ia, ok := r.(*ssa.IndexAddr)
		if !ok || ia.Referrers() == nil {
			continue
		}
		for _, s := range *ia.Referrers() {
			st, ok := s.(*ssa.Store)
			if !ok {
				continue
			}
			o, ok := st.Val.(*ssa.Call)
			if !ok {
				out = append(out, nil)
				continue
			}
			out = append(out, m.call(o))
		}
	}
	return out
}

// Slots is the constant number of slots of the semaphore at path.
func (m *Model) Slots(path effect.Path, fn *ssa.Function) (int64, bool) {
	for _, call := range m.creations(path, fn) {
		if c := m.call(call); c.Sized {
			return c.Size, true
		}
	}
	makes := m.Makes(path, fn)
	if len(makes) != 1 {
		return 0, false
	}
	return constSize(makes[0])
}
