package summary

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/ir"
	"github.com/concvet/concvet/internal/region"
)

// spawn adds the effect of a go statement: a goroutine, what it does, and
// whether something here limits how many there are.
func (f *function) spawn(x *ssa.Go) {

	c, t := f.targetOf(x.Common())
	e := effect.Effect{
		Kind: effect.Spawn, API: "go", Does: f.work(x, c, t), Bound: f.spawnBound(x, c), Repeats: f.repeats(x),
		Frames: []effect.Frame{{Pos: f.in.pos(position(x)), Call: "go " + startedName(c, t)}},
	}
	f.site(x, []SiteEffect{{Effect: e}})
	f.asyncCalls(x, c)
}

func startedName(c ir.Callee, t *target) string {
	switch {
	case t != nil:
		return t.name
	case c.Func != nil:
		return c.Func.Name()
	case c.Value != nil && c.Value.Name() != "":
		if p, ok := c.Value.(*ssa.Parameter); ok {
			return p.Name()
		}
	}
	return "a function"
}

// asyncCalls notes parameters of this function that a goroutine calls, so that
// its callers know what they start.
func (f *function) asyncCalls(x *ssa.Go, c ir.Callee) {
	if c.Value != nil {
		if i, ok := f.ownParam(c.Value); ok {
			f.pendingCall(x, i, effect.Async, nil)
		}
		return
	}
	f.asyncOuter(x, c)
}

// asyncOuter notes parameters of this function that a literal calls which runs in
// another goroutine.
func (f *function) asyncOuter(x ssa.CallInstruction, c ir.Callee) {
	if c.Lit == nil && c.Func != nil || f.in.infos[c.Body] == nil {
		return
	}
	for _, oc := range f.in.infos[c.Body].outer {
		if i := slices.Index(f.fn.Params, oc.param); i >= 0 {
			if f.fn.Signature.Recv() != nil {
				i--
			}
			f.calls = append(f.calls, effect.ParamCall{Param: i, Mode: effect.Async, Frames: oc.frames})
			f.callers = append(f.callers, x)
		}
	}
}

// ownParam is the index of the parameter that v is.
func (f *function) ownParam(v ssa.Value) (int, bool) {
	path := f.in.paths.Export(f.in.paths.Of(v), f.fn)
	i, ok := path.Param()
	if _, sel := path.Split(); !ok || i < 0 || sel != "" {
		return 0, false
	}
	return i, true
}

// work says what a goroutine does.
func (f *function) work(at ssa.CallInstruction, c ir.Callee, t *target) effect.Work {
	var w effect.Work
	values := c.Args
	if c.Lit != nil {
		values = append(slices.Clone(values), c.Lit.Bindings...)
	}
	for _, v := range values {
		typ := v.Type()
		if p, ok := typ.Underlying().(*types.Pointer); ok {
			typ = p.Elem()
		}
		if ir.IsContext(types.Unalias(typ)) {
			w |= effect.Context
		}
	}
	if t == nil || t.sum == nil {
		if c.Func == nil && c.Value != nil || t != nil && t.symbolic != "" && !chatter(t.symbolic) {
			w |= effect.Opaque
		}
		return w
	}
	hasRecv := t.hasRecv()
	for i, e := range t.sum.Effects {
		kind := e.Kind
		if kind == effect.IO {
			te, ok := f.translate(at, c, t, i, hasRecv)
			if !ok {
				continue
			}
			kind = te.Kind
		}
		if kind == effect.Turn || kind == effect.ChanSend && f.answers(c, e, hasRecv) {
			continue
		}
		if kind == effect.Acquire && len(e.Frames) > maxSlotFrames {
			continue // one of the many things that it does
		}
		w |= effect.WorkOf(kind)
		if kind == effect.Spawn {
			w |= e.Does &^ (effect.Forever | effect.Context)
		}
	}
	for _, y := range t.sum.Symbolic {
		if !chatter(y.Method) {
			w |= effect.Opaque
		}
	}
	if node := f.in.infos[t.body]; node != nil {
		if node.opaque || len(node.outer) > 0 {
			w |= effect.Opaque
		}
		if node.forever {
			w |= effect.Forever
		}
	}
	for _, pc := range t.sum.Calls {
		i := pc.Param
		if hasRecv {
			i++
		}
		if i >= 0 && i < len(c.Args) {
			if g := ir.FuncOf(c.Args[i], f.in.paths); g.Func == nil && g.Body == nil {
				w |= effect.Opaque
			} else if gt := f.in.target(g); gt != nil && gt.body != t.body {
				w |= f.work(at, g, gt)
			}
		}
	}
	return w
}

