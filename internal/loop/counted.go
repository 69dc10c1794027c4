package loop

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// Counted reports whether a loop counts up to the length of a list, or to a
// constant: it comes to its end by itself.
func (l *Event) Counted() bool {
	head := l.loop.Head
	branch, ok := head.Instrs[len(head.Instrs)-1].(*ssa.If)
	if !ok {
		return false
	}
	cmp, ok := branch.Cond.(*ssa.BinOp)
	if !ok || cmp.Op != token.LSS {
		return false
	}
	switch limit := cmp.Y.(type) {
	case *ssa.Const:
		return true
	case *ssa.Call:
		b, ok := limit.Call.Value.(*ssa.Builtin)
		return ok && b.Name() == "len"
	}
	return false
}
