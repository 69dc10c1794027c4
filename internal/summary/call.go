package summary

import (
	"go/constant"
	"go/types"
	"slices"
	"strings"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/deadline"
	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/ir"
	"github.com/concvet/concvet/internal/knowledge"
	"github.com/concvet/concvet/internal/region"
)

// call adds the events and effects of a call or a deferred call.
func (f *function) call(instr ssa.CallInstruction) {
	common := instr.Common()
	c, t := f.targetOf(common)
	f.handLiterals(instr, common.Args)
	f.noteCall(instr, c, t)
	if t == nil || t.sum == nil {
		f.unknownCall(instr, c, t)
		return
	}
	paths := f.in.paths
	hasRecv := t.hasRecv()
	f.callEvents(instr, c, t, hasRecv)
	var effects []SiteEffect
	if n := len(t.sum.Effects); n > 0 {
		effects = make([]SiteEffect, 0, n)
	}
	owned := f.ownedArgs(c, t)
	nobody := f.looksUpAddress(c, t)
	for i, e := range t.sum.Effects {
		if t.row != nil && i < len(t.row.Effects) && t.row.Effects[i].Limited && !f.limited[paths.Import(e.On, c.Args, hasRecv, f.fn)] {
			continue // without a limit it starts the goroutine at once
		}
		if se, ok := f.translate(instr, c, t, i, hasRecv); ok && !nobody && !nextToNothing(instr, t.row, &se.Effect) {
			if se.Kind == effect.Spawn {
				f.startedBy(instr, c, t, &se.Effect, hasRecv)
			}
			if se.Kind == effect.Enqueue && se.Bound.Kind == effect.Unbounded && f.conditioned(instr) {
				se.Bound = effect.Bound{Kind: effect.RoomBound}
			}
			se.Owned = owned
			se.Looped = se.Repeats && !e.Repeats
			if t.lit {
				se.Lit = t.body
			}
			effects = append(effects, se)
		}
	}
	if t.lit {
		f.adopt(instr, t.body, c, nil, false)
	}
	effects = f.forkJoin(instr, effects)
	body := loopBody(common)
	if body != nil {
		f.ranges(instr, body, c, t)
	}
	for _, pc := range t.sum.Calls {
		if body == nil || !isLast(pc, c, hasRecv) {
			effects = append(effects, f.paramCall(instr, c, t, pc, hasRecv)...)
		}
	}
	for _, y := range t.sum.Symbolic {
		f.symbolic = append(f.symbolic, effect.Symbolic{Method: y.Method, Frames: f.through(instr, t, y.Frames)})
	}
	f.site(instr, effects)
}

// resolved is the callee of a call.
type resolved struct {
	callee ir.Callee
	target *target
}

// targetOf is targetOf of the package, remembered while this function is
// computed.
func (f *function) targetOf(common *ssa.CallCommon) (ir.Callee, *target) {
	if r, ok := f.targets[common]; ok {
		return r.callee, r.target
	}
	c, t := f.in.targetOf(common)
	if f.targets == nil {
		f.targets = make(map[*ssa.CallCommon]resolved)
	}
	f.targets[common] = resolved{c, t}
	return c, t
}

// handLiterals ends what the literals among the arguments give back, whenever
// the callee runs them.
func (f *function) handLiterals(instr ssa.CallInstruction, args []ssa.Value) {
	for _, a := range args {
		g := ir.FuncOf(a, f.in.paths)
		if g.Body == nil || g.Func != nil {
			continue
		}
		sum := f.in.ownSummary(g.Body)
		if sum == nil {
			continue
		}
		for _, list := range [][]effect.Path{sum.Releases, sum.Keeps} {
			for _, p := range list {
				if p = f.in.paths.Import(p, nil, false, f.fn); p != "" {
					f.event(instr, event{Verb: region.Drop, Path: p})
				}
			}
		}
		for _, u := range sum.Unlocks {
			if p := f.in.paths.Import(u.Path, nil, false, f.fn); p != "" {
				f.event(instr, event{Verb: region.Drop, Path: p})
			}
		}
	}
}