// maxSlotFrames is how far into a goroutine a slot is looked for that it exists
// to wait for.
const maxSlotFrames = 2

// answers reports whether a goroutine sends on a channel that came with what it
// is started for: whoever has asked waits for the answer, so there are no more
// of them than of those who ask.
func (f *function) answers(c ir.Callee, e effect.Effect, hasRecv bool) bool {
	path := f.in.paths.Import(e.On, c.Args, hasRecv, f.fn)
	if _, sel := path.Split(); sel == "" {
		return false
	}
	switch root := f.in.paths.Root(path).(type) {
	case *ssa.UnOp:
		return root.Op == token.ARROW
	case *ssa.Extract:
		switch tuple := root.Tuple.(type) {
		case *ssa.UnOp:
			return tuple.Op == token.ARROW
		case *ssa.Select, *ssa.Next:
			return true
		}
	}
	return false
}

// chatter reports whether an interface method is of an interface that only
// tells what goes on: a logger, a metric.
func chatter(method string) bool {
	typ, _, _ := strings.Cut(method, ").")
	typ = strings.ToLower(typ[strings.LastIndexByte(typ, '.')+1:])
	for _, word := range []string{"log", "metric", "trace", "stat", "counter", "gauge", "clock"} {
		if strings.Contains(typ, word) {
			return true
		}
	}
	return false
}

// startedBy completes the effect of a call that starts a goroutine: what it does
// if that is among the arguments, and what limits it here.
func (f *function) startedBy(at ssa.CallInstruction, c ir.Callee, t *target, e *effect.Effect, hasRecv bool) {
	if w, ok := f.startedWork(at, c, t, hasRecv); ok {
		e.Does = e.Does&^effect.Opaque | w
	}
	if e.Bound.Kind == effect.Unbounded && t.row != nil {
		e.Bound = f.spawnBound(at, c)
	} else if e.Bound.Kind == effect.Unbounded && f.conditioned(at) {
		e.Bound = effect.Bound{Kind: effect.RoomBound}
	}
	if t.row != nil && answersBool(at) && kept(at) {
		e.Bound = effect.Bound{Kind: effect.RoomBound} // who asks whether it was started knows of a limit
	}
	if t.row != nil && t.row.Grows == "timer" && kept(at) {
		e.Bound = effect.Bound{Kind: effect.RoomBound} // one for each place it is kept in
	}
	if t.row != nil && e.On != "" && f.limited[e.On] {
		e.Bound = effect.Bound{Kind: effect.RoomBound}
	}
}

// answersBool reports whether a call returns nothing but a bool.
func answersBool(at ssa.CallInstruction) bool {
	results := at.Common().Signature().Results()
	if results.Len() != 1 {
		return false
	}
	b, ok := types.Unalias(results.At(0).Type()).Underlying().(*types.Basic)
	return ok && b.Kind() == types.Bool
}

// kept reports whether something is done with the result of a call.
func kept(at ssa.CallInstruction) bool {
	v, ok := at.(ssa.Value)
	return ok && v.Referrers() != nil && slices.ContainsFunc(*v.Referrers(), func(r ssa.Instruction) bool {
		_, debug := r.(*ssa.DebugRef)
		return !debug
	})
}

// startedWork is what the functions do that a callee starts goroutines with: the
// literals and parameters among its arguments.
func (f *function) startedWork(at ssa.CallInstruction, c ir.Callee, t *target, hasRecv bool) (w effect.Work, ok bool) {
	for _, pc := range t.sum.Calls {
		i := pc.Param
		if hasRecv {
			i++
		}
		if pc.Mode != effect.Async || i < 0 || i >= len(c.Args) {
			continue
		}
		ok = true
		g := ir.FuncOf(c.Args[i], f.in.paths)
		w |= f.work(at, g, f.in.target(g))
	}
	return w, ok
}

// noteCall notes what a call says of the function besides its effects: that it
// calls what nobody knows, or never ends.
func (f *function) noteCall(instr ssa.CallInstruction, c ir.Callee, t *target) {
	if _, deferred := instr.(*ssa.Defer); deferred {
		return
	}
	if t == nil && c.Func == nil && c.Body == nil && c.Value != nil && !isCancel(c.Value.Type()) {
		f.node.opaque = true
	}
	if t != nil && t.body != nil {
		if node := f.in.infos[t.body]; node != nil && node != f.node {
			f.node.opaque = f.node.opaque || node.opaque
			f.node.forever = f.node.forever || node.forever
		}
	}
}

