package blockinloop

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/ir"
	"github.com/concvet/concvet/internal/loop"
	"github.com/concvet/concvet/internal/report"
	"github.com/concvet/concvet/internal/summary"
)

// short reports whether a wait is bounded by so little that it is no delay.
func short(e effect.Effect) bool {
	switch e.Bound.Kind {
	case effect.ConstBound:
		return !e.Repeats && e.Bound.Dur <= maxWait
	case effect.TryBound, effect.RoomBound:
		return true
	}
	return false
}

// judgeEvent says whether an effect delays what an event loop serves besides.
func (c *checker) judgeEvent(l *loop.Event, site *summary.Site, e summary.SiteEffect) *verdict {
	b := site.Instr.Block()
	culprits := 0
	for _, s := range l.Live {
		if s.Handles(b) {
			culprits++
		}
	}
	idle := culprits == 0 && l.Default != nil && l.Default.Handles(b)
	if short(e.Effect) || len(l.Live) < 2 && !idle || l.Waits(c.res, site.Instr) {
		return nil
	}
	v := &verdict{slug: EventLoop, on: l, tier: report.Default}
	if !c.blocks(l, site, v, e) {
		return nil
	}
	if culprits == 0 && !(idle && e.Kind == effect.Sleep) {
		v.tier = report.Audit // done in every round, or to poll: it is what the loop is there for
	}
	data, apart, hasty := 0, 0, 0
	batch := flushes(l, site)
	for _, s := range l.Live {
		if s.Handles(b) || s.Remakes(site.Instr) || !c.atOnce(l, b, s) || c.similar(l, s, e.Kind) && !c.independent(l, b, s, e.Kind) {
			continue
		}
		if batch != nil && !s.Timer && !s.Signal && !gathers(l, s, batch) {
			apart++
		}
		if !slices.Contains(v.delayed, s.Name) || s.Name == "" {
			v.delayed = append(v.delayed, s.Name)
		}
		if !s.Timer && !s.Signal && !l.Paces(s) && !carriesErrors(s) && !c.consumed().Notes(s.Chan) {
			data++
			if !c.res.Buffered(s.Chan.Type()) {
				hasty++
			}
		}
	}
	if len(v.delayed) == 0 {
		return nil
	}
	if l.Feed != nil && !slices.Contains(l.Feed.Kinds, e.Kind) {
		v.tier = report.Audit // it has to be done before the next event is asked for
	}
	if hasty == 0 && storage(e.Kind) && l.OnTick(b) {
		v.tier = report.Audit // those who send have put it into the buffer, and use the same disk
	}
	if ofRequest(l.Fn) {
		v.tier = report.Audit // it serves one client, who waits for himself
	}
	if hasty == 0 && l.Rarely(b, seldom) || dials(e.Effect) {
		v.tier = report.Audit // now and then there has to be room, or where a peer is gone
	}
	if data == 0 || batch != nil && apart < 2 {
		v.tier = report.Audit // only ticks and notes are late, or it is what the loop is there for
	}
	return v
}

// carriesErrors reports whether what comes from a source are errors: there are
// few of them, and they are told to somebody.
func carriesErrors(s *loop.Source) bool {
	if s.Chan == nil {
		return false
	}
	ch, ok := types.Unalias(s.Chan.Type()).Underlying().(*types.Chan)
	return ok && types.Identical(ch.Elem(), types.Universe.Lookup("error").Type())
}

// atOnce reports whether the loop waits for a source at the same time as for one
// of those that a block belongs to. What it waits for at another place of the
// round is the next step of the same job.
func (c *checker) atOnce(l *loop.Event, b *ssa.BasicBlock, s *loop.Source) bool {
	culprits := slices.DeleteFunc(append(slices.Clone(l.Live), l.Default), func(o *loop.Source) bool { return o == nil || !o.Handles(b) })
	return len(culprits) == 0 || slices.ContainsFunc(culprits, func(o *loop.Source) bool { return l.Together(c.res, o, s) })
}

