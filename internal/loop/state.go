package loop

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/summary"
)

// Changes lists in which ways the handling of a source changes state that the
// loop owns: collections and fields which it changes without a lock, so that no
// other goroutine can do the same work. What only counts is left out, and so is
// what the sources in common do in the same way.
func (l *Event) Changes(res *summary.Result, s *Source) []string {
	var out []string
	for _, b := range l.Fn.Blocks {
		if !s.Handles(b) || l.common(s, b) {
			continue
		}
		for _, instr := range b.Instrs {
			switch x := instr.(type) {
			case *ssa.MapUpdate:
				if !l.received[x.Map] {
					out = append(out, "set "+string(res.Path(x.Map)))
				}
			case *ssa.Store:
				if addr, ok := x.Addr.(*ssa.FieldAddr); ok && !l.received[addr.X] && !counts(x) && !fresh(addr.X) {
					out = append(out, "store "+string(res.Path(addr)))
				}
			case *ssa.Call:
				if lit, ok := x.Call.Value.(*ssa.Builtin); ok {
					if name := lit.Name(); (name == "delete" || name == "clear") && !l.received[x.Call.Args[0]] {
						out = append(out, name+" "+string(res.Path(x.Call.Args[0])))
					}
					continue
				}
				f := x.Call.StaticCallee()
				if f == nil {
					continue
				}
				if locks(f) {
					return nil
				}
				if fn, ok := f.Object().(*types.Func); ok && res.ChangesState(fn, false) {
					out = append(out, "call "+f.String())
				}
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// common reports whether another source of the loop comes to a block, too.
func (l *Event) common(s *Source, b *ssa.BasicBlock) bool {
	for _, o := range l.Live {
		if o != s && o.Chan != s.Chan && o.Handles(b) {
			return true
		}
		if o != s && o.Kind && s.Kind && o.Handles(b) {
			return true
		}
	}
	return false
}

// counts reports whether a store adds to what was there.
func counts(x *ssa.Store) bool {
	op, ok := x.Val.(*ssa.BinOp)
	return ok && (op.Op == token.ADD || op.Op == token.SUB)
}

// fresh reports whether a struct is made in this function.
func fresh(v ssa.Value) bool {
	_, ok := v.(*ssa.Alloc)
	return ok
}

// locks reports whether a function is one that takes a lock.
func locks(f *ssa.Function) bool {
	return f.Signature.Recv() != nil && (f.Name() == "Lock" || f.Name() == "RLock")
}
