package loop

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/ir"
	"github.com/concvet/concvet/internal/summary"
)

// A Source is a party that a loop serves, or what ends it.
type Source struct {
	Name   string    // what a person calls it
	Pos    token.Pos // where the loop looks at it
	Chan   ssa.Value
	Stop   bool // the loop ends after it
	Timer  bool // a timer or ticker
	Signal bool // of the operating system
	Kind   bool // one kind of event of a source that has several

	wait ssa.Instruction // the select or receive that it stands in

	body *ssa.BasicBlock // where its handling begins, nil if that is not known

	// blocks are those that its handling may pass in one round.
	blocks map[*ssa.BasicBlock]bool
}

// Handles reports whether the handling of the source may come to a block.
func (s *Source) Handles(b *ssa.BasicBlock) bool { return s.blocks[b] }

// An Event is a loop that waits for others: an event loop if it serves two or
// more live sources, an accept loop if it accepts connections. A source is live
// if the loop goes on after its event: what only ends the loop, such as the end
// of a context, is a stop.
type Event struct {
	Fn   *ssa.Function
	Pos  token.Pos // the select, receive or accept that it waits in
	Live []*Source // apart from the default case
	Stop []*Source

	// Default is what a select with a default case does when nobody has come.
	Default *Source

	// Accepted are the connections that it accepts, nil for any other loop.
	Accepted []ssa.Value

	// Foreign reports that the loop stands around a call of the function: it is
	// the Accept of a listener that others use.
	Foreign bool

	// ByValue are the kinds of event that the loop tells apart by a value in
	// them: whether it is an event loop for that, what it does with them tells.
	ByValue []*Source

	// Peer is what the loop reads from again and again, nil if it reads nothing.
	Peer ssa.Value

	// Callback is the loop of a library that this one is, nil for any other.
	Callback *summary.Callback

	// Feed is the loop of a library that feeds one of the sources.
	Feed *summary.Callback

	loop     *Loop
	loops    Loops
	own      map[ssa.Instruction]bool
	received map[ssa.Value]bool
	handlers []*ssa.BasicBlock // where the handling of a case begins
}

// Has reports whether an instruction is carried out again and again by the loop.
func (l *Event) Has(instr ssa.Instruction) bool { return l.loop.blocks[instr.Block()] }

// Direct reports whether an instruction is carried out once a round: no other
// loop stands between.
func (l *Event) Direct(instr ssa.Instruction) bool { return l.loops.Around(instr.Block()) == l.loop }

// Own reports whether an instruction is the wait that the loop is there for.
func (l *Event) Own(instr ssa.Instruction) bool { return l.own[instr] }

// Received reports whether a value came with an event of this round, or is a
// part of one that did.
func (l *Event) Received(v ssa.Value) bool { return v != nil && l.received[v] }

// Names lists what the loop serves, and last what ends it.
func (l *Event) Names() []string {
	var out []string
	for _, list := range [][]*Source{l.Live, l.Stop} {
		for _, s := range list {
			if s.Name != "" {
				out = append(out, s.Name)
			}
		}
	}
	return out
}

// Events lists the loops of a function that wait for others, inner ones first.
func Events(res *summary.Result, fn *ssa.Function) []*Event {
	if !waits(res, fn) {
		return nil
	}
	loops := natural(fn)
	var out []*Event
	for _, c := range loops {
		l := &Event{Fn: fn, loop: c, loops: loops, own: make(map[ssa.Instruction]bool), received: make(map[ssa.Value]bool)}
		var level []*ssa.BasicBlock // those of no loop inside it
		for _, b := range fn.Blocks {
			if c.blocks[b] && loops.Around(b) == c {
				level = append(level, b)
			}
		}
		l.findHandlers(level)
		for _, b := range level {
			for _, instr := range b.Instrs {
				l.look(res, instr)
			}
		}
		l.takeMore(res)
		if l.Pos.IsValid() {
			out = append(out, l)
		}
	}
	if isAccept(fn) {
		out = append(out, acceptOf(res, fn, loops)...)
	}
	return out
}

// findHandlers notes where the cases of the selects begin. A wait in one of them
// is part of the handling, and no source of the loop.
func (l *Event) findHandlers(level []*ssa.BasicBlock) {
	for _, b := range level {
		for _, instr := range b.Instrs {
			x, ok := instr.(*ssa.Select)
			if !ok {
				continue
			}
			bodies, _ := cases(x)
			for _, body := range bodies {
				if len(body.Preds) == 1 {
					l.handlers = append(l.handlers, body)
				}
			}
		}
	}
}

