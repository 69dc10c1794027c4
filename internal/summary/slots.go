package summary

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/ir"
	"github.com/concvet/concvet/internal/region"
)

// slotUse says how a channel in a struct field serves as a semaphore.
type slotUse uint8

const (
	noSlot       slotUse = iota
	sendTakes            // a send takes a slot, a receive gives it back
	receiveTakes         // the constructor fills the channel: a receive takes
)

// findSlots looks for channels without content that are made with room for
// several, and sent to and received from by plain operations: semaphores. One
// with room for one only may as well be a signal.
func (in *inference) findSlots() {
	type use struct {
		sends, receives, roomy, filled bool
		others                         bool
	}
	uses := make(map[string]*use)
	at := func(ch ssa.Value) *use {
		t := ch.Type()
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem() // the address of the field
		}
		if !isToken(t) {
			return nil
		}
		key := in.fieldKey(in.paths.Of(ch))
		if key == "" {
			return nil
		}
		u := uses[key]
		if u == nil {
			u = &use{}
			uses[key] = u
		}
		return u
	}
	lists := &freeLists{in: in}
	for _, fn := range in.funcs {
		lists.enter(fn)
		var cycles map[*ssa.BasicBlock]bool
		made := make(map[*use]bool)
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				switch x := instr.(type) {
				case *ssa.Store:
					mc, ok := x.Val.(*ssa.MakeChan)
					if !ok {
						continue
					}
					if !in.dependency {
						lists.store(x)
					}
					if u := at(x.Addr); u != nil {
						made[u] = true
						if c, isConst := mc.Size.(*ssa.Const); !isConst || c.Int64() > 1 {
							u.roomy = true
						}
					}
				case *ssa.Send:
					if !in.dependency {
						lists.send(x)
					}
					if u := at(x.Chan); u != nil {
						u.sends = true
						if cycles == nil {
							cycles, _ = ir.Cycles(fn)
						}
						u.filled = u.filled || made[u] && cycles[b]
					}
				case *ssa.Select:
					for _, st := range x.States {
						if u := at(st.Chan); u != nil && x.Blocking && st.Dir == types.SendOnly {
							u.sends = true // until there is a slot, or somebody gives up
						}
					}
				case *ssa.UnOp:
					if x.Op == token.ARROW {
						if u := at(x.X); u != nil {
							u.receives = true
							u.others = u.others || x.CommaOk
						}
					}
				}
			}
		}
	}
	in.findReplies()
	in.slots = make(map[string]slotUse)
	for key, u := range uses {
		switch {
		case !u.roomy || !u.sends || !u.receives || u.others:
		case u.filled:
			in.slots[key] = receiveTakes
		default:
			in.slots[key] = sendTakes
		}
	}
	for _, key := range lists.find(in.funcs) {
		in.slots[key] = receiveTakes
	}
}

// findReplies looks for channels in struct fields that are always made with room
// for one value: the answer, for which each request brings a channel along.
func (in *inference) findReplies() {
	unbuffered := make(map[string]bool)
	in.roomy = make(map[string]bool)
	for _, fn := range in.funcs {
		if isTestFile(in.pass.Fset, fn.Pos()) {
			continue
		}
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				if mc, ok := instr.(*ssa.MakeChan); ok {
					in.makes = append(in.makes, mc)
				}
				key, val := in.kept(instr)
				if c, isConst := val.(*ssa.Const); key == "" || isConst && c.IsNil() {
					continue
				}
				mc, ok := in.paths.Root(in.paths.Of(val)).(*ssa.MakeChan)
				if ok && constCapacity(mc) == 1 {
					in.roomy[key] = true
				} else {
					unbuffered[key] = true
				}
			}
		}
	}
	for key := range unbuffered {
		delete(in.roomy, key)
	}
}

// kept says in which field, or in which map or slice in a field, an instruction
// keeps a channel: "(T).f", "(T).f[]".
func (in *inference) kept(instr ssa.Instruction) (key string, ch ssa.Value) {
	switch s := instr.(type) {
	case *ssa.Store:
		if _, isField := s.Addr.(*ssa.FieldAddr); isField && isChan(s.Val.Type()) {
			return in.fieldKey(in.paths.Of(s.Addr)), s.Val
		}
		if elem, isElem := s.Addr.(*ssa.IndexAddr); isElem && isChan(s.Val.Type()) {
			if list := appendedTo(elem); list != nil {
				if key := in.fieldKey(in.paths.Of(list)); key != "" {
					return key + "[]", s.Val
				}
			}
		}
	case *ssa.MapUpdate:
		if isChan(s.Value.Type()) {
			if key := in.fieldKey(in.paths.Of(s.Map)); key != "" {
				return key + "[]", s.Value
			}
		}
	}
	return "", nil
}