func isCancel(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "context"
}

// serves reports whether the function has a loop that waits for channels or
// connections in each round: it is there for good.
func (f *function) serves() bool {
	for _, b := range f.fn.Blocks {
		for _, instr := range b.Instrs {
			switch x := instr.(type) {
			case *ssa.Select:
				if !x.Blocking {
					continue
				}
			case *ssa.UnOp:
				if x.Op != token.ARROW {
					continue
				}
			default:
				continue
			}
			if f.repeats(instr) && f.node.trips[b] == 0 {
				return true
			}
		}
	}
	return false
}

// A waitPoint is where a function waits for what it has started: for a group, or
// for an answer on a channel.
type waitPoint struct {
	at    ssa.Instruction
	path  effect.Path
	group bool
}

// surveyWaits finds the wait points of a function.
func (f *function) surveyWaits() {
	for _, b := range f.fn.Blocks {
		for _, instr := range b.Instrs {
			switch x := instr.(type) {
			case *ssa.UnOp:
				if x.Op == token.ARROW {
					f.waits = append(f.waits, waitPoint{x, f.in.paths.Of(x.X), false})
				}
			case *ssa.Select:
				for _, st := range x.States {
					if st.Dir == types.RecvOnly {
						f.waits = append(f.waits, waitPoint{x, f.in.paths.Of(st.Chan), false})
					}
				}
			case ssa.CallInstruction:
				if _, isGo := x.(*ssa.Go); isGo {
					continue
				}
				c, t := f.targetOf(x.Common())
				if t == nil || t.sum == nil {
					continue
				}
				for _, e := range t.sum.Effects {
					if e.Kind != effect.GroupWait {
						continue
					}
					if path := f.in.paths.Import(e.On, c.Args, t.hasRecv(), f.fn); path != "" {
						f.waits = append(f.waits, waitPoint{x, path, true})
					}
				}
			}
		}
	}
}

// joins lists the wait points for the goroutine that an instruction starts.
func (f *function) joins(at ssa.CallInstruction, c ir.Callee) []ssa.Instruction {
	if f.waits == nil {
		f.waits = []waitPoint{}
		f.surveyWaits()
	}
	if len(f.waits) == 0 {
		return nil
	}
	g := goroutine{at, c}
	args := []ir.Callee{c}
	for _, a := range at.Common().Args { // literals handed to the callee
		if h := ir.FuncOf(a, f.in.paths); h.Lit != nil {
			args = append(args, h)
		}
	}
	var out []ssa.Instruction
	for _, w := range f.waits {
		if w.path == "" || w.at == at {
			continue
		}
		for _, g.callee = range args {
			if f.knows(g, w.path, w.group) {
				out = append(out, w.at)
				break
			}
		}
	}
	return out
}

// contained reports whether callers need not care for the goroutines of a site:
// something limits them, or they are waited for.
func (f *function) contained(s *Site, e effect.Effect, r *region.Region) bool {
	if e.Bound.Kind != effect.Unbounded {
		return true
	}
	if slices.ContainsFunc(r.Held(s.Instr), func(t *region.Thing) bool {
		return t.Class == effect.Slot && (t.Site == nil || f.near(t.Site.Block(), s.Instr))
	}) {
		return true
	}
	call, ok := s.Instr.(ssa.CallInstruction)
	if !ok {
		return false
	}
	c, _ := f.targetOf(call.Common())
	return len(f.joins(call, c)) > 0
}

// Joins lists the instructions of fn that wait for the goroutines that a site of
// it starts: there are never more of them than are started between two waits.
func (r *Result) Joins(site *Site) []ssa.Instruction {
	call, ok := site.Instr.(ssa.CallInstruction)
	if !ok {
		return nil
	}
	f := r.work(site.Instr.Parent())
	c, _ := f.targetOf(call.Common())
	return f.joins(call, c)
}

// work is what is remembered of a function while it is asked about.
func (r *Result) work(fn *ssa.Function) *function {
	if r.last == nil || r.last.fn != fn {
		r.last = &function{in: r.in, node: r.in.infos[fn], fn: fn}
	}
	return r.last
}