// similar reports whether the handling of a source waits in the same way: it
// would hardly notice.
func (c *checker) similar(l *loop.Event, s *loop.Source, kind effect.Kind) bool {
	for _, site := range c.res.Sites(l.Fn) {
		if !l.Has(site.Instr) || l.Own(site.Instr) || !s.Handles(site.Instr.Block()) {
			continue
		}
		for _, e := range site.Effects {
			if alike(e.Kind, kind) && !short(e.Effect) && !(kind == effect.ChanSend && c.reply(l, e)) {
				return true
			}
		}
	}
	for _, m := range c.res.MayCalls(l.Fn) {
		if l.Has(m.At) && s.Handles(m.At.Block()) && slices.ContainsFunc(m.Candidates, func(cand summary.Candidate) bool { return waits(cand, kind) }) {
			return true
		}
	}
	return false
}

// waits reports whether a candidate waits in a certain way.
func waits(cand summary.Candidate, kind effect.Kind) bool {
	return slices.ContainsFunc(cand.Effects, func(e summary.SiteEffect) bool { return alike(e.Kind, kind) && !short(e.Effect) })
}

// alike reports whether two kinds of effect wait for the same: a disk, or the
// same sort of party.
func alike(a, b effect.Kind) bool { return a == b || storage(a) && storage(b) }

func storage(k effect.Kind) bool { return k == effect.DB || k == effect.File || k == effect.Fsync }

// blocks reports whether an effect may keep an event loop waiting for long, and
// moves to the audit tier what most loops may do.
func (c *checker) blocks(l *loop.Event, site *summary.Site, v *verdict, e summary.SiteEffect) bool {
	switch e.Kind {
	case effect.Sleep:
		if len(e.Frames) > 2 || c.punishes(site, e, 0) {
			v.tier = report.Audit // so far away, it is as a rule the pace of a rare retry
		}
	case effect.DB:
		if c.res.OnFile(e.Effect) {
			v.tier = report.Audit // it waits for the disk, and for nobody else
		}
	case effect.DNS, effect.Exec, effect.Fsync:
	case effect.Net:
		if c.ownStream(e) {
			v.tier = report.Audit // the loop has the connection for itself
		}
	case effect.ChanSend:
		return c.judgeSend(l, v, e)
	case effect.ChanRecv:
		return c.judgeReceive(l, site, v, e)
	case effect.GroupWait:
		if e.Bound.Kind == effect.ToldBound || ending(l, site.Instr, e) {
			v.tier = report.Audit // goroutines that have been told to end are waited for
		}
	case effect.Lock:
		return c.judgeLock(l, v, e)
	case effect.Select, effect.Acquire, effect.Submit, effect.Cond:
		v.tier = report.Audit
	default:
		return false
	}
	return true
}

// ownStream reports whether an effect reads from or writes to a connection that
// is one of its kind where the loop runs: not one of many.
func (c *checker) ownStream(e summary.SiteEffect) bool {
	if e.On == "" || c.one(e.On) {
		return false
	}
	api := e.API[strings.LastIndexByte(e.API, '.')+1:]
	for _, verb := range []string{"Read", "Write", "Flush", "Send", "Recv", "Encode", "Decode", "Scan"} {
		if strings.HasPrefix(api, verb) {
			return true
		}
	}
	return false
}

// element reports whether a path leads through an element of a map or slice.
func element(p effect.Path) bool { return strings.Contains(string(p), "[") }

// one reports whether what is at a path is one of many: an element of a
// collection, or the variable of a loop over one.
func (c *checker) one(p effect.Path) bool {
	if element(p) {
		return true
	}
	root := c.res.Root(p)
	if call, ok := root.(*ssa.Call); ok && len(call.Call.Args) == 1 {
		if f := call.Call.StaticCallee(); f != nil && strings.HasPrefix(f.Name(), "New") {
			return c.one(c.res.Path(call.Call.Args[0])) // an encoder, a buffer
		}
	}
	if p, ok := root.(*ssa.Parameter); ok {
		return strings.HasPrefix(p.Parent().Synthetic, "range-over-func") // the body of a loop over an iterator
	}
	e, ok := root.(*ssa.Extract)
	if !ok {
		return false
	}
	switch e.Tuple.(type) {
	case *ssa.Next, *ssa.Lookup:
		return true
	}
	return false
}

// judgeSend says whether a plain send may keep the loop waiting.
func (c *checker) judgeSend(l *loop.Event, v *verdict, e summary.SiteEffect) bool {
	if c.reply(l, e) || l.Takes(c.res, e.On, e.Field) || c.consumed().Awaits(e.Field, l) {
		return false
	}
	if asks(c.res.TypeOf(e.On)) {
		v.tier = report.Audit // a request: the answer is waited for, too, and meant to be
	}
	switch c.consumed().Of(e.Field) {
	case loop.Drained:
		return false
	case loop.OutOfSight:
		if !c.one(e.On) {
			v.tier = report.Audit // who reads it is not known
		}
	}
	return true
}

