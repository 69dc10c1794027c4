package ir

import (
	"iter"

	"golang.org/x/tools/go/ssa"
)

// Before lists the instructions that have certainly run when control comes to
// at, those of the nearest block first.
func Before(at ssa.Instruction) iter.Seq[ssa.Instruction] {
	return func(yield func(ssa.Instruction) bool) {
		for b := at.Block(); b != nil; b = b.Idom() {
			for _, instr := range b.Instrs {
				if instr == at {
					break
				}
				if !yield(instr) {
					return
				}
			}
		}
	}
}

// Outermost is the declared function that fn, or the literal fn, stands in.
func Outermost(fn *ssa.Function) *ssa.Function {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	return fn
}