// unknownCall handles a callee that nothing is known of. It may still call back
// a parameter of ours, or give back what it is handed.
func (f *function) unknownCall(instr ssa.CallInstruction, c ir.Callee, t *target) {
	if t != nil && t.symbolic != "" {
		f.symbolic = append(f.symbolic, effect.Symbolic{Method: t.symbolic, Frames: []effect.Frame{{Pos: f.in.pos(position(instr)), Call: t.name}}})
	}
	if c.Func == nil && c.Body == nil && c.Value != nil {
		path := f.in.paths.Of(c.Value)
		if i, ok := f.in.paths.Export(path, f.fn).Param(); ok && i >= 0 {
			if _, sel := f.in.paths.Export(path, f.fn).Split(); sel == "" {
				f.pendingCall(instr, i, effect.Sync, nil)
			}
		} else if p := f.outerParam(c.Value); p != nil {
			f.outer = append(f.outer, outerSite{instr: instr, param: p, args: instr.Common().Args})
		}
		// A function that an acquire returned is its release.
		if site := ir.MadeBy(f.in.paths.Root(path)); site != nil {
			f.event(instr, event{Verb: region.DropSite, Site: site})
		}
	}
	name := ""
	if c.Func != nil {
		name = c.Func.Name()
	}
	if releaseNames[name] {
		for _, a := range c.Args {
			p := f.in.paths.Of(a)
			if p == "" {
				continue
			}
			f.event(instr, event{Verb: region.Release, Path: p})
			// The object may stand for what was taken with it: a snapshot
			// that holds a lock until its End.
			if site := ir.MadeBy(f.in.paths.Root(p)); site != nil {
				f.event(instr, event{Verb: region.DropSite, Site: site})
			}
		}
	}
}

// releaseNames are the names under which something is given back by functions
// that nothing else is known of.
var releaseNames = map[string]bool{
	"Close": true, "Commit": true, "Rollback": true, "Release": true, "Put": true, "Free": true,
	"Return": true, "Done": true, "Finish": true, "End": true, "Abort": true, "Discard": true, "Unlock": true,
}

// callEvents says what the callee acquires and releases for its caller.
func (f *function) callEvents(instr ssa.CallInstruction, c ir.Callee, t *target, hasRecv bool) {
	paths := f.in.paths
	local := func(p effect.Path) effect.Path { return paths.Import(p, c.Args, hasRecv, f.fn) }
	for _, u := range t.sum.Unlocks {
		if p := local(u.Path); p != "" {
			f.event(instr, event{Verb: region.Release, Class: u.Class, Path: p})
		} else {
			f.event(instr, event{Verb: region.DropField, Path: effect.Path(u.Path.Last())})
		}
	}
	for _, p := range t.sum.Releases {
		if q := local(p); q != "" {
			f.event(instr, event{Verb: region.Release, Path: q})
		}
		// It may be the slot that is held, by another name.
		f.event(instr, event{Verb: region.DropSlot, Path: effect.Path(p.Last())})
	}
	for _, p := range t.sum.Keeps {
		if p = local(p); p != "" {
			f.event(instr, event{Verb: region.Drop, Path: p})
		}
	}
	value, _ := instr.(*ssa.Call) // nil for a deferred call, which may lock again
	for i, l := range t.sum.Locks {
		p := local(l.Path)
		if p == "" {
			continue
		}
		thing := &region.Thing{Class: l.Class, Path: p, Site: instr, Pos: instr.Pos(), Name: f.nameOf(p), By: lastName(t.name)}
		if t.row != nil && i < len(t.row.Locks) && t.row.Locks[i].Try && value != nil {
			thing.Try, thing.OK, thing.Failed = true, true, value
		}
		f.event(instr, event{Verb: region.Acquire, Thing: thing})
	}
	if value == nil {
		return
	}
	for _, a := range t.sum.Acquires {
		thing := &region.Thing{Class: a.Class, Site: instr, Pos: instr.Pos(), By: lastName(t.name), OK: a.OK, Pool: local(a.Pool)}
		if a.Result < 0 {
			thing.Path, thing.Pool = thing.Pool, ""
			thing.Name = f.nameOf(thing.Path)
		} else if v := resultValue(value, a.Result); v != nil {
			thing.Path, thing.Value = paths.Of(v), v
			thing.Name = f.variableName(v)
			thing.Var = f.variable(v)
		}
		if thing.Path == "" {
			continue
		}
		if a.Err >= 0 {
			thing.Failed = resultValue(value, a.Err)
			if a.OK && a.Result < 0 {
				thing.Try = thing.Failed != nil
			}
		}
		f.event(instr, event{Verb: region.Acquire, Thing: thing})
	}
}