// handled reports whether a block is part of the handling of a case.
func (l *Event) handled(b *ssa.BasicBlock) bool {
	return slices.ContainsFunc(l.handlers, func(h *ssa.BasicBlock) bool { return h.Dominates(b) })
}

// waits reports whether a function has an instruction that a loop may wait in.
func waits(res *summary.Result, fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			switch x := instr.(type) {
			case *ssa.Select:
				return true
			case *ssa.UnOp:
				if x.Op == token.ARROW {
					return true
				}
			case *ssa.Call:
				if accepts(x) || ended(x) || readFrom(x) != nil || res.EventOf(x.Common()) != nil {
					return true
				}
			}
		}
	}
	return false
}

// look takes over what one instruction at the loop's own level waits for.
func (l *Event) look(res *summary.Result, instr ssa.Instruction) {
	switch x := instr.(type) {
	case *ssa.Select:
		l.selects(res, x)
	case *ssa.UnOp:
		if x.Op == token.ARROW {
			l.receives(res, x)
		}
	case *ssa.Call:
		switch {
		case accepts(x):
			l.Accepted = append(l.Accepted, results(x, 0)...)
			l.own[x] = true
			l.at(x.Pos())
		case ended(x) && l.leaves(x):
			l.Stop = append(l.Stop, &Source{Name: nameOf(res, x.Call.Value), Pos: x.Pos(), Stop: true})
			l.at(x.Pos())
		case !isChan(x.Type()):
			if cb := res.EventOf(x.Common()); cb != nil {
				l.Callback = cb
				l.own[x] = true
				l.at(x.Pos())
			} else if peer := readFrom(x); peer != nil && l.Peer == nil && !l.handled(x.Block()) {
				l.Peer = peer
				l.at(x.Pos())
			}
		}
	}
}

func (l *Event) at(pos token.Pos) {
	if !l.Pos.IsValid() {
		l.Pos = pos
	}
}

// selects takes over the cases of a select.
func (l *Event) selects(res *summary.Result, x *ssa.Select) {
	nested := l.handled(x.Block())
	if x.Blocking && !nested {
		l.own[x] = true
		l.Pos = x.Pos()
	}
	if !nested {
		l.at(x.Pos())
	}
	bodies, otherwise := cases(x)
	receive := 2 // index of the first received value in the result of the select
	for i, st := range x.States {
		var value ssa.Value
		if st.Dir == types.RecvOnly {
			for _, v := range results(x, receive) {
				value = v
			}
			receive++
		}
		if nested {
			if value != nil {
				l.take(value)
			}
			continue
		}
		body := bodies[i]
		if body == nil || st.Dir != types.RecvOnly {
			continue
		}
		s := &Source{Name: nameOf(res, st.Chan), Pos: st.Pos, Chan: st.Chan, wait: x, Timer: isTimer(st.Chan), Signal: isSignal(st.Chan.Type())}
		s.Stop = !l.loop.blocks[body] || isDone(st.Chan) || stopName(s.Name) && empty(st.Chan.Type())
		if s.Stop {
			l.Stop = append(l.Stop, s)
			continue
		}
		s.body, s.blocks = body, l.loop.round(body, x.Block())
		if call, ok := st.Chan.(*ssa.Call); ok {
			l.Feed = res.EventOf(call.Common())
		}
		l.take(value)
		l.byValue(value, s)
		if kinds := l.kinds(value, s); len(kinds) > 1 {
			l.Live = append(l.Live, kinds...)
			continue
		}
		l.Live = append(l.Live, s)
	}
	if otherwise != nil && !nested && l.loop.blocks[otherwise] {
		l.Default = &Source{wait: x, blocks: l.loop.round(otherwise, x.Block())}
	}
}