// asks reports whether what a channel carries has a channel for the answer.
func asks(t types.Type) bool {
	if t == nil {
		return false
	}
	ch, ok := types.Unalias(t).Underlying().(*types.Chan)
	if !ok {
		return false
	}
	elem := types.Unalias(ch.Elem())
	if p, ok := elem.Underlying().(*types.Pointer); ok {
		elem = types.Unalias(p.Elem())
	}
	st, ok := elem.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range st.Fields() {
		if _, ok := types.Unalias(f.Type()).Underlying().(*types.Chan); ok {
			return true
		}
	}
	return false
}

// reply reports whether a send answers the event that is handled: its sender
// waits for it, or has made room.
func (c *checker) reply(l *loop.Event, e summary.SiteEffect) bool {
	if l.Received(c.res.Root(e.On)) || e.Field != "" && c.res.Roomy(e.Field) || c.res.MadeWithRoom(e.On) {
		return true
	}
	if e.On != "" && c.res.Root(e.On) != nil {
		return false
	}
	for _, s := range l.Live {
		if owns(s.Chan, e.Field) {
			return true
		}
	}
	return false
}

// judgeReceive says whether a plain receive waits for another goroutine.
func (c *checker) judgeReceive(l *loop.Event, site *summary.Site, v *verdict, e summary.SiteEffect) bool {
	switch e.Bound.Kind {
	case effect.Unbounded, effect.ToldBound:
	case effect.CtxBound, effect.CancelBound:
		v.tier = report.Audit
	default:
		return false
	}
	if l.Puts(c.res, e.On, e.Field) {
		return false // a token is given back
	}
	if e.On == "" || l.Received(c.res.Root(e.On)) {
		v.tier = report.Audit // whoever sent the event is to say when to go on
	}
	for _, s := range l.Live {
		if s.Chan != nil && c.res.Path(s.Chan) == e.On {
			return false // more of the same source
		}
	}
	if canceled(site.Instr) && ending(l, site.Instr, e) {
		return false // it has ended by then
	}
	if l.Direct(site.Instr) && !c.one(e.On) && ending(l, site.Instr, e) {
		v.tier = report.Audit // one goroutine that has been told to end is waited for
	}
	return true
}

// ending reports whether a receive waits for the end of a goroutine that has been
// told to end just before.
func ending(l *loop.Event, instr ssa.Instruction, e summary.SiteEffect) bool {
	if len(e.Frames) > 1 {
		name := e.Frames[len(e.Frames)-2].Call
		return stops(name) || name == "func literal"
	}
	for x := range ir.Before(instr) {
		if !l.Has(x) {
			return false
		}
		call, ok := x.(*ssa.Call)
		if !ok {
			continue
		}
		if f, ok := call.Call.Value.(*ssa.Builtin); ok && f.Name() == "close" {
			return true
		}
		name := ""
		if f := call.Call.StaticCallee(); f != nil {
			name = f.Name()
		} else if call.Call.IsInvoke() {
			name = call.Call.Method.Name()
		}
		if contains(strings.ToLower(name), "stop", "close", "cancel", "shutdown", "kill") {
			return true
		}
		if named, ok := types.Unalias(call.Call.Value.Type()).(*types.Named); ok && named.Obj().Name() == "CancelFunc" {
			return true
		}
	}
	return false
}

// stops reports whether a function, by its name, ends something.
func stops(name string) bool {
	return contains(strings.ToLower(name), "stop", "close", "shutdown", "cancel", "kill", "halt", "terminate")
}

// canceled reports whether an instruction waits for the end of a context.
func canceled(instr ssa.Instruction) bool {
	x, ok := instr.(*ssa.UnOp)
	if !ok {
		return false
	}
	call, ok := x.X.(*ssa.Call)
	return ok && call.Call.IsInvoke() && call.Call.Method.Name() == "Done" && ir.IsContext(call.Call.Value.Type())
}

func contains(name string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(name, w) })
}

func (c *checker) consumed() *loop.Consumers {
	if c.consumers == nil {
		c.consumers = loop.NewConsumers(c.res)
	}
	return c.consumers
}
