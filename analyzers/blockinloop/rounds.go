package blockinloop

import (
	"go/constant"
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// growing reports whether a sleep begins with a short time and takes longer each
// time: it waits for something that is about to come.
func growing(instr ssa.Instruction) bool {
	call, ok := instr.(*ssa.Call)
	if !ok || len(call.Call.Args) != 1 {
		return false
	}
	phi, ok := call.Call.Args[0].(*ssa.Phi)
	if !ok {
		return false
	}
	found := false
	for _, e := range phi.Edges {
		if c, ok := e.(*ssa.Const); ok && c.Value != nil {
			if c.Int64() >= int64(minStop) {
				return false
			}
			found = true
		}
	}
	return found
}

// first reports whether a block is entered in the first round only: a counter is
// still zero there.
func first(b *ssa.BasicBlock) bool {
	for range 4 {
		if len(b.Preds) != 1 {
			return false
		}
		pred := b.Preds[0]
		if branch, ok := pred.Instrs[len(pred.Instrs)-1].(*ssa.If); ok && pred.Succs[0] == b {
			if cmp, ok := branch.Cond.(*ssa.BinOp); ok && cmp.Op == token.EQL {
				c, isConst := cmp.Y.(*ssa.Const)
				_, isPhi := cmp.X.(*ssa.Phi)
				if isPhi && isConst && c.Value != nil && c.Value.Kind() == constant.Int && c.Int64() == 0 {
					return true
				}
			}
		}
		b = pred
	}
	return false
}
