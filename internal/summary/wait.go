package summary

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/ir"
	"github.com/concvet/concvet/internal/region"
)

// A goroutine is one that the function starts.
type goroutine struct {
	at     ssa.Instruction
	callee ir.Callee
}

// survey looks once over the function for what its other parts depend on: the
// goroutines it starts, the connections it gives a deadline, the channels it
// uses as a semaphore.
func (f *function) survey() {
	f.deadlines = make(map[effect.Path]bool)
	f.limited = make(map[effect.Path]bool)
	f.tokens = f.in.tokensOf(f.fn)
	f.made = make(map[effect.Path]*ssa.Store)
	for _, b := range f.fn.Blocks {
		for _, instr := range b.Instrs {
			switch x := instr.(type) {
			case *ssa.Store:
				if _, ok := x.Val.(*ssa.MakeChan); ok {
					f.made[f.in.paths.Of(x.Addr)] = x
				}
			case *ssa.Go:
				f.started = append(f.started, goroutine{x, ir.CalleeOf(x.Common(), f.in.paths)})
			case *ssa.Call:
				f.surveyCall(x)
			}
		}
	}
}

func (f *function) surveyCall(x *ssa.Call) {
	c, t := f.targetOf(x.Common())
	if t == nil || t.sum == nil {
		return
	}
	hasRecv := t.hasRecv()
	if t.row != nil {
		for _, p := range t.row.Bounds {
			if path := f.in.paths.Import(effect.ParamPath(p), c.Args, hasRecv, f.fn); path != "" {
				f.deadlines[path] = true
			}
		}
	}
	if t.body != nil && !c.Invoke {
		for i, a := range c.Args {
			if i < len(t.body.Params) && connLike(a.Type()) && f.in.bounds(t.body, string(f.in.paths.Of(t.body.Params[i])), 1) {
				f.deadlines[f.in.paths.Of(a)] = true
			}
		}
	}
	for _, p := range t.sum.Limits {
		if path := f.in.given(x, p, c, hasRecv, f.fn); path != "" && !f.unlimits(x, t) {
			f.limited[path] = true
		}
	}
	for _, pc := range t.sum.Calls {
		i := pc.Param
		if hasRecv {
			i++
		}
		if pc.Mode == effect.Async && i >= 0 && i < len(c.Args) {
			f.started = append(f.started, goroutine{x, ir.FuncOf(c.Args[i], f.in.paths)})
		}
	}
}

// connLike reports whether t is a connection, by its name.
func connLike(t types.Type) bool {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	named, ok := t.(*types.Named)
	return ok && strings.HasSuffix(named.Obj().Name(), "Conn")
}

// isToken reports whether t is a channel of values without content.
func isToken(t types.Type) bool {
	ch, ok := types.Unalias(t).Underlying().(*types.Chan)
	if !ok {
		return false
	}
	switch e := types.Unalias(ch.Elem()).Underlying().(type) {
	case *types.Struct:
		return e.NumFields() == 0
	}
	return false
}

// send adds the effect of a plain send.
func (f *function) send(x *ssa.Send) {
	f.drop(x, x.X)
	path := f.in.paths.Of(x.Chan)
	use := f.in.slots[f.in.fieldKey(path)]
	if f.tokens[path] || use == sendTakes {
		f.takeToken(x, path)
		return
	}
	if use == receiveTakes {
		f.event(x, event{Verb: region.Release, Class: effect.Slot, Path: path})
		return // gives a slot back: there is room
	}
	if f.freshSend(x, x.Chan) || f.finds(x, path) || f.onlyAnswer(x) {
		return
	}
	name := f.nameOf(path)
	f.site(x, []SiteEffect{{Effect: effect.Effect{
		Kind: effect.ChanSend, API: "send", On: path, Field: f.in.fieldKey(path),
		Frames: []effect.Frame{{Pos: f.in.pos(x.Pos()), Call: "send on " + orChannel(name)}},
	}}})
}

func (f *function) takeToken(x ssa.Instruction, path effect.Path) {
	f.site(x, []SiteEffect{{Effect: effect.Effect{
		Kind: effect.Acquire, API: "semaphore", On: path, Field: f.in.fieldKey(path),
		Frames: []effect.Frame{{Pos: f.in.pos(x.Pos()), Call: "slot of " + orChannel(f.nameOf(path))}},
	}}})
	f.event(x, event{Verb: region.Acquire, Thing: &region.Thing{
		Class: effect.Slot, Path: path, Site: x, Pos: x.Pos(), Name: f.nameOf(path), By: "send",
	}})
}

