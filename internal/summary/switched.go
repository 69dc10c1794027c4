package summary

import (
	"go/constant"
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/ir"
)

// SwitchedOff reports whether a call gives its callee constants with which the
// callee never comes to the operation of an effect: DeleteNode(node, true) does
// nothing that stands under "if !purge". Only a callee of this package can be
// looked into.
func (r *Result) SwitchedOff(site *Site, e effect.Effect) bool {
	call, ok := site.Instr.(ssa.CallInstruction)
	if !ok || len(e.Frames) < 2 {
		return false
	}
	c := ir.CalleeOf(call.Common(), r.in.paths)
	if c.Body == nil || len(c.Args) != len(c.Body.Params) {
		return false
	}
	given := make(map[ssa.Value]bool)
	for i, a := range c.Args {
		if k, ok := a.(*ssa.Const); ok && k.Value != nil && k.Value.Kind() == constant.Bool {
			given[c.Body.Params[i]] = constant.BoolVal(k.Value)
		}
	}
	if len(given) == 0 {
		return false
	}
	reached := reachedWith(c.Body, given)
	last := e.Frames[len(e.Frames)-1]
	found := false
	for _, s := range r.Sites(c.Body) {
		for _, se := range s.Effects {
			if n := len(se.Frames); se.Kind != e.Kind || n == 0 || se.Frames[n-1] != last {
				continue
			}
			if reached[s.Instr.Block()] {
				return false
			}
			found = true
		}
	}
	return found
}

// reachedWith lists the blocks that fn may come to if some of its parameters are
// given.
func reachedWith(fn *ssa.Function, given map[ssa.Value]bool) map[*ssa.BasicBlock]bool {
	out := make(map[*ssa.BasicBlock]bool)
	work := []*ssa.BasicBlock{fn.Blocks[0]}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if out[b] {
			continue
		}
		out[b] = true
		branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok {
			work = append(work, b.Succs...)
			continue
		}
		cond, not := branch.Cond, false
		for {
			u, ok := cond.(*ssa.UnOp)
			if !ok || u.Op != token.NOT {
				break
			}
			cond, not = u.X, !not
		}
		if v, ok := given[cond]; !ok {
			work = append(work, b.Succs...)
		} else if v != not {
			work = append(work, b.Succs[0])
		} else {
			work = append(work, b.Succs[1])
		}
	}
	return out
}