// resultValue returns the value of result i of a call, nil if it is not used.
func resultValue(call *ssa.Call, i int) ssa.Value {
	if _, tuple := call.Type().(*types.Tuple); !tuple {
		return call
	}
	if call.Referrers() == nil {
		return nil
	}
	for _, r := range *call.Referrers() {
		if e, ok := r.(*ssa.Extract); ok && e.Index == i {
			return e
		}
	}
	return nil
}

// translate turns effect i of the callee into one of this function.
func (f *function) translate(instr ssa.CallInstruction, c ir.Callee, t *target, i int, hasRecv bool) (SiteEffect, bool) {
	e := t.sum.Effects[i]
	paths := f.in.paths
	local := func(p effect.Path) effect.Path { return paths.Import(p, c.Args, hasRecv, f.fn) }
	out := e
	out.On, out.Pool, out.Without = local(e.On), local(e.Pool), local(e.Without)
	if out.Field == "" && out.On != "" {
		out.Field = f.in.fieldKey(out.On)
	}
	out.Free = nil
	for _, p := range e.Free {
		if q := local(p); q != "" {
			out.Free = append(out.Free, q)
		}
	}
	switch e.Kind {
	case effect.ChanSend, effect.ChanRecv, effect.Select:
		// A channel made here and handed to the callee, which is its other end.
		switch v := paths.Root(out.On).(type) {
		case *ssa.MakeChan:
			return SiteEffect{}, false
		default:
			if f.returned(v) != nil {
				return SiteEffect{}, false
			}
		}
	}
	if e.Kind == effect.IO {
		kind := effect.None
		if j, ok := e.On.Param(); ok {
			if hasRecv {
				j++
			}
			if j >= 0 && j < len(c.Args) {
				kind = f.ioKind(c.Args[j], out.On)
			}
		} else if strings.HasPrefix(string(e.On), "l:") {
			kind = f.in.pathIO(out.On)
		}
		if kind == effect.None {
			return SiteEffect{}, false
		}
		out.Kind = kind
	}
	ends, as := f.ending(c, t, i, e)
	out.Bound = f.bound(c, t, e, hasRecv, ends)
	if (out.Kind == effect.Net || out.Kind == effect.IO) && out.On != "" && f.deadlines[out.On] {
		out.Bound = effect.Bound{Kind: effect.Deadline}
	}
	if out.Kind == effect.Net && out.Bound.Kind == effect.Unbounded && strings.HasSuffix(string(out.On), ".Body") {
		out.Bound = f.bodyBound(out.On)
	}
	if out.Bound.Kind == effect.ConstBound {
		f.inLoop(instr, &out)
	}
	if t.row != nil && len(e.Frames) == 0 {
		out.Frames = []effect.Frame{{Pos: f.in.pos(position(instr)), Call: t.name}}
	} else {
		out.Frames = f.through(instr, t, e.Frames)
	}
	return SiteEffect{Effect: out, Ends: ends, As: as, Direct: t.row != nil}, true
}

// through puts the call in front of the callee's witness.
func (f *function) through(instr ssa.Instruction, t *target, frames []effect.Frame) []effect.Frame {
	out := make([]effect.Frame, 0, len(frames)+1)
	out = append(out, effect.Frame{Pos: f.in.pos(position(instr)), Call: t.name})
	for _, fr := range frames {
		if t.pkg != "" && !strings.Contains(fr.Pos, "/") {
			fr.Pos = t.pkg + "/" + fr.Pos
		}
		out = append(out, fr)
	}
	return effect.CutFrames(out, effect.MaxFrames)
}