// appendedTo is the slice to which the one element is appended whose address is
// given, nil if that is not what it is for.
func appendedTo(elem *ssa.IndexAddr) ssa.Value {
	list, ok := elem.X.(*ssa.Alloc)
	if !ok || list.Referrers() == nil {
		return nil
	}
	for _, r := range *list.Referrers() {
		s, ok := r.(*ssa.Slice)
		if !ok || s.Referrers() == nil {
			continue
		}
		for _, u := range *s.Referrers() {
			if call, ok := u.(*ssa.Call); ok && len(call.Call.Args) == 2 && call.Call.Args[1] == ssa.Value(s) {
				if b, ok := call.Call.Value.(*ssa.Builtin); ok && b.Name() == "append" {
					return call.Call.Args[0]
				}
			}
		}
	}
	return nil
}

// constCapacity is the capacity of a channel that is made with a constant, 0 for
// any other.
func constCapacity(mc *ssa.MakeChan) int64 {
	if c, ok := mc.Size.(*ssa.Const); ok && c.Value != nil {
		return c.Int64()
	}
	return 0
}

// madeWithRoom reports whether the package makes channels with elements of type
// elem, and all of them with room for one: for an answer, that is. One with room
// for more is a stream, and full when its reader is slow.
func (in *inference) madeWithRoom(elem types.Type) bool {
	found := false
	for _, mc := range in.makes {
		ch, ok := types.Unalias(mc.Type()).Underlying().(*types.Chan)
		if !ok || !types.Identical(ch.Elem(), elem) {
			continue
		}
		if constCapacity(mc) != 1 {
			return false
		}
		found = true
	}
	return found
}

// slotAtExit says that a slot which is held at an exit is held by the caller, if
// it is held at all exits, or at all that do not tell of a failure.
func (f *function) slotAtExit(sum *effect.Summary, before, exits []region.Exit, t *region.Thing) {
	path := f.in.paths.Export(t.Path, f.fn)
	if path == "" || slices.ContainsFunc(before, func(x region.Exit) bool { return holds(x.Held, t) }) {
		return // said at the exit before
	}
	result, failed := -1, 0
	ok := false
	for _, x := range exits {
		if holds(x.Held, t) {
			continue
		}
		failed++
		i := len(x.Return.Results) - 1
		if i < 0 {
			return
		}
		switch v := x.Return.Results[i].(type) {
		case *ssa.Const:
			if v.Value == nil || v.Value.Kind() != constant.Bool || constant.BoolVal(v.Value) {
				return // no failure: it is not held, or not always
			}
			ok = true
		default:
			if !isError(v.Type()) {
				return
			}
		}
		result = i
	}
	if failed == 0 {
		result = -1
	}
	for _, x := range exits {
		if result < 0 || !holds(x.Held, t) {
			continue
		}
		c, isConst := x.Return.Results[result].(*ssa.Const)
		if !isConst || ok != (c.Value != nil) {
			return // held, and the caller is told that it failed
		}
	}
	sum.Acquires = append(sum.Acquires, effect.Acquired{Class: t.Class, Result: -1, Pool: path, Err: result, OK: ok})
}

// isShared reports whether a value of type t has slots or tasks: a semaphore, a
// group, a pool of goroutines, a channel.
func isShared(t types.Type) bool {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	if _, ok := t.Underlying().(*types.Chan); ok {
		return true
	}
	named, ok := t.(*types.Named)
	return ok && table().IsShared(named.Obj())
}

// tokensOf lists the channels that a function and the literals in it, or around
// it, use as a semaphore: plain operations send values without content to them
// and receive them.
func (in *inference) tokensOf(fn *ssa.Function) map[effect.Path]bool {
	fn = ir.Outermost(fn)
	if t, ok := in.tokens[fn]; ok {
		return t
	}
	sent, received := make(map[effect.Path]bool), make(map[effect.Path]bool)
	in.tokenUses(fn, sent, received)
	tokens := make(map[effect.Path]bool)
	for p := range sent {
		if p != "" && received[p] {
			tokens[p] = true
		}
	}
	in.tokens[fn] = tokens
	return tokens
}

func (in *inference) tokenUses(fn *ssa.Function, sent, received map[effect.Path]bool) {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			switch x := instr.(type) {
			case *ssa.Send:
				if isToken(x.Chan.Type()) {
					sent[in.paths.Of(x.Chan)] = true
				}
			case *ssa.UnOp:
				if x.Op == token.ARROW && isToken(x.X.Type()) {
					received[in.paths.Of(x.X)] = true
				}
			case *ssa.Select:
				for _, st := range x.States {
					if st.Dir == types.SendOnly && isToken(st.Chan.Type()) {
						sent[in.paths.Of(st.Chan)] = true
					}
				}
			}
		}
	}
	for _, lit := range fn.AnonFuncs {
		in.tokenUses(lit, sent, received)
	}
}

// ownSlot reports whether a slot of the semaphore at path is among what a
// function holds by its own doing.
func ownSlot(held []*region.Thing, path effect.Path) bool {
	return slices.ContainsFunc(held, func(t *region.Thing) bool {
		return t.Class == effect.Slot && !t.Outer && t.Path == path
	})
}