// receives takes over a plain receive: the loop waits for nobody else in it.
func (l *Event) receives(res *summary.Result, x *ssa.UnOp) {
	if isTimer(x.X) || isDone(x.X) {
		return
	}
	var value ssa.Value = x
	if x.CommaOk {
		value = nil
		for _, v := range results(x, 0) {
			value = v
		}
	}
	l.take(value)
	s := &Source{Name: nameOf(res, x.X), Chan: x.X, wait: x, blocks: l.loop.round(after(x), x.Block())}
	s.blocks[x.Block()] = true
	if closes(x, l.loop) && !l.handled(x.Block()) {
		l.own[x] = true // the loop ends with the channel
		l.at(x.Pos())
		if ownJob(res, x) {
			l.Live = append(l.Live, s)
			return
		}
		l.byValue(value, s)
		if kinds := l.kinds(value, s); len(kinds) > 1 {
			l.Live = append(l.Live, kinds...)
		} else {
			l.Live = append(l.Live, s)
		}
	}
}

// ownJob reports whether a receive is of a channel that the function itself makes,
// and that a literal in it closes when all is sent: the loop is one job in two
// parts, and what is of another kind in it waits for nothing else.
func ownJob(res *summary.Result, x *ssa.UnOp) bool {
	made, ok := res.Root(res.Path(x.X)).(*ssa.MakeChan)
	if !ok || made.Parent() != x.Parent() {
		return false
	}
	for _, lit := range x.Parent().AnonFuncs {
		for _, b := range lit.Blocks {
			for _, instr := range b.Instrs {
				call, ok := instr.(ssa.CallInstruction)
				if !ok || len(call.Common().Args) != 1 {
					continue
				}
				if fn, ok := call.Common().Value.(*ssa.Builtin); ok && fn.Name() == "close" && res.Root(res.Path(call.Common().Args[0])) == ssa.Value(made) {
					return true
				}
			}
		}
	}
	return false
}

// after is the block after the one of an instruction; the caller adds the block
// itself.
func after(instr ssa.Instruction) *ssa.BasicBlock {
	b := instr.Block()
	if len(b.Succs) > 0 {
		return b.Succs[0]
	}
	return b
}

// closes reports whether the loop ends when the channel that is received from
// is closed.
func closes(x *ssa.UnOp, c *Loop) bool {
	if !x.CommaOk {
		return false
	}
	for _, ok := range results(x, 1) {
		for _, branch := range branches(ok) {
			if !c.blocks[branch.Block().Succs[0]] || !c.blocks[branch.Block().Succs[1]] {
				return true
			}
		}
	}
	return false
}

// take notes a received value with what is made of it.
func (l *Event) take(v ssa.Value) {
	if v == nil || l.received[v] || len(l.received) > 200 {
		return
	}
	l.received[v] = true
	if v.Referrers() == nil {
		return
	}
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.TypeAssert:
			if r.CommaOk {
				for _, x := range results(r, 0) {
					l.take(x)
				}
			} else {
				l.take(r)
			}
		case *ssa.Field:
			l.take(r)
		case *ssa.FieldAddr:
			l.take(r)
		case *ssa.UnOp:
			l.take(r)
		case *ssa.MakeInterface, *ssa.ChangeType, *ssa.ChangeInterface, *ssa.Phi:
			l.take(r.(ssa.Value))
		case *ssa.Store:
			if a, ok := r.Addr.(*ssa.Alloc); ok && r.Val == v {
				l.take(a)
			}
		}
	}
}

// leaves reports whether the loop ends where a call has returned something.
func (l *Event) leaves(x *ssa.Call) bool {
	if x.Referrers() == nil {
		return false
	}
	for _, r := range *x.Referrers() {
		cmp, ok := r.(*ssa.BinOp)
		if !ok {
			continue
		}
		for _, branch := range branches(cmp) {
			b := branch.Block()
			if l.loop.blocks[b] && (!l.loop.blocks[b.Succs[0]] || !l.loop.blocks[b.Succs[1]]) {
				return true
			}
		}
	}
	return false
}

// cases finds where each case of a select, and its default case, begin.
func cases(x *ssa.Select) (bodies map[int]*ssa.BasicBlock, otherwise *ssa.BasicBlock) {
	bodies = make(map[int]*ssa.BasicBlock)
	for _, index := range results(x, 0) {
		if index.Referrers() == nil {
			continue
		}
		for _, r := range *index.Referrers() {
			cmp, ok := r.(*ssa.BinOp)
			if !ok || cmp.Op != token.EQL {
				continue
			}
			c, ok := cmp.Y.(*ssa.Const)
			if !ok || c.Value == nil {
				continue
			}
			for _, branch := range branches(cmp) {
				i := int(c.Int64())
				bodies[i] = branch.Block().Succs[0]
				if i == len(x.States)-1 && !x.Blocking {
					otherwise = branch.Block().Succs[1]
				}
			}
		}
	}
	return bodies, otherwise
}

