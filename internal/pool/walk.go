package pool

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/ir"
	"github.com/concvet/concvet/internal/summary"
)

// maxDepth is how many calls below a task are followed, maxVisits how many
// functions. What is further away is hardly ever the same pool.
const (
	maxDepth  = 8
	maxVisits = 400
)

// A frame is one call on the way from a task to an operation.
type frame struct {
	fn      *ssa.Function
	up      *frame
	call    ssa.CallInstruction // in up.fn
	args    []ssa.Value         // in terms of up.fn
	hasRecv bool
	swap    swap
	depth   int
	many    bool
}

// A step is an operation or a call in a function, with paths in its terms.
type step struct {
	op    Op
	calls []*summary.Call // functions that run in this goroutine
	instr ssa.CallInstruction
	swaps []swap // of calls, as far as they come out of a field
}

// walk follows the calls of a task, nearest first.
func (m *Model) walk(t *Task) []*Op {
	var out []*Op
	type key struct {
		fn   *ssa.Function
		args string
	}
	seen := make(map[key]bool)
	queue := []*frame{{fn: t.Body}}
	for n := 0; len(queue) > 0 && n < maxVisits; n++ {
		f := queue[0]
		queue = queue[1:]
		for _, s := range m.stepsOf(f.fn) {
			at := s.op.Instr
			if f.up == nil && !t.covers(at) || f.switchedOff(at) {
				continue
			}
			many := f.many || f.up != nil && m.res.InLoop(at) || f.up == nil && t.repeats(at, m.res)
			if s.calls == nil {
				op := s.op
				op.Path = m.lift(t, f, op.Path)
				if op.Verb == Run {
					local := op.args
					op.args = nil
					for _, a := range local {
						op.args = append(op.args, m.lift(t, f, a))
					}
				}
				op.frame, op.many = f, many
				if op.Path != "" {
					out = append(out, &op)
				}
				continue
			}
			for i, c := range s.calls {
				if f.depth == maxDepth {
					continue
				}
				next := &frame{fn: c.Body, up: f, call: s.instr, args: c.Args, hasRecv: c.HasRecv, depth: f.depth + 1, many: many}
				if i < len(s.swaps) {
					next.swap = s.swaps[i]
				}
				k := key{fn: c.Body}
				for _, a := range c.Args {
					k.args += string(m.lift(t, f, m.res.Path(a))) + " "
				}
				if !seen[k] {
					seen[k] = true
					queue = append(queue, next)
				}
			}
		}
	}
	return out
}

// switchedOff reports whether the arguments that led to a function keep it from
// coming to an instruction: a parameter that is a constant there.
func (f *frame) switchedOff(at ssa.Instruction) bool {
	if f.up == nil || at == nil || !slices.ContainsFunc(f.fn.Params, func(p *ssa.Parameter) bool { return isBool(p.Type()) }) {
		return false
	}
	for _, c := range ir.Conditions(at.Block()) {
		if is, known := f.constant(c.Value); known && is != c.Holds {
			return true
		}
	}
	return false
}

// constant is what a parameter of a frame's function, or its negation, is for
// certain.
func (f *frame) constant(v ssa.Value) (is, known bool) {
	not := false
	for {
		switch x := v.(type) {
		case *ssa.UnOp:
			if x.Op != token.NOT {
				return false, false
			}
			v, not = x.X, !not
		case *ssa.Parameter:
			i := slices.Index(f.fn.Params, x)
			if f.up == nil || i < 0 || i >= len(f.args) {
				return false, false
			}
			v, f = f.args[i], f.up
		case *ssa.Const:
			if x.Value == nil || x.Value.Kind() != constant.Bool {
				return false, false
			}
			return constant.BoolVal(x.Value) != not, true
		default:
			return false, false
		}
	}
}

func isBool(t types.Type) bool {
	b, ok := types.Unalias(t).Underlying().(*types.Basic)
	return ok && b.Kind() == types.Bool
}

// lift translates a path of the function of f to the terms of the task.
func (m *Model) lift(t *Task, f *frame, p effect.Path) effect.Path {
	for ; f.up != nil && p != ""; f = f.up {
		if v := m.res.Root(p); f.swap.from != "" && v != nil && v.Parent() != f.fn {
			p = m.through(p, f.swap, f.up.fn) // a variable around the literal
			continue
		}
		p = m.through(m.res.Import(m.res.Export(p, f.fn), f.args, f.hasRecv, f.up.fn), f.swap, f.up.fn)
	}
	if p == "" || t.In == t.Body {
		return p
	}
	out := m.res.Export(p, t.Body)
	if i, ok := out.Param(); ok && i >= 0 && i < len(t.given) && t.given != nil {
		if t.given[i] == "" {
			return ""
		}
		_, sel := out.Split()
		return t.given[i] + effect.Path(sel)
	}
	if strings.HasPrefix(string(out), "l:") && m.res.Root(out) != nil && within(t.In, m.res.Root(out).Parent()) {
		return out
	}
	return m.res.Import(out, t.args, t.hasRecv, t.In)
}

