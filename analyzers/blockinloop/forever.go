package blockinloop

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/ir"
	"github.com/concvet/concvet/internal/loop"
	"github.com/concvet/concvet/internal/summary"
)

// forever reports whether a sleep is one of a helper that tries again until it
// succeeds, and has no way to see that it should end: the loop that calls it ends
// when the other side is back, whatever it was told.
func (c *checker) forever(site *summary.Site, e summary.SiteEffect) bool {
	call, ok := site.Instr.(*ssa.Call)
	if !ok || len(e.Frames) != 2 {
		return false
	}
	helper := call.Call.StaticCallee()
	if helper == nil || len(helper.Blocks) == 0 || helper.Pkg != site.Instr.Parent().Pkg || looksAtStop(helper) {
		return false
	}
	loops := loop.Of(helper, c.res)
	for _, s := range c.res.Sites(helper) {
		for _, own := range s.Effects {
			if own.Kind != effect.Sleep || len(own.Frames) != 1 || own.Frames[0] != e.Frames[1] {
				continue
			}
			l := loops.Around(s.Instr.Block())
			if l == nil {
				return false
			}
			for _, f := range l.Feeds {
				if f.Kind != loop.Unknown {
					return false // a number of attempts, or a list
				}
			}
			return true
		}
	}
	return false
}

// looksAtStop reports whether a function receives from anything, or has a context
// or a flag: one of them may tell it to end.
func looksAtStop(fn *ssa.Function) bool {
	for _, p := range fn.Params {
		if ir.IsContext(p.Type()) {
			return true
		}
	}
	return slices.ContainsFunc(fn.Blocks, looks)
}

// looksAt reports whether an instruction receives, or branches where somebody
// else may have decided.
func looksAt(instr ssa.Instruction) bool {
	switch x := instr.(type) {
	case *ssa.Select:
		return true
	case *ssa.UnOp:
		return x.Op == token.ARROW
	case *ssa.If:
		return decides(x.Cond)
	}
	return false
}

// decides reports whether a condition is a flag that somebody else may set, or
// what a method says: the stop may be behind it.
func decides(cond ssa.Value) bool {
	switch x := cond.(type) {
	case *ssa.UnOp:
		return true // a flag, or the negation of something
	case *ssa.Call:
		return true
	case *ssa.BinOp:
		_, isConst := x.Y.(*ssa.Const)
		return !isConst // err != nil is none
	case *ssa.Parameter, *ssa.Extract:
		return true
	}
	return false
}
