// Package loop finds the loops of a function and says what feeds them: whether
// a number in the source, the length of a slice, or the load decides how often
// they run.
//
// A [Loop] is a natural loop of the control flow graph: the blocks from which
// control comes back to a block that dominates them. The body of a loop over an
// iterator function is a literal of its own in SSA, see [Yield].
package loop

import (
	"cmp"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A Loop is one natural loop.
type Loop struct {
	Head  *ssa.BasicBlock // every round enters here
	Outer *Loop           // the loop around it, nil if there is none

	// Feeds are what may make it run once more, worst first. A loop over a
	// slice has one; a select with several cases gives one a case.
	Feeds []Feed

	blocks map[*ssa.BasicBlock]bool
}

// Contains reports whether a block is part of the loop.
func (l *Loop) Contains(b *ssa.BasicBlock) bool { return l.blocks[b] }

// Loops are the loops of one function, inner ones before those around them.
type Loops []*Loop

// Around returns the innermost loop that a block is part of, nil if it is in
// none.
func (ls Loops) Around(b *ssa.BasicBlock) *Loop {
	for _, l := range ls {
		if l.blocks[b] {
			return l
		}
	}
	return nil
}

// natural finds the loops of fn. Loops with the same head are one.
func natural(fn *ssa.Function) Loops {
	byHead := make(map[*ssa.BasicBlock]*Loop)
	var out Loops
	for _, tail := range fn.Blocks {
		for _, head := range tail.Succs {
			if !head.Dominates(tail) {
				continue
			}
			l := byHead[head]
			if l == nil {
				l = &Loop{Head: head, blocks: map[*ssa.BasicBlock]bool{head: true}}
				byHead[head] = l
				out = append(out, l)
			}
			work := []*ssa.BasicBlock{tail}
			for len(work) > 0 {
				b := work[len(work)-1]
				work = work[:len(work)-1]
				if l.blocks[b] {
					continue
				}
				l.blocks[b] = true
				work = append(work, b.Preds...)
			}
		}
	}
	slices.SortFunc(out, func(a, b *Loop) int {
		return cmp.Or(cmp.Compare(len(a.blocks), len(b.blocks)), cmp.Compare(a.Head.Index, b.Head.Index))
	})
	for i, l := range out {
		for _, o := range out[i+1:] {
			if o.blocks[l.Head] {
				l.Outer = o
				break
			}
		}
	}
	return out
}

// Repeats reports whether an instruction stands in a loop of its function.
func Repeats(instr ssa.Instruction) bool {
	return natural(instr.Parent()).Around(instr.Block()) != nil
}
