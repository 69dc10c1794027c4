package loop

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/summary"
)

// Paces reports whether the handling of a source does nothing but set a timer of
// the loop, and say so, or note in a variable that something is done: like a tick,
// it may be late.
func (l *Event) Paces(s *Source) bool {
	if s.body == nil || len(s.body.Preds) != 1 {
		return false
	}
	sets, calls := false, false
	for _, b := range l.Fn.Blocks {
		if !s.Handles(b) || !s.body.Dominates(b) {
			continue
		}
		for _, instr := range b.Instrs {
			switch x := instr.(type) {
			case *ssa.MapUpdate, *ssa.Send, *ssa.Select, *ssa.Go, *ssa.Defer:
				return false
			case *ssa.Store:
				if _, field := x.Addr.(*ssa.FieldAddr); field && !setTimer(x.Val) {
					return false
				}
			case *ssa.Call:
				calls = true
				switch f := x.Call.StaticCallee(); {
				case f != nil && f.Pkg != nil && f.Pkg.Pkg.Path() == "time":
					sets = sets || f.Name() == "Reset" || strings.HasPrefix(f.Name(), "New") || f.Name() == "After"
				case !says(x) && !onlyFor(x):
					return false
				}
			}
		}
	}
	return sets || !calls && empty(s.Chan.Type())
}

func setTimer(v ssa.Value) bool {
	name := v.Type().String()
	return name == "*time.Timer" || name == "*time.Ticker" || name == "<-chan time.Time"
}

// says reports whether a call writes to a log, by its name.
func says(x *ssa.Call) bool {
	name := ""
	if f := x.Call.StaticCallee(); f != nil {
		name = f.Name()
	} else if x.Call.IsInvoke() {
		name = x.Call.Method.Name()
	}
	for _, word := range []string{"Debug", "Info", "Warn", "Error", "Log", "Print", "Trace"} {
		if strings.HasPrefix(name, word) {
			return true
		}
	}
	return false
}

// onlyFor reports whether the result of a call is of use to functions of package
// time only: it says how long.
func onlyFor(x *ssa.Call) bool {
	if x.Referrers() == nil || len(*x.Referrers()) == 0 {
		return false
	}
	for _, r := range *x.Referrers() {
		call, ok := r.(*ssa.Call)
		if !ok {
			return false
		}
		f := call.Call.StaticCallee()
		if f == nil || f.Pkg == nil || f.Pkg.Pkg.Path() != "time" {
			return false
		}
	}
	return true
}

// Waits reports whether an instruction receives from one of the sources: the loop
// waits there for what it waits for anyway.
func (l *Event) Waits(res *summary.Result, instr ssa.Instruction) bool {
	x, ok := instr.(*ssa.UnOp)
	if !ok || !isChan(x.X.Type()) {
		return false
	}
	path := res.Path(x.X)
	for _, s := range l.Live {
		if s.Chan == x.X || s.Chan != nil && path != "" && res.Path(s.Chan) == path {
			return true
		}
	}
	return false
}

// OnTick reports whether a block is part of the handling of ticks and of nothing
// else.
func (l *Event) OnTick(b *ssa.BasicBlock) bool {
	return l.only(b, func(s *Source) bool { return s.Timer })
}

// OnSignal reports whether a block is part of the handling of signals of the
// operating system and of nothing else.
func (l *Event) OnSignal(b *ssa.BasicBlock) bool {
	return l.only(b, func(s *Source) bool { return s.Signal })
}

// OnFailure reports whether a block is part of the handling of errors that are
// received, and of nothing else.
func (l *Event) OnFailure(b *ssa.BasicBlock) bool {
	return l.only(b, func(s *Source) bool {
		if s.Chan == nil {
			return false
		}
		ch, ok := types.Unalias(s.Chan.Type()).Underlying().(*types.Chan)
		return ok && types.Identical(ch.Elem(), types.Universe.Lookup("error").Type())
	})
}

// EachRound reports whether the loop comes to a block in each round after which
// it goes on.
func (l *Event) EachRound(b *ssa.BasicBlock) bool {
	for _, tail := range l.loop.Head.Preds {
		if l.loop.blocks[tail] && !b.Dominates(tail) {
			return false
		}
	}
	return true
}

// only reports whether a block is part of the handling of such sources, and of
// no other.
func (l *Event) only(b *ssa.BasicBlock, such func(*Source) bool) bool {
	found := false
	for _, s := range l.Live {
		if s.Handles(b) {
			if !such(s) {
				return false
			}
			found = true
		}
	}
	return found
}
