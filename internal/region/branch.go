package region

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// branch takes from s what the edge from block to its i-th successor tells:
// an acquire whose error is not nil there holds nothing.
func (a *analysis) branch(s *state, block *ssa.BasicBlock, i int) {
	if len(s.held) == 0 || len(block.Instrs) == 0 {
		return
	}
	cond, ok := block.Instrs[len(block.Instrs)-1].(*ssa.If)
	if !ok {
		return
	}
	value, outcome := cond.Cond, i == 0
	for range 8 {
		not, ok := value.(*ssa.UnOp)
		if !ok || not.Op != token.NOT {
			break
		}
		value, outcome = not.X, !outcome
	}
	if !outcome && a.while != nil {
		if path := a.while(value); path != "" {
			s.held = slices.DeleteFunc(s.held, func(e entry) bool { return e.thing.Path == path })
		}
	}
	tested, nilOnTrue, isNilTest := nilTest(value)
	s.held = slices.DeleteFunc(s.held, func(e entry) bool {
		t := e.thing
		if t.Failed == nil {
			return false
		}
		if t.OK {
			return same(value, t.Failed) && !outcome
		}
		return isNilTest && same(tested, t.Failed) && outcome != nilOnTrue
	})
	for j, e := range s.held {
		if e.pending && e.thing.OK && same(value, e.thing.Failed) && outcome {
			s.held[j].pending = false
		}
	}
}

// nilTest takes a comparison with nil apart.
func nilTest(v ssa.Value) (tested ssa.Value, nilOnTrue, ok bool) {
	cmp, isCmp := v.(*ssa.BinOp)
	if !isCmp || cmp.Op != token.EQL && cmp.Op != token.NEQ {
		return nil, false, false
	}
	x, y := cmp.X, cmp.Y
	if isNil(x) {
		x, y = y, x
	}
	if !isNil(y) {
		return nil, false, false
	}
	return x, cmp.Op == token.EQL, true
}

func isNil(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.IsNil()
}

// same reports whether v is the value failed, directly, through a conversion,
// or read back from a variable that it has just been stored in.
func same(v, failed ssa.Value) bool {
	for range 8 {
		if v == failed {
			return true
		}
		switch x := v.(type) {
		case *ssa.ChangeInterface:
			v = x.X
		case *ssa.MakeInterface:
			v = x.X
		case *ssa.UnOp:
			if x.Op != token.MUL {
				return false
			}
			s := lastStore(x)
			if s == nil {
				return false
			}
			v = s.Val
		case *ssa.Phi:
			// err of a loop or of alternative acquires: every edge that is
			// not the value must be unable to be it.
			for _, e := range x.Edges {
				if e == failed {
					return true
				}
			}
			return false
		default:
			return false
		}
	}
	return false
}

// lastStore is the store before a load, in its block or in the blocks that lead
// only there.
func lastStore(load *ssa.UnOp) *ssa.Store {
	block := load.Block()
	end := slices.Index(block.Instrs, ssa.Instruction(load))
	for range 8 {
		for i := end - 1; i >= 0; i-- {
			if s, ok := block.Instrs[i].(*ssa.Store); ok && s.Addr == load.X {
				return s
			}
		}
		if len(block.Preds) != 1 {
			return nil
		}
		block = block.Preds[0]
		end = len(block.Instrs)
	}
	return nil
}