// within reports whether fn is outer, or a literal in it.
func within(fn, outer *ssa.Function) bool {
	for f := fn; f != nil; f = f.Parent() {
		if f == outer {
			return true
		}
	}
	return false
}

// covers reports whether an instruction of the body is part of the task.
func (t *Task) covers(at ssa.Instruction) bool {
	if t.after == nil {
		return true
	}
	if at == t.skip {
		return false
	}
	if _, deferred := at.(*ssa.Defer); deferred {
		return false // it runs when the loop has ended
	}
	b := at.Block()
	if !t.inLoop[b] {
		return false
	}
	if b == t.after {
		return index(at) > index(t.skip)
	}
	return t.after.Dominates(b)
}

func index(at ssa.Instruction) int {
	for i, instr := range at.Block().Instrs {
		if instr == at {
			return i
		}
	}
	return -1
}

// repeats reports whether an instruction of the body may run several times in
// one run of the task.
func (t *Task) repeats(at ssa.Instruction, res *summary.Result) bool {
	if t.after == nil {
		return res.InLoop(at)
	}
	// A way back that does not lead through the receive.
	seen := map[*ssa.BasicBlock]bool{t.after: true}
	work := append([]*ssa.BasicBlock(nil), at.Block().Succs...)
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if b == at.Block() && b != t.after {
			return true
		}
		if seen[b] || !t.inLoop[b] {
			continue
		}
		seen[b] = true
		work = append(work, b.Succs...)
	}
	return false
}

// stepsOf lists what a function does, apart from what it starts.
func (m *Model) stepsOf(fn *ssa.Function) []step {
	if s, ok := m.steps[fn]; ok {
		return s
	}
	m.steps[fn] = nil
	out := m.steps0(fn)
	out = append(out[:len(out):len(out)], m.joins(fn)...)
	m.steps[fn] = out
	return out
}

// steps0 lists what the instructions of a function do.
func (m *Model) steps0(fn *ssa.Function) []step {
	if s, ok := m.plain[fn]; ok {
		return s
	}
	var out []step
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			switch x := instr.(type) {
			case *ssa.Call:
				out = append(out, m.callSteps(x)...)
			case *ssa.Defer:
				out = append(out, m.callSteps(x)...)
			case *ssa.Send:
				out = append(out, m.chanStep(Send, x, x.Chan, "send on "))
			case *ssa.UnOp:
				if x.Op == token.ARROW {
					out = append(out, m.chanStep(Receive, x, x.X, "receive from "))
				}
			case *ssa.Select:
				out = append(out, m.selectSteps(x)...)
			}
		}
	}
	m.plain[fn] = out
	return out
}

func (m *Model) chanStep(v Verb, instr ssa.Instruction, ch ssa.Value, text string) step {
	path := m.res.Path(ch)
	return step{op: Op{Verb: v, Path: path, Instr: instr, Frames: []effect.Frame{{Pos: m.res.Place(instr), Call: text + m.name(path)}}}}
}

func (m *Model) name(path effect.Path) string {
	if n := m.res.Name(path); n != "" {
		return n
	}
	return "a channel"
}

// selectSteps are the sends of a select that has no way out: no default, no
// timer, and no case that takes from the same channel.
func (m *Model) selectSteps(x *ssa.Select) []step {
	if !x.Blocking {
		return nil
	}
	var out []step
	for _, st := range x.States {
		if st.Dir == types.RecvOnly && !ends(st.Chan) {
			return nil // it does other things meanwhile
		}
	}
	for _, st := range x.States {
		if st.Dir != types.SendOnly {
			continue
		}
		s := m.chanStep(Send, x, st.Chan, "send on ")
		s.op.Pos = st.Pos
		s.op.Select, s.op.Ctx = len(x.States) > 1, len(x.States) > 1
		out = append(out, s)
	}
	if len(out) > 1 {
		return nil // whichever is free
	}
	if len(x.States) == 1 && len(out) == 0 {
		out = append(out, m.chanStep(Receive, x, x.States[0].Chan, "receive from "))
	}
	return out
}

// ends reports whether a channel is one that tells of the end: that of a
// context, or one of values without content that is named so.
func ends(ch ssa.Value) bool {
	if call, ok := ch.(*ssa.Call); ok {
		name := ""
		if call.Call.IsInvoke() {
			name = call.Call.Method.Name()
		} else if fn := call.Call.StaticCallee(); fn != nil {
			name = fn.Name()
		}
		return name == "Done" || strings.Contains(strings.ToLower(name), "quit") || strings.Contains(strings.ToLower(name), "stop")
	}
	t, ok := ch.Type().Underlying().(*types.Chan)
	if !ok {
		return false
	}
	st, ok := t.Elem().Underlying().(*types.Struct)
	return ok && st.NumFields() == 0
}

