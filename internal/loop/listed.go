package loop

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/summary"
)

// maxDepth is through how many values and calls the making of a list is followed.
const maxDepth = 12

// maxWritten stands for the length of a list that another function writes down.
const maxWritten = 16

// Listed reports whether the source says how many elements a list has at most: it is
// written down, or what makes it appends to it so often, in this function or in
// the one that it calls. It does not follow parameters, fields, and loops that
// append.
//
//	var queries []query
//	if v4 { queries = append(queries, a) }
//	if v6 { queries = append(queries, aaaa) }
func Listed(list ssa.Value, res *summary.Result) bool {
	_, ok := atMost(list, res, nil, 0)
	return ok
}

func atMost(v ssa.Value, res *summary.Result, seen []*ssa.Phi, depth int) (n int64, ok bool) {
	if depth > maxDepth {
		return 0, false
	}
	depth++
	if n := fixedLength(v); n > 0 {
		return n, true
	}
	switch x := v.(type) {
	case *ssa.Const:
		return 0, x.IsNil()
	case *ssa.MakeSlice:
		size, ok := x.Len.(*ssa.Const)
		return constLen(size), ok
	case *ssa.Slice: // a part is no longer than the whole
		if _, ok := types.Unalias(x.X.Type()).Underlying().(*types.Slice); ok && x.High == nil {
			return atMost(x.X, res, seen, depth)
		}
	case *ssa.Phi:
		for _, p := range seen {
			if p == x {
				return 0, false // a loop appends
			}
		}
		seen = append(seen, x)
		var most int64
		for _, e := range x.Edges {
			n, ok := atMost(e, res, seen, depth)
			if !ok {
				return 0, false
			}
			most = max(most, n)
		}
		return most, true
	case *ssa.ChangeType:
		return atMost(x.X, res, seen, depth)
	case *ssa.Extract:
		if call, ok := x.Tuple.(*ssa.Call); ok {
			return maxWritten, written(call, x.Index, res)
		}
	case *ssa.Call:
		b, ok := x.Call.Value.(*ssa.Builtin)
		if !ok {
			return maxWritten, written(x, 0, res)
		}
		if b.Name() != "append" || len(x.Call.Args) != 2 {
			return 0, false
		}
		old, ok := atMost(x.Call.Args[0], res, seen, depth)
		if !ok {
			return 0, false
		}
		more, ok := atMost(x.Call.Args[1], res, seen, depth)
		return old + more, ok
	}
	return 0, false
}

// written reports whether the function that is called writes the list down that is
// its result i.
func written(call *ssa.Call, i int, res *summary.Result) bool {
	fn := call.Call.StaticCallee()
	if fn == nil {
		return false
	}
	obj, ok := fn.Object().(*types.Func)
	return ok && res.WritesList(obj, i)
}

func constLen(c *ssa.Const) int64 {
	if c == nil || c.Value == nil {
		return 0
	}
	return c.Int64()
}

// drains reports whether a select ends its loop when nothing is there: the loop
// takes what has room in the channels, and no more.
func (l *Loop) drains(sel *ssa.Select) bool {
	if sel.Blocking {
		return false
	}
	b := sel.Block()
	for range sel.States {
		if len(b.Instrs) == 0 {
			return false
		}
		branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok {
			return false
		}
		if test, ok := branch.Cond.(*ssa.BinOp); !ok || !isCase(test.X, sel) {
			return false
		}
		b = b.Succs[1]
	}
	return !l.blocks[b]
}

// isCase reports whether a value is the number of the case that a select took.
func isCase(v ssa.Value, sel *ssa.Select) bool {
	x, ok := v.(*ssa.Extract)
	return ok && x.Tuple == ssa.Value(sel) && x.Index == 0
}