func orChannel(name string) string {
	if name == "" {
		return "a channel"
	}
	return name
}

// freshSend reports whether a send goes to a channel made here that has room,
// or that a goroutine started here, or whoever was handed it, takes from.
func (f *function) freshSend(x ssa.Instruction, ch ssa.Value) bool {
	mc := f.fresh(x, ch)
	if mc == nil {
		return false
	}
	if f.shared(mc) {
		return true
	}
	return capacity(mc) > 0 && !f.repeats(x)
}

// fresh returns the make of a channel that this function or one around it has
// made when it comes to at.
func (f *function) fresh(at ssa.Instruction, ch ssa.Value) *ssa.MakeChan {
	path := f.in.paths.Of(ch)
	if mc, ok := f.in.paths.Root(path).(*ssa.MakeChan); ok {
		return mc
	}
	if s := f.made[path]; s != nil && s.Block().Dominates(at.Block()) {
		mc, _ := s.Val.(*ssa.MakeChan)
		return mc // put into a field first
	}
	return f.returned(f.in.paths.Root(path))
}

// returned is the channel that a function of this package makes and returns: a
// generator, or the result of work that it has started.
func (f *function) returned(v ssa.Value) *ssa.MakeChan {
	index := 0
	if e, ok := v.(*ssa.Extract); ok {
		v, index = e.Tuple, e.Index
	}
	call, ok := v.(*ssa.Call)
	if !ok {
		return nil
	}
	c := ir.CalleeOf(call.Common(), f.in.paths)
	if c.Body == nil || takesFunc(c.Body.Signature) {
		return nil // what its goroutine runs is the caller's
	}
	var made *ssa.MakeChan
	for _, b := range c.Body.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok || index >= len(ret.Results) {
			continue
		}
		mc, ok := f.in.paths.Root(f.in.paths.Of(ret.Results[index])).(*ssa.MakeChan)
		if !ok {
			return nil
		}
		made = mc
	}
	return made
}

// shared reports whether a channel is known to anybody but the function that
// makes it.
func (f *function) shared(mc *ssa.MakeChan) bool {
	if mc.Parent() != f.fn {
		return true
	}
	work, seen := []ssa.Value{mc}, map[ssa.Value]bool{}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[v] || v.Referrers() == nil {
			continue
		}
		seen[v] = true
		for _, r := range *v.Referrers() {
			switch r := r.(type) {
			case *ssa.Send:
				if r.X == v {
					return true
				}
			case *ssa.UnOp:
				if r.Op == token.MUL {
					work = append(work, r)
				}
			case *ssa.Select, *ssa.DebugRef:
			case *ssa.Store:
				if a, ok := r.Addr.(*ssa.Alloc); ok && r.Val == v {
					work = append(work, a)
				} else if r.Val == v {
					return true
				}
			case *ssa.Call:
				if _, builtin := r.Call.Value.(*ssa.Builtin); !builtin {
					return true
				}
			case *ssa.Defer:
				if _, builtin := r.Call.Value.(*ssa.Builtin); !builtin {
					return true
				}
			case *ssa.Phi:
				work = append(work, r)
			case *ssa.ChangeType:
				work = append(work, r)
			default:
				return true
			}
		}
	}
	return false
}

func capacity(mc *ssa.MakeChan) int64 {
	c, ok := mc.Size.(*ssa.Const)
	if !ok || c.Value == nil || c.Value.Kind() != constant.Int {
		return 1 // sized by something: taken to cover what it is for
	}
	n, _ := constant.Int64Val(c.Value)
	return n
}

