package ir

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// A Condition is one that certainly holds, or does not, where control comes to a
// block.
type Condition struct {
	Value ssa.Value
	Holds bool
	Block *ssa.BasicBlock // that ends in the test
}

// Conditions lists the conditions that decide whether control comes to a block,
// nearest first. "if full { return }" before it counts as well as "if ready {"
// around it.
func Conditions(b *ssa.BasicBlock) []Condition {
	var out []Condition
	for ; b != nil; b = b.Idom() {
		if len(b.Preds) != 1 {
			continue
		}
		p := b.Preds[0]
		cond, ok := p.Instrs[len(p.Instrs)-1].(*ssa.If)
		if !ok || p.Succs[0] == p.Succs[1] {
			continue
		}
		out = append(out, Condition{cond.Cond, p.Succs[0] == b, p})
	}
	return out
}

// Terms takes a condition apart into the tests that it is made of: those joined
// by && and ||, without negations.
func (c Condition) Terms() []Condition {
	var out []Condition
	seen := make(map[ssa.Value]bool)
	var visit func(v ssa.Value, holds bool, depth int)
	visit = func(v ssa.Value, holds bool, depth int) {
		if depth > 8 || seen[v] {
			return
		}
		seen[v] = true
		switch x := v.(type) {
		case *ssa.UnOp:
			if x.Op == token.NOT {
				visit(x.X, !holds, depth+1)
				return
			}
		case *ssa.Phi:
			// A short circuit: one edge is a constant, and the test that led
			// there stands at the end of the block it comes from.
			for i, e := range x.Edges {
				if _, isConst := e.(*ssa.Const); isConst {
					p := x.Block().Preds[i]
					if cond, ok := p.Instrs[len(p.Instrs)-1].(*ssa.If); ok {
						visit(cond.Cond, holds, depth+1)
					}
					continue
				}
				visit(e, holds, depth+1)
			}
			return
		}
		out = append(out, Condition{v, holds, c.Block})
	}
	visit(c.Value, c.Holds, 0)
	return out
}
