// Package flow is forward dataflow over the blocks of one function, for any kind
// of state.
package flow

import "golang.org/x/tools/go/ssa"

// A Problem says what is known of a state S.
type Problem[S any] struct {
	// Clone returns a copy that shares nothing which Transfer, Edge or Merge change.
	Clone func(S) S

	// Transfer takes the state over the instructions of a block.
	Transfer func(*ssa.BasicBlock, *S)

	// Edge takes the state from the end of a block to its i-th successor. It
	// may be nil.
	Edge func(b *ssa.BasicBlock, i int, s *S)

	// Merge joins s into the state at the start of a block that has been
	// reached before, and reports whether that has changed. It must be
	// monotonic: every change goes in one direction, of which there is an end.
	Merge func(old, s *S) bool
}

// Forward returns the state at the start of each block, and which blocks are
// reached. It returns false if it has not come to rest within a bound that a
// monotonic problem does not reach; nothing is known then.
func Forward[S any](fn *ssa.Function, start S, p Problem[S]) (in []S, reached []bool, ok bool) {
	n := len(fn.Blocks)
	in, reached = make([]S, n), make([]bool, n)
	if n == 0 {
		return in, reached, true
	}
	in[0], reached[0] = start, true
	queue, queued := []int{0}, make([]bool, n)
	for limit := 64*n + 1024; len(queue) > 0; limit-- {
		if limit == 0 {
			return in, reached, false
		}
		block := fn.Blocks[queue[0]]
		queue, queued[block.Index] = queue[1:], false
		out := p.Clone(in[block.Index])
		p.Transfer(block, &out)
		for i, succ := range block.Succs {
			s := p.Clone(out)
			if p.Edge != nil {
				p.Edge(block, i, &s)
			}
			changed := true
			if reached[succ.Index] {
				changed = p.Merge(&in[succ.Index], &s)
			} else {
				in[succ.Index], reached[succ.Index] = s, true
			}
			if changed && !queued[succ.Index] {
				queue, queued[succ.Index] = append(queue, succ.Index), true
			}
		}
	}
	return in, reached, true
}
