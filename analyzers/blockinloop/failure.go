package blockinloop

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/loop"
)

// afterFailure reports whether the loop comes to a block only where an error says
// so: a pause before it tries again, and it looks at its stop before.
func afterFailure(l *loop.Event, b *ssa.BasicBlock) bool {
	for at := b; at.Idom() != nil; at = at.Idom() {
		head := at.Idom()
		branch, ok := head.Instrs[len(head.Instrs)-1].(*ssa.If)
		if !ok || !l.Has(branch) || len(at.Preds) != 1 {
			continue
		}
		if failed, ok := failing(branch); ok && failed == at {
			return true
		}
	}
	return false
}

// failing is the way that a branch takes after an error.
func failing(branch *ssa.If) (*ssa.BasicBlock, bool) {
	yes, no := branch.Block().Succs[0], branch.Block().Succs[1]
	if cmp, ok := branch.Cond.(*ssa.BinOp); ok {
		c, isConst := cmp.Y.(*ssa.Const)
		if !isConst || !c.IsNil() || !isError(cmp.X) {
			return nil, false
		}
		if cmp.Op == token.EQL {
			return no, true
		}
		return yes, true
	}
	return yes, ofError(branch.Cond)
}

// ofError reports whether a condition asks what an error is.
func ofError(cond ssa.Value) bool {
	switch x := cond.(type) {
	case *ssa.Extract:
		assert, ok := x.Tuple.(*ssa.TypeAssert)
		return ok && isError(assert.X)
	case *ssa.Call: // errors.Is, os.IsNotExist
		return len(x.Call.Args) > 0 && isError(x.Call.Args[0])
	}
	return false
}

func isError(v ssa.Value) bool {
	return types.Identical(v.Type(), types.Universe.Lookup("error").Type())
}
