package blockinloop

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/loop"
	"github.com/concvet/concvet/internal/summary"
)

// afterFailure reports whether the loop comes to a block only where an error says
// so: a pause before it tries again, and it looks at its stop before.
func afterFailure(l *loop.Event, b *ssa.BasicBlock) bool {
	return failed(b, l.Has)
}

// failed reports whether control comes to a block by one of the branches only
// that says that there is an error.
func failed(b *ssa.BasicBlock, counts func(ssa.Instruction) bool) bool {
	for at := b; at.Idom() != nil; at = at.Idom() {
		head := at.Idom()
		branch, ok := head.Instrs[len(head.Instrs)-1].(*ssa.If)
		if !ok || !counts(branch) || len(at.Preds) != 1 {
			continue
		}
		if where, ok := failing(branch); ok && where == at {
			return true
		}
	}
	return false
}

// punishes reports whether the function that is called at a site sleeps only
// after an error: it makes whoever is at fault wait.
func (c *checker) punishes(site *summary.Site, e summary.SiteEffect, depth int) bool {
	call, ok := site.Instr.(ssa.CallInstruction)
	if !ok || e.Kind != effect.Sleep || depth > maxWaitFrames {
		return false
	}
	callee := call.Common().StaticCallee()
	if callee == nil {
		return false
	}
	found := false
	for _, inner := range c.res.Sites(callee) {
		for _, s := range inner.Effects {
			if s.Kind != effect.Sleep {
				continue
			}
			always := func(ssa.Instruction) bool { return true }
			if !failed(inner.Instr.Block(), always) && !c.punishes(inner, s, depth+1) {
				return false
			}
			found = true
		}
	}
	return found
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
