package unboundedqueue

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/ir"
	"github.com/concvet/concvet/internal/loop"
	"github.com/concvet/concvet/internal/summary"
)

// paced reports whether a handler itself queries, calls out or writes a file,
// before it starts a goroutine: who asks waits for that, and a slow database slows
// all of them down.
func (c *checker) paced(site *summary.Site) bool {
	fn := site.Instr.Parent()
	for _, s := range c.res.Sites(fn) {
		switch s.Instr.(type) {
		case *ssa.Go, *ssa.Defer:
			continue
		}
		if s != site && !before(s.Instr, site.Instr) { // a helper that starts it does the rest, too
			continue
		}
		for _, e := range s.Effects {
			switch e.Kind {
			case effect.DB, effect.Exec, effect.File, effect.Fsync:
				return true
			case effect.Net:
				if !c.reads(s.Instr) {
					return true
				}
			}
		}
	}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(*ssa.Call)
			if ok && (call.Call.IsInvoke() && givesContext(call) || c.handsBody(call)) && before(call, site.Instr) {
				return true // nobody knows whom it asks, but it waits
			}
		}
	}
	return false
}

// pacedRound reports whether a round of the loop around a site does as much itself,
// before it comes there or afterwards.
func (c *checker) pacedRound(site *summary.Site) bool {
	fn := site.Instr.Parent()
	around := c.loopsOf(fn).Around(site.Instr.Block())
	if around == nil {
		return false
	}
	for _, s := range c.res.Sites(fn) {
		if s == site || !around.Contains(s.Instr.Block()) || !s.Instr.Block().Dominates(site.Instr.Block()) && !site.Instr.Block().Dominates(s.Instr.Block()) {
			continue
		}
		switch s.Instr.(type) {
		case *ssa.Go, *ssa.Defer:
			continue
		}
		if slices.ContainsFunc(s.Effects, func(e summary.SiteEffect) bool { return effect.WorkOf(e.Kind)&heavy != 0 }) {
			return true
		}
	}
	return false
}

// handsBody reports whether a call hands what the request brings to a function of
// another package of the module, which may fail: it is kept there, unless the name
// says that it is only looked at.
func (c *checker) handsBody(call *ssa.Call) bool {
	fn := call.Call.StaticCallee()
	if fn == nil || fn.Object() == nil || fn.Object().Pkg() == c.pass.Pkg || !c.res.OwnModule(fn.Object().Pkg()) {
		return false
	}
	results := fn.Signature.Results()
	if results.Len() == 0 || !types.Identical(results.At(results.Len()-1).Type(), types.Universe.Lookup("error").Type()) {
		return false
	}
	if contains(fn.Name(), []string{"valid", "check", "parse", "decode", "verify", "auth", "marshal", "read"}) {
		return false
	}
	return c.derives(call, c.res.Body)
}

func givesContext(call *ssa.Call) bool {
	return slices.ContainsFunc(call.Call.Args, func(a ssa.Value) bool { return ir.IsContext(a.Type()) })
}

// reads reports whether a call reads the request itself.
func (c *checker) reads(instr ssa.Instruction) bool {
	call, ok := instr.(ssa.CallInstruction)
	if !ok {
		return false
	}
	if v, isValue := instr.(ssa.Value); isValue && c.res.Body(v) {
		return true
	}
	return c.derives(call, c.res.Body)
}

// before reports whether control may come to b after a.
func before(a, b ssa.Instruction) bool {
	if a.Block() == b.Block() {
		return slices.Index(a.Block().Instrs, a) < slices.Index(b.Block().Instrs, b)
	}
	seen := make(map[*ssa.BasicBlock]bool)
	var visit func(*ssa.BasicBlock) bool
	visit = func(x *ssa.BasicBlock) bool {
		if x == b.Block() {
			return true
		}
		if seen[x] {
			return false
		}
		seen[x] = true
		return slices.ContainsFunc(x.Succs, visit)
	}
	return slices.ContainsFunc(a.Block().Succs, visit)
}

// batch reports whether what is received is a list that goes to one goroutine as
// a whole: somebody has gathered it.
func (c *checker) batch(site *summary.Site, l load) bool {
	if l.feed.Kind != loop.Chan || l.feed.Value == nil {
		return false
	}
	list, ok := types.Unalias(received(l)).Underlying().(*types.Slice)
	if !ok {
		return false
	}
	if b, ok := types.Unalias(list.Elem()).Underlying().(*types.Basic); ok && b.Kind() == types.Byte {
		return false
	}
	around := c.loopsOf(site.Instr.Parent()).Around(site.Instr.Block())
	return around != nil && slices.ContainsFunc(around.Feeds, func(f loop.Feed) bool { return f.At == l.feed.At })
}

// acknowledged reports whether what is received is a message of which its sender
// is told that it has been handled, or has not: by a method, a function or a
// channel that it brings along. The sender waits, or sends the next few then.
func acknowledged(l load) bool {
	if l.feed.Kind != loop.Chan || l.feed.Value == nil {
		return false
	}
	if answered(received(l)) {
		return true
	}
	return settled(received(l))
}

// settled reports whether a message of type t is acknowledged, or given back, by
// a method without parameters.
func settled(t types.Type) bool {
	for _, names := range [][]string{{"Ack"}, {"Nack", "Nak"}} {
		if !slices.ContainsFunc(names, func(name string) bool {
			obj, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
			fn, ok := obj.(*types.Func)
			return ok && fn.Signature().Params().Len() == 0
		}) {
			return false
		}
	}
	return true
}

// answered reports whether a request brings a channel along for its answer, or a
// function.
func answered(t types.Type) bool {
	if p, ok := types.Unalias(t).Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	st, ok := types.Unalias(t).Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range st.Fields() {
		switch types.Unalias(f.Type()).Underlying().(type) {
		case *types.Chan:
			return true
		case *types.Signature:
			if contains(f.Name(), []string{"ack", "reply", "respon", "callback", "done"}) {
				return true
			}
		}
	}
	return false
}

// received is the type of what is received.
func received(l load) types.Type {
	if ch, ok := types.Unalias(l.feed.Value.Type()).Underlying().(*types.Chan); ok {
		return ch.Elem()
	}
	return l.feed.Value.Type()
}