// results lists the values of part i of a tuple.
func results(tuple ssa.Value, i int) []ssa.Value {
	if tuple.Referrers() == nil {
		return nil
	}
	var out []ssa.Value
	for _, r := range *tuple.Referrers() {
		if e, ok := r.(*ssa.Extract); ok && e.Index == i {
			out = append(out, e)
		}
	}
	return out
}

// branches lists the branches on a condition.
func branches(cond ssa.Value) []*ssa.If {
	if cond.Referrers() == nil {
		return nil
	}
	var out []*ssa.If
	for _, r := range *cond.Referrers() {
		if x, ok := r.(*ssa.If); ok && len(x.Block().Succs) == 2 {
			out = append(out, x)
		}
	}
	return out
}

// ended reports whether a call asks whether a context has ended.
func ended(x *ssa.Call) bool {
	return x.Call.IsInvoke() && x.Call.Method.Name() == "Err" && ir.IsContext(x.Call.Value.Type())
}

// isDone reports whether a channel tells the end of something: it is what a
// method Done returns.
func isDone(ch ssa.Value) bool {
	call, ok := ch.(*ssa.Call)
	if !ok || !empty(ch.Type()) {
		return false
	}
	if call.Call.IsInvoke() {
		return call.Call.Method.Name() == "Done"
	}
	f := call.Call.StaticCallee()
	return f != nil && f.Signature.Recv() != nil && (f.Name() == "Done" || f.Name() == "Dying")
}

// empty reports whether a channel carries values without content.
func empty(t types.Type) bool {
	ch, ok := types.Unalias(t).Underlying().(*types.Chan)
	if !ok {
		return false
	}
	s, ok := types.Unalias(ch.Elem()).Underlying().(*types.Struct)
	return ok && s.NumFields() == 0
}

// stopName reports whether a channel is called after an end.
func stopName(name string) bool {
	name = strings.ToLower(name)
	for _, word := range []string{"stop", "quit", "done", "exit", "clos", "shutdown", "term", "kill", "cancel", "dying"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}

// isTimer reports whether a channel is the one of a timer or ticker.
func isTimer(ch ssa.Value) bool {
	t, ok := types.Unalias(ch.Type()).Underlying().(*types.Chan)
	return ok && ir.IsNamed(t.Elem(), "time", "Time")
}

func isChan(t types.Type) bool {
	_, ok := types.Unalias(t).Underlying().(*types.Chan)
	return ok
}

func isSignal(t types.Type) bool {
	ch, ok := types.Unalias(t).Underlying().(*types.Chan)
	return ok && ir.IsNamed(ch.Elem(), "os", "Signal")
}

// nameOf is what a person calls the party behind a channel.
func nameOf(res *summary.Result, ch ssa.Value) string {
	if call, ok := ch.(*ssa.Call); ok {
		name := ""
		if call.Call.IsInvoke() {
			name = call.Call.Method.Name()
		} else if f := call.Call.StaticCallee(); f != nil {
			name = f.Name()
		}
		if isTimer(ch) {
			return "a timer"
		}
		if isDone(ch) {
			var of ssa.Value
			if call.Call.IsInvoke() {
				of = call.Call.Value
			} else if len(call.Call.Args) > 0 {
				of = call.Call.Args[0]
			}
			if of != nil {
				if owner := res.NameOf(res.Path(of)); owner != "" {
					return owner + ".Done()"
				}
			}
		}
		if name != "" {
			return name + "()"
		}
		return ""
	}
	name := res.NameOf(res.Path(ch))
	if isTimer(ch) {
		name = strings.TrimSuffix(name, ".C")
		if name == "" || name == "C" {
			return "a timer"
		}
		return "ticks of " + name
	}
	return name
}

// round lists the blocks that control may pass from one on until the next round
// begins, or until it comes to the block at.
func (l *Loop) round(from, at *ssa.BasicBlock) map[*ssa.BasicBlock]bool {
	out := make(map[*ssa.BasicBlock]bool)
	work := []*ssa.BasicBlock{from}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if b == l.Head || b == at || !l.blocks[b] || out[b] {
			continue
		}
		out[b] = true
		work = append(work, b.Succs...)
	}
	return out
}