// callSteps are what a call does itself, and the functions that it runs.
func (m *Model) callSteps(instr ssa.CallInstruction) []step {
	common := instr.Common()
	if _, ok := common.Value.(*ssa.Builtin); ok {
		return nil
	}
	c := m.call(instr)
	var out []step
	var run []*summary.Call
	if c.Body != nil {
		run = append(run, c)
	}
	if c.Sum != nil {
		// Functions that it is handed and calls before it returns.
		for _, pc := range c.Sum.Calls {
			i := pc.Param
			if c.HasRecv {
				i++
			}
			if pc.Mode != effect.Sync || i < 0 || i >= len(c.Args) {
				continue
			}
			if g := m.res.Func(c.Args[i]); g.Body != nil {
				run = append(run, g)
			}
		}
		if c.Body == nil {
			out = m.outsideSteps(instr, c)
		}
	}
	if len(run) > 0 {
		s := step{op: Op{Instr: instr}, calls: run, instr: instr}
		if c.Body != nil {
			s.swaps = []swap{m.swapOf(instr, c.Body)}
		}
		out = append(out, s)
	}
	_, isFunc := common.Value.(*ssa.Function)
	away := c.Lit && !isFunc && !within(instr.Parent(), c.Body.Parent()) // a literal out of a field
	if c.Body == nil && c.Sum == nil || away {
		if s, ok := m.runStep(instr, c); ok {
			out = append(out, s)
			if c.Body == nil {
				out = append(out, m.hooks(instr, s.op.Path)...)
			}
		}
	}
	return out
}

// runStep is the call of a function that is known by its path only: one that
// was received, or stands in a field.
func (m *Model) runStep(instr ssa.CallInstruction, c *summary.Call) (step, bool) {
	common := instr.Common()
	v := c.Value
	if v == nil {
		v = common.Value
	}
	op := Op{Verb: Run, Path: m.valuePath(v), Instr: instr}
	for _, a := range common.Args {
		op.args = append(op.args, m.res.Path(a))
	}
	return step{op: op}, op.Path != ""
}

// valuePath is the path of a value, also if it comes out of a map that is
// ranged over.
func (m *Model) valuePath(v ssa.Value) effect.Path {
	path := m.res.Path(v)
	root, sel := path.Split()
	if e, ok := m.res.Root(effect.Path(root)).(*ssa.Extract); ok {
		if next, ok := e.Tuple.(*ssa.Next); ok {
			if r, ok := next.Iter.(*ssa.Range); ok {
				return m.res.Path(r.X) + "[]" + effect.Path(sel)
			}
		}
	}
	return path
}

// outsideSteps are the operations of a function that is not of this package.
func (m *Model) outsideSteps(instr ssa.CallInstruction, c *summary.Call) []step {
	value, _ := instr.(*ssa.Call)
	local := func(p effect.Path) effect.Path {
		if value == nil {
			if _, isResult := p.Result(); isResult {
				return ""
			}
			return m.res.Import(p, c.Args, c.HasRecv, instr.Parent())
		}
		return m.res.Local(value, c, p, instr.Parent())
	}
	var out []step
	submits := make(map[effect.Path]bool)
	for _, t := range c.Sum.Tasks {
		if t.How != effect.OnPool || t.Blocks == effect.Never {
			continue
		}
		p := local(t.Pool)
		submits[p] = true
		out = append(out, step{op: Op{Verb: Submit, Path: p, Instr: instr, Blocks: t.Blocks, Frames: m.res.Frames(instr, c, nil)}})
	}
	for _, e := range c.Sum.Effects {
		op := Op{Path: local(e.On), Instr: instr, Blocks: effect.Always}
		if op.Path == "" {
			continue
		}
		if c.Timed(e.Kind) {
			continue
		}
		switch e.Bound.Kind {
		case effect.Unbounded, effect.ToldBound: // a task that is told to end may be the one that waits
		case effect.CtxBound, effect.CancelBound:
			op.Ctx = true
		default:
			continue
		}
		switch e.Kind {
		case effect.Submit:
			if submits[op.Path] {
				continue
			}
			if c.Row && c.LimitedSubmit() {
				op.Blocks = effect.IfLimited
			}
			op.Verb = Submit
		case effect.GroupWait:
			op.Verb = Wait
		case effect.Acquire:
			op.Verb = Take
		case effect.ChanSend:
			op.Verb = Send
		case effect.ChanRecv:
			op.Verb = Receive
		default:
			continue
		}
		op.Frames = m.res.Frames(instr, c, e.Frames)
		out = append(out, step{op: op})
	}
	return out
}
