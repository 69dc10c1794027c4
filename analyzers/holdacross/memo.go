package holdacross

import "golang.org/x/tools/go/ssa"

// memoises reports whether fn looks whether it has a value before the
// instruction at, and keeps one after it. A nil at is any.
func (c *checker) memoises(fn *ssa.Function, at ssa.Instruction) bool {
	stored, tested := c.keptAround(fn, at)
	for key := range stored {
		if key != "" && stored[key] && tested[key] {
			return true
		}
	}
	return false
}

// keptAround lists the fields that fn, or a literal in it, stores into after the
// instruction at, and those that it looks at before it.
func (c *checker) keptAround(fn *ssa.Function, at ssa.Instruction) (stored, tested map[string]bool) {
	tested, stored = make(map[string]bool), make(map[string]bool)
	field := func(v ssa.Value) string { return c.res.Field(c.res.Path(v)) }
	reach := make(map[*ssa.BasicBlock]bool)
	if at != nil {
		for work := []*ssa.BasicBlock{at.Block()}; len(work) > 0; {
			b := work[len(work)-1]
			work = work[:len(work)-1]
			if !reach[b] {
				reach[b] = true
				work = append(work, b.Succs...)
			}
		}
	}
	for _, b := range fn.Blocks {
		before := at == nil || b.Dominates(at.Block())
		after := at == nil || reach[b]
		for _, instr := range b.Instrs {
			switch x := instr.(type) {
			case *ssa.If: // if x.loaded
				tested[field(x.Cond)] = tested[field(x.Cond)] || before
			case *ssa.BinOp: // x.f != nil, time.Since(x.at) < d
				tested[field(x.X)] = tested[field(x.X)] || before
				if call, ok := x.X.(*ssa.Call); ok && len(call.Call.Args) > 0 {
					key := field(call.Call.Args[0])
					tested[key] = tested[key] || before
				}
			case *ssa.Lookup: // x.m[key], ok
				tested[field(x.X)] = tested[field(x.X)] || before
			case *ssa.Store:
				stored[field(x.Addr)] = stored[field(x.Addr)] || after
			case *ssa.MapUpdate:
				stored[field(x.Map)] = stored[field(x.Map)] || after
			}
		}
	}
	for _, lit := range fn.AnonFuncs { // under another lock than the one that is held
		for _, b := range lit.Blocks {
			for _, instr := range b.Instrs {
				if x, ok := instr.(*ssa.Store); ok {
					stored[field(x.Addr)] = true
				}
			}
		}
	}
	return stored, tested
}