// receive adds the effect of a plain receive.
func (f *function) receive(x *ssa.UnOp) {
	path := f.in.paths.Of(x.X)
	use := f.in.slots[f.in.fieldKey(path)]
	if use == receiveTakes {
		f.takeToken(x, path)
		return
	}
	if f.tokens[path] || use == sendTakes {
		f.event(x, event{Verb: region.Release, Class: effect.Slot, Path: path})
		return
	}
	if d, ok, timer := f.timer(x.X); timer {
		if ok && d == 0 || drains(x) {
			return // made to have fired already
		}
		e := effect.Effect{Kind: effect.Sleep, API: "timer", Frames: []effect.Frame{{Pos: f.in.pos(x.Pos()), Call: "receive from a timer"}}}
		if ok {
			e.Bound = effect.Bound{Kind: effect.ConstBound, Dur: d}
			f.inLoop(x, &e)
		}
		f.site(x, []SiteEffect{{Effect: e, Looped: e.Repeats}})
		return
	}
	if mc := f.fresh(x, x.X); mc != nil {
		if f.closedBefore(x, path) {
			return // filled and closed: only read out
		}
		f.site(x, f.joined(x, path, false, "receive from "+orChannel(f.nameOf(path))))
		return
	}
	if f.counted(x, path) {
		return
	}
	if path != "" && f.closedBefore(x, path) {
		return // what is left in it, and then nothing
	}
	f.site(x, []SiteEffect{{Effect: effect.Effect{
		Kind: effect.ChanRecv, API: "receive", On: path, Field: f.in.fieldKey(path), Bound: f.doneBound(x.X),
		Frames: []effect.Frame{{Pos: f.in.pos(x.Pos()), Call: "receive from " + f.chanName(x.X)}},
	}}})
}

// drains reports whether a receive from a timer stands where Stop or Reset has
// just said that the timer has fired, or len that its channel is full: there is a
// value.
func drains(x *ssa.UnOp) bool {
	b := x.Block()
	for range 3 {
		if len(b.Preds) != 1 {
			return false
		}
		b = b.Preds[0]
		branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok {
			return false
		}
		cond := branch.Cond
		switch c := cond.(type) {
		case *ssa.UnOp:
			cond = c.X // !t.Stop()
		case *ssa.BinOp:
			cond = c.X // len(t.C) > 0
		}
		call, ok := cond.(*ssa.Call)
		if !ok || len(call.Call.Args) == 0 {
			continue
		}
		if f, ok := call.Call.Value.(*ssa.Builtin); ok && f.Name() == "len" {
			return true
		}
		callee := call.Call.StaticCallee()
		if callee != nil && (callee.Name() == "Stop" || callee.Name() == "Reset") && isTimeType(call.Call.Args[0].Type()) {
			return true
		}
	}
	return false
}

// chanName is what a person calls a channel.
func (f *function) chanName(ch ssa.Value) string {
	if call, ok := ch.(*ssa.Call); ok {
		if fn := ir.CalleeOf(call.Common(), f.in.paths).Func; fn != nil {
			return fn.Name() + "()"
		}
	}
	return orChannel(f.nameOf(f.in.paths.Of(ch)))
}

// timer reports whether a channel is one of a timer: time.After, the C of a Timer
// or Ticker, or what a function that makes one returns, and after which constant duration it fires.
func (f *function) timer(ch ssa.Value) (d time.Duration, known, ok bool) {
	switch v := ch.(type) {
	case *ssa.Call:
		fn := ir.CalleeOf(v.Common(), f.in.paths).Func
		if fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == "time" && (fn.Name() == "After" || fn.Name() == "Tick") {
			d, known = constDuration(v.Call.Args[0])
			return d, known, true
		}
	case *ssa.UnOp:
		if fa, isField := v.X.(*ssa.FieldAddr); isField && v.Op == token.MUL && isTimeType(fa.X.Type()) {
			if call, ok := f.in.paths.Root(f.in.paths.Of(fa.X)).(*ssa.Call); ok && len(call.Call.Args) == 1 {
				d, known = constDuration(call.Call.Args[0])
			}
			return d, known, true
		}
	}
	// A channel of times that comes out of a call is one of a timer made there.
	if t, isChan := types.Unalias(ch.Type()).Underlying().(*types.Chan); isChan {
		_, made := ch.(*ssa.Call)
		return 0, false, made && ir.IsNamed(t.Elem(), "time", "Time")
	}
	return 0, false, false
}

func isTimeType(t types.Type) bool {
	if p, ok := types.Unalias(t).Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	return ir.IsNamed(t, "time", "Timer") || ir.IsNamed(t, "time", "Ticker")
}

// doneBound is the bound of a receive from a context's Done channel.
func (f *function) doneBound(ch ssa.Value) effect.Bound {
	call, ok := ch.(*ssa.Call)
	if !ok || !call.Call.IsInvoke() || call.Call.Method.Name() != "Done" || !ir.IsContext(call.Call.Value.Type()) {
		return effect.Bound{}
	}
	return boundOf(f.in.deadlines.Of(call.Call.Value))
}