// bound says what limits an effect, given the arguments and when they end.
func (f *function) bound(c ir.Callee, t *target, e effect.Effect, hasRecv bool, ends deadline.Value) effect.Bound {
	by := false
	if t.row != nil {
		for _, re := range t.row.Effects {
			if re.Kind != e.Kind {
				continue
			}
			by = by || re.By != knowledge.NoParam
			if re.Dur != knowledge.NoParam {
				if d, ok := constDuration(argument(c, t, re.Dur)); ok {
					return effect.Bound{Kind: effect.ConstBound, Dur: d}
				}
			}
		}
	}
	if e.Bound.Kind != effect.CtxBound && e.Bound.Kind != effect.CancelBound && !by {
		return e.Bound
	}
	b := boundOf(ends)
	if most := e.Bound.Dur; most > 0 {
		switch {
		case b.Kind == effect.Unbounded:
			b = effect.Bound{Kind: effect.ConstBound, Dur: most}
		case b.Kind == effect.CtxBound:
			b.Dur = most
		}
	}
	return b
}

func constDuration(v ssa.Value) (time.Duration, bool) {
	c, ok := v.(*ssa.Const)
	if !ok || c.Value == nil || c.Value.Kind() != constant.Int {
		return 0, false
	}
	n, exact := constant.Int64Val(c.Value)
	return time.Duration(n), exact && n >= 0
}

// ownedArgs lists the arguments whose parameters hold something by their type
// in a function that is analysed for findings.
func (f *function) ownedArgs(c ir.Callee, t *target) []effect.Path {
	if !t.reports || t.sig == nil || t.row != nil {
		return nil
	}
	args := c.Args
	if t.hasRecv() && len(args) > 0 {
		args = args[1:]
	}
	var out []effect.Path
	for i, a := range args {
		if i < t.sig.Params().Len() && table().Held(t.sig.Params().At(i).Type()) != effect.NoClass {
			if p := f.in.paths.Of(a); p != "" {
				out = append(out, p)
			}
		}
	}
	return out
}

// paramCall adds what happens when the callee calls one of its arguments.
func (f *function) paramCall(instr ssa.CallInstruction, c ir.Callee, t *target, pc effect.ParamCall, hasRecv bool) []SiteEffect {
	i := pc.Param
	if hasRecv {
		i++
	}
	if i < 0 || i >= len(c.Args) {
		return nil
	}
	g := ir.FuncOf(c.Args[i], f.in.paths)
	if g.Func == nil && g.Body == nil {
		if p := f.outerParam(c.Args[i]); p != nil && pc.Mode == effect.Sync {
			site := outerSite{instr: instr, param: p}
			for _, h := range pc.Held {
				h.Path = f.in.paths.Import(h.Path, c.Args, hasRecv, f.fn)
				site.held = append(site.held, h)
			}
			f.outer = append(f.outer, site)
			return nil
		}
		// Our own parameter, handed on.
		path := f.in.paths.Export(f.in.paths.Of(c.Args[i]), f.fn)
		if j, ok := path.Param(); ok && j >= 0 {
			if _, sel := path.Split(); sel == "" {
				f.pendingCall(instr, j, pc.Mode, f.passHeld(c, pc, hasRecv))
				for _, p := range pc.Free {
					if q := f.in.paths.Export(f.in.paths.Import(p, c.Args, hasRecv, f.fn), f.fn); q != "" {
						f.calls[len(f.calls)-1].Free = append(f.calls[len(f.calls)-1].Free, q)
					}
				}
			}
		}
		return nil
	}
	if pc.Mode == effect.Async {
		if !f.in.dependency {
			f.asyncOuter(instr, g)
		}
		return nil // survey has seen the goroutine
	}
	if t.row != nil && t.row.Key == "(*sync.Once).Do" {
		return nil // once in the life of the process
	}
	held := f.calleeHeld(instr, c, t, pc, hasRecv)
	if g.Func == nil {
		f.adopt(instr, g.Body, c, &pc, hasRecv)
	}
	gt := f.in.target(g)
	if gt == nil || gt.sum == nil {
		return nil
	}
	gRecv := gt.hasRecv()
	var out []SiteEffect
	for j := range gt.sum.Effects {
		// The callee's own arguments are unknown here: only paths through a
		// receiver that is bound, or to variables around a literal, mean
		// something.
		te, ok := f.translate(instr, g, gt, j, gRecv)
		if !ok {
			continue
		}
		if !gt.lit {
			te.Frames = append([]effect.Frame{{Pos: f.in.pos(position(instr)), Call: t.name}}, te.Frames...)
		}
		for _, p := range pc.Free {
			if q := f.in.paths.Import(p, c.Args, hasRecv, f.fn); q != "" {
				te.Free = append(te.Free, q)
			}
		}
		se := te
		se.Held = held
		se.Looped = se.Repeats && !gt.sum.Effects[j].Repeats
		if gt.lit {
			se.Lit = gt.body
		} else if gt.reports {
			se.Owned = ownedBy(held)
		}
		out = append(out, se)
	}
	return out
}

