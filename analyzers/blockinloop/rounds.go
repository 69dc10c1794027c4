package blockinloop

import (
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
	if op, ok := call.Call.Args[0].(*ssa.BinOp); ok && op.Op == token.MUL {
		return counter(op.X) && unit(op.Y) || counter(op.Y) && unit(op.X)
	}
	phi, ok := call.Call.Args[0].(*ssa.Phi)
	if !ok {
		return false
	}
	short, long := begins(phi, 0)
	return short && !long
}

// maxPhis is through how many joins the beginning of a sleep is followed: that of
// the loop, of the first round and of the longest time.
const maxPhis = 3

// begins reports whether a time is set to a short one somewhere, and to one that
// is longer than a second.
func begins(phi *ssa.Phi, depth int) (short, long bool) {
	for _, e := range phi.Edges {
		switch e := e.(type) {
		case *ssa.Const:
			if e.Value == nil || e.Int64() == 0 {
				continue
			}
			short = short || e.Int64() < int64(minStop)
			long = long || e.Int64() > int64(minStop)
		case *ssa.Phi:
			if depth < maxPhis {
				s, l := begins(e, depth+1)
				short, long = short || s, long || l
			}
		}
	}
	return short, long
}

// counter reports whether a value is a number that grows by one each time.
func counter(v ssa.Value) bool {
	for {
		x, ok := v.(*ssa.Convert)
		if !ok {
			break
		}
		v = x.X
	}
	op, ok := v.(*ssa.BinOp)
	if !ok || op.Op != token.ADD {
		return false
	}
	_, isPhi := op.X.(*ssa.Phi)
	c, isConst := op.Y.(*ssa.Const)
	return isPhi && isConst && c.Value != nil && c.Int64() == 1
}

// unit reports whether a value is a time of at most a second.
func unit(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value != nil && c.Int64() <= int64(minStop)
}
