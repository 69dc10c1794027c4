package summary

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
)

// branches calls visit for the conditions that decide whether control comes to
// at, nearest first, with the way they went, until one returns true.
func branches(at ssa.Instruction, visit func(cond ssa.Value, taken bool) bool) bool {
	for b := at.Block(); b != nil; b = b.Idom() {
		if len(b.Preds) != 1 {
			continue
		}
		p := b.Preds[0]
		if branch, ok := p.Instrs[len(p.Instrs)-1].(*ssa.If); ok && visit(branch.Cond, p.Succs[0] == b) {
			return true
		}
	}
	return false
}

// finds reports whether a send stands where len has just said that its channel
// is empty, or not full.
func (f *function) finds(at ssa.Instruction, path effect.Path) bool {
	return path != "" && branches(at, func(cond ssa.Value, taken bool) bool {
		op, ok := cond.(*ssa.BinOp)
		if !ok || !taken || op.Op != token.EQL && op.Op != token.LSS {
			return false
		}
		call, ok := op.X.(*ssa.Call)
		if !ok || len(call.Call.Args) != 1 {
			return false
		}
		b, ok := call.Call.Value.(*ssa.Builtin)
		return ok && b.Name() == "len" && f.in.paths.Of(call.Call.Args[0]) == path
	})
}

// nowAndThen reports whether an instruction in a loop runs in some rounds
// only, as the rest of a division says.
func nowAndThen(at ssa.Instruction) bool {
	return branches(at, func(cond ssa.Value, taken bool) bool {
		op, ok := cond.(*ssa.BinOp)
		if !ok || !taken || op.Op != token.EQL {
			return false
		}
		rest, ok := op.X.(*ssa.BinOp)
		return ok && rest.Op == token.REM
	})
}