// ownedBy lists what is held by parameters that hold it by their type: the
// function called reports it itself.
func ownedBy(held []*region.Thing) []effect.Path {
	var out []effect.Path
	for _, t := range held {
		if t.Value != nil && table().Held(t.Value.Type()) != effect.NoClass {
			out = append(out, t.Path)
		}
	}
	return out
}

// calleeHeld is what the callee holds while it calls parameter pc, in terms of
// this function.
func (f *function) calleeHeld(instr ssa.CallInstruction, c ir.Callee, t *target, pc effect.ParamCall, hasRecv bool) []*region.Thing {
	var out []*region.Thing
	for _, h := range pc.Held {
		path := f.in.paths.Import(h.Path, c.Args, hasRecv, f.fn)
		thing := &region.Thing{Class: h.Class, Pos: position(instr), By: lastName(t.name), Outer: true}
		if h.Arg >= 0 {
			thing.Pool = path
			i := pc.Param
			if hasRecv {
				i++
			}
			g := ir.FuncOf(c.Args[i], f.in.paths)
			if g.Body == nil {
				continue
			}
			params := g.Body.Params
			if g.Body.Signature.Recv() != nil && len(params) > 0 {
				params = params[1:]
			}
			if h.Arg >= len(params) {
				continue
			}
			p := params[h.Arg]
			thing.Path, thing.Name, thing.Value = f.in.paths.Of(p), parameterName(p), p
		} else {
			if path == "" || h.Class == effect.Slot && leavesSlot(t.sum, h.Path) {
				continue
			}
			thing.Path, thing.Name = path, f.nameOf(path)
			if h.Class.Pinned() {
				thing.Pool = path
				thing.Name = ""
			}
		}
		out = append(out, thing)
	}
	return out
}

// leavesSlot reports whether a callee leaves it to others to give a slot back.
func leavesSlot(sum *effect.Summary, slots effect.Path) bool {
	return slices.ContainsFunc(sum.Acquires, func(a effect.Acquired) bool {
		return a.Class == effect.Slot && a.Result < 0 && a.Pool == slots
	})
}

// passHeld says what a callee holds while it calls a parameter that is one of
// this function's own parameters.
func (f *function) passHeld(c ir.Callee, pc effect.ParamCall, hasRecv bool) []effect.Held {
	var out []effect.Held
	for _, h := range pc.Held {
		h.Path = f.in.paths.Export(f.in.paths.Import(h.Path, c.Args, hasRecv, f.fn), f.fn)
		if h.Path != "" || h.Class.Pinned() {
			out = append(out, h)
		}
	}
	return out
}

// exportHeld says for callers what is held at a call of one of our parameters.
func (f *function) exportHeld(held []*region.Thing, args []ssa.Value) []effect.Held {
	var out []effect.Held
	for _, t := range held {
		h := effect.Held{Class: t.Class, Path: f.in.paths.Export(t.Path, f.fn), Arg: -1}
		if t.Class.Pinned() {
			h.Path = f.in.paths.Export(t.Pool, f.fn)
			for i, a := range args {
				if f.in.paths.Of(a) == t.Path {
					h.Arg = i
				}
			}
		}
		if h.Path != "" || t.Class.Pinned() {
			out = append(out, h)
		}
	}
	return out
}

// pendingCall notes that parameter i of this function is called. What is held
// meanwhile is filled in once the region is known.
func (f *function) pendingCall(instr ssa.CallInstruction, i int, mode effect.Mode, held []effect.Held) {
	f.calls = append(f.calls, effect.ParamCall{
		Param: i, Mode: mode, Held: held,
		Frames: []effect.Frame{{Pos: f.in.pos(position(instr)), Call: "parameter " + f.paramName(i)}},
	})
	f.callers = append(f.callers, instr)
}

func (f *function) paramName(i int) string {
	params := f.fn.Params
	if f.fn.Signature.Recv() != nil && len(params) > 0 {
		params = params[1:]
	}
	if i < len(params) {
		return params[i].Name()
	}
	return "?"
}
