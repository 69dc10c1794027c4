package ir

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// SelectCase returns the comparison that is true where case i was chosen.
func SelectCase(x *ssa.Select, i int) ssa.Value {
	if x.Referrers() == nil {
		return nil
	}
	for _, r := range *x.Referrers() {
		index, ok := r.(*ssa.Extract)
		if !ok || index.Index != 0 || index.Referrers() == nil {
			continue
		}
		for _, rr := range *index.Referrers() {
			cmp, ok := rr.(*ssa.BinOp)
			if !ok || cmp.Op != token.EQL {
				continue
			}
			if c, ok := cmp.Y.(*ssa.Const); ok && c.Value != nil && c.Int64() == int64(i) {
				return cmp
			}
		}
	}
	return nil
}

// InCase reports whether block runs only after case i of a select was chosen.
func InCase(block *ssa.BasicBlock, x *ssa.Select, i int) bool {
	chosen := SelectCase(x, i)
	if chosen == nil || chosen.Referrers() == nil {
		return false
	}
	for _, r := range *chosen.Referrers() {
		cond, ok := r.(*ssa.If)
		if !ok {
			continue
		}
		// The body of the case is entered from here only, unless it is empty.
		if body := cond.Block().Succs[0]; len(body.Preds) == 1 && body.Dominates(block) {
			return true
		}
	}
	return false
}
