package loop

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// Counted reports whether a loop counts up to the length of a list, or to a
// constant: it comes to its end by itself.
func (l *Event) Counted() bool {
	for b := range l.loop.blocks {
		branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok || l.loop.blocks[b.Succs[0]] && l.loop.blocks[b.Succs[1]] {
			continue
		}
		if cmp, ok := branch.Cond.(*ssa.BinOp); ok && cmp.Op == token.LSS && countsUp(cmp.X) && isSize(cmp.Y) {
			return true
		}
	}
	return false
}

// countsUp reports whether a value is a number that each round adds to.
func countsUp(v ssa.Value) bool {
	if sum, ok := v.(*ssa.BinOp); ok && sum.Op == token.ADD {
		v = sum.X
	}
	phi, ok := v.(*ssa.Phi)
	if !ok {
		return false
	}
	for _, e := range phi.Edges {
		if sum, ok := e.(*ssa.BinOp); ok && sum.Op == token.ADD && sum.X == ssa.Value(phi) {
			_, ok := sum.Y.(*ssa.Const)
			return ok
		}
	}
	return false
}

// isSize reports whether a value is a constant, or the length of something.
func isSize(v ssa.Value) bool {
	switch x := v.(type) {
	case *ssa.Const:
		return true
	case *ssa.Call:
		b, ok := x.Call.Value.(*ssa.Builtin)
		return ok && b.Name() == "len"
	}
	return false
}