// selectStmt adds the effect of a select. A default case makes it never wait, a
// timer case bounds it; a done case alone is no way out for what is held.
func (f *function) selectStmt(x *ssa.Select) {
	for i, st := range x.States {
		if st.Dir != types.SendOnly {
			continue
		}
		path := f.in.paths.Of(st.Chan)
		if f.tokens[path] || f.in.slots[f.in.fieldKey(path)] == sendTakes {
			f.selectToken(x, i, path)
			return
		}
	}
	if !x.Blocking {
		return
	}
	bound := effect.Bound{}
	fresh, others := 0, 0
	var what []string
	var on effect.Path
	api := "select receive"
	for _, st := range x.States {
		if st.Dir == types.SendOnly && st.Send != nil {
			f.drop(x, st.Send)
		}
		if d, known, timer := f.timer(st.Chan); timer {
			bound.Kind = effect.EscapeBound
			if known && (bound.Dur == 0 || d < bound.Dur) {
				bound.Dur = d
			}
			continue
		}
		if b := f.doneBound(st.Chan); b.Kind == effect.ConstBound || b.Kind == effect.Deadline {
			bound.Kind = effect.EscapeBound
			if b.Dur > 0 && (bound.Dur == 0 || b.Dur < bound.Dur) {
				bound.Dur = b.Dur
			}
			continue
		}
		if call, ok := st.Chan.(*ssa.Call); ok && call.Call.IsInvoke() && call.Call.Method.Name() == "Done" {
			continue // neither a way out nor what is waited for
		}
		if f.fresh(x, st.Chan) != nil {
			fresh++
			continue
		}
		path := f.in.paths.Of(st.Chan)
		others++
		if on == "" {
			on = path
			if st.Dir == types.SendOnly {
				api = "select send"
			}
		}
		verb := "receive from "
		if st.Dir == types.SendOnly {
			verb = "send on "
		}
		if s := verb + f.chanName(st.Chan); len(what) < 3 && !slices.Contains(what, s) {
			what = append(what, s)
		}
	}
	if fresh > 0 && others <= 1 || len(x.States) == 0 {
		if fresh > 0 {
			return // a reply, or its end
		}
	}
	text := "select without default or timeout"
	if len(what) > 0 {
		text = "select (" + join(what) + ") without default or timeout"
	}
	if bound.Kind == effect.EscapeBound {
		text = "select with a timeout"
	}
	f.site(x, []SiteEffect{{Effect: effect.Effect{
		Kind: effect.Select, API: api, On: on, Field: f.in.fieldKey(on), Bound: bound,
		Frames: []effect.Frame{{Pos: f.in.pos(x.Pos()), Call: text}},
	}}})
}

func join(list []string) string {
	out := list[0]
	for _, s := range list[1:] {
		out += ", " + s
	}
	return out
}

// selectToken takes a slot in case i of a select: it is held where that case was
// chosen.
func (f *function) selectToken(x *ssa.Select, i int, path effect.Path) {
	if chosen := ir.SelectCase(x, i); chosen != nil {
		f.event(x, event{Verb: region.Acquire, Thing: &region.Thing{
			Class: effect.Slot, Path: path, Site: x, Pos: x.States[i].Pos, Name: f.nameOf(path), By: "send",
			Failed: chosen, OK: true, Try: true,
		}})
	}
	if !x.Blocking {
		return
	}
	f.site(x, []SiteEffect{{Effect: effect.Effect{
		Kind: effect.Acquire, API: "semaphore", On: path, Field: f.in.fieldKey(path),
		Frames: []effect.Frame{{Pos: f.in.pos(x.Pos()), Call: "slot of " + orChannel(f.nameOf(path))}},
	}}})
}

// takesFunc reports whether a function has a func-typed parameter.
func takesFunc(sig *types.Signature) bool {
	for p := range sig.Params().Variables() {
		if _, ok := types.Unalias(p.Type()).Underlying().(*types.Signature); ok {
			return true
		}
	}
	return false
}

// closedBefore reports whether the channel at path is certainly closed when
// control comes to at.
func (f *function) closedBefore(at ssa.Instruction, path effect.Path) bool {
	for _, b := range f.fn.Blocks {
		if !b.Dominates(at.Block()) {
			continue
		}
		for _, instr := range b.Instrs {
			if instr == at {
				return false
			}
			call, ok := instr.(*ssa.Call)
			if !ok {
				continue
			}
			if bi, ok := call.Call.Value.(*ssa.Builtin); ok && bi.Name() == "close" && f.in.paths.Of(call.Call.Args[0]) == path {
				return true
			}
		}
	}
	return false
}
