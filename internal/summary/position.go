package summary

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// position is where instr stands. The call that a loop over an iterator makes
// has no position of its own, so it gets that of what stands beside it.
func position(instr ssa.Instruction) token.Pos {
	if pos := instr.Pos(); pos.IsValid() {
		return pos
	}
	if call, ok := instr.(ssa.CallInstruction); ok {
		if pos := call.Common().Pos(); pos.IsValid() {
			return pos
		}
		for _, a := range call.Common().Args {
			if mc, ok := a.(*ssa.MakeClosure); ok {
				a = mc.Fn
			}
			if body, ok := a.(*ssa.Function); ok && body.Pos().IsValid() {
				return body.Pos() // the body of the loop
			}
		}
	}
	instrs := instr.Block().Instrs
	at := slices.Index(instrs, instr)
	for i := at - 1; i >= 0; i-- {
		if pos := instrs[i].Pos(); pos.IsValid() {
			return pos
		}
	}
	for _, next := range instrs[at+1:] {
		if pos := next.Pos(); pos.IsValid() {
			return pos
		}
	}
	return instr.Parent().Pos()
}
