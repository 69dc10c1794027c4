package loop

import (
	"go/token"
	"time"

	"golang.org/x/tools/go/ssa"
)

// Rarely reports whether a block is part of the handling of timers that fire no
// more often than once in so long, and of nothing else.
func (l *Event) Rarely(b *ssa.BasicBlock, every time.Duration) bool {
	return l.only(b, func(s *Source) bool { return s.Timer && s.Chan != nil && period(s.Chan) >= every })
}

// period is the constant time after which a timer fires, 0 if that is not known.
func period(ch ssa.Value) time.Duration {
	switch x := ch.(type) {
	case *ssa.Call:
		return constTime(x, "After", "Tick")
	case *ssa.UnOp: // its field C
		addr, ok := x.X.(*ssa.FieldAddr)
		if !ok || x.Op != token.MUL {
			return 0
		}
		call, ok := only(addr.X).(*ssa.Call)
		if !ok || resets(call) {
			return 0
		}
		return constTime(call, "NewTicker", "NewTimer")
	}
	return 0
}

// constTime is the constant that one of some functions of package time is called
// with.
func constTime(call *ssa.Call, names ...string) time.Duration {
	f := call.Call.StaticCallee()
	if f == nil || f.Pkg == nil || f.Pkg.Pkg.Path() != "time" || len(call.Call.Args) != 1 {
		return 0
	}
	d, ok := call.Call.Args[0].(*ssa.Const)
	if !ok || d.Value == nil {
		return 0
	}
	for _, name := range names {
		if f.Name() == name {
			return time.Duration(d.Int64())
		}
	}
	return 0
}

// only is the one value that a variable is ever set to, if a literal captures it.
func only(v ssa.Value) ssa.Value {
	load, ok := v.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return v
	}
	cell, ok := load.X.(*ssa.Alloc)
	if !ok {
		return v
	}
	var set ssa.Value
	for _, r := range *cell.Referrers() {
		if s, ok := r.(*ssa.Store); ok && s.Addr == ssa.Value(cell) {
			if set != nil {
				return v
			}
			set = s.Val
		}
	}
	return set
}

// resets reports whether a timer is set to another time.
func resets(timer *ssa.Call) bool {
	for _, r := range *timer.Referrers() {
		call, ok := r.(ssa.CallInstruction)
		if !ok {
			continue
		}
		if f := call.Common().StaticCallee(); f == nil || f.Name() == "Reset" {
			return true
		}
	}
	return false
}
