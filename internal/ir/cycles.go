package ir

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Cycles returns the blocks from which control may come back to them, and how
// often a loop with a constant number of rounds runs.
func Cycles(fn *ssa.Function) (map[*ssa.BasicBlock]bool, map[*ssa.BasicBlock]int64) {
	// Tarjan's algorithm, with an explicit stack: a function may have tens of
	// thousands of blocks.
	n := len(fn.Blocks)
	index, low := make([]int, n), make([]int, n)
	onStack := make([]bool, n)
	var stack []int
	out := make(map[*ssa.BasicBlock]bool)
	trips := make(map[*ssa.BasicBlock]int64)
	next := 1
	type frame struct{ block, succ int }
	for root := range n {
		if index[root] != 0 {
			continue
		}
		work := []frame{{root, 0}}
		for len(work) > 0 {
			top := &work[len(work)-1]
			b := top.block
			if top.succ == 0 && index[b] == 0 {
				index[b], low[b] = next, next
				next++
				stack = append(stack, b)
				onStack[b] = true
			}
			if top.succ < len(fn.Blocks[b].Succs) {
				s := fn.Blocks[b].Succs[top.succ].Index
				top.succ++
				if index[s] == 0 {
					work = append(work, frame{s, 0})
				} else if onStack[s] {
					low[b] = min(low[b], index[s])
				}
				continue
			}
			if low[b] == index[b] {
				var scc []int
				for {
					s := stack[len(stack)-1]
					stack = stack[:len(stack)-1]
					onStack[s] = false
					scc = append(scc, s)
					if s == b {
						break
					}
				}
				if len(scc) > 1 || slices.Contains(fn.Blocks[b].Succs, fn.Blocks[b]) {
					blocks := make([]*ssa.BasicBlock, 0, len(scc))
					for _, s := range scc {
						out[fn.Blocks[s]] = true
						blocks = append(blocks, fn.Blocks[s])
					}
					if n := constTrips(blocks); n > 0 {
						for _, b := range blocks {
							trips[b] = n
						}
					}
				}
			}
			work = work[:len(work)-1]
			if len(work) > 0 {
				p := work[len(work)-1].block
				low[p] = min(low[p], low[b])
			}
		}
	}
	return out, trips
}

// constTrips is how often a loop of these blocks runs, if it has the form of a
// counter that goes up by one to a constant, and is the only loop there; 0 if
// that is not known.
func constTrips(blocks []*ssa.BasicBlock) int64 {
	in := make(map[*ssa.BasicBlock]bool, len(blocks))
	for _, b := range blocks {
		in[b] = true
	}
	heads := 0
	var trips int64
	for _, b := range blocks {
		back := false
		for _, p := range b.Preds {
			back = back || in[p] && b.Dominates(p)
		}
		if back {
			heads++
		}
		if len(b.Instrs) == 0 {
			continue
		}
		cond, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok || in[b.Succs[0]] == in[b.Succs[1]] {
			continue
		}
		if n := Counted(cond.Cond); n > 0 {
			trips = n
		}
	}
	if heads != 1 {
		return 0
	}
	return trips
}

// Counted is how often a loop with the condition cond runs, 0 if that is not known:
// it takes i < n apart, where i starts at a constant and grows by one.
func Counted(cond ssa.Value) int64 {
	cmp, ok := cond.(*ssa.BinOp)
	if !ok || cmp.Op != token.LSS && cmp.Op != token.LEQ {
		return 0
	}
	limit, ok := cmp.Y.(*ssa.Const)
	if !ok || limit.Value == nil {
		return 0
	}
	i, ok := cmp.X.(*ssa.Phi)
	stepped := !ok
	if stepped {
		// for range n: the counter is compared after the step
		add, isAdd := cmp.X.(*ssa.BinOp)
		if !isAdd || add.Op != token.ADD {
			return 0
		}
		i, ok = add.X.(*ssa.Phi)
		if !ok {
			return 0
		}
	}
	start := int64(0)
	for _, e := range i.Edges {
		switch x := e.(type) {
		case *ssa.Const:
			if x.Value != nil {
				start = x.Int64()
			}
		case *ssa.BinOp:
			step, isConst := x.Y.(*ssa.Const)
			if x.Op != token.ADD || x.X != ssa.Value(i) || !isConst || step.Int64() != 1 {
				return 0
			}
		default:
			return 0
		}
	}
	n := limit.Int64() - start
	if stepped && start < 0 {
		n-- // over an array: the counter begins one before its first element
	}
	if cmp.Op == token.LEQ {
		n++
	}
	return n
}

// Again reports whether control may come back to a block without passing
// through another one, which may be nil.
func Again(b, without *ssa.BasicBlock) bool {
	seen := make(map[*ssa.BasicBlock]bool)
	queue := append([]*ssa.BasicBlock(nil), b.Succs...)
	for len(queue) > 0 {
		x := queue[0]
		queue = queue[1:]
		if x == b {
			return true
		}
		if !seen[x] && x != without {
			seen[x] = true
			queue = append(queue, x.Succs...)
		}
	}
	return false
}
