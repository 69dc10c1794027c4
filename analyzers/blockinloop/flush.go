package blockinloop

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/loop"
	"github.com/concvet/concvet/internal/summary"
)

// flushes returns the types of the collections that the round empties which a
// site stands in, and that a source of the loop fills: a batch is gathered from
// one source and written when it is full or old enough, and writing it is what
// the loop is there for. It is nil if there is none.
func flushes(l *loop.Event, site *summary.Site) map[string]bool {
	collected := make(map[string]bool)
	for _, s := range l.Live {
		for _, b := range l.Fn.Blocks {
			if !s.Handles(b) {
				continue
			}
			for _, instr := range b.Instrs {
				if t := collects(instr); t != nil {
					collected[types.TypeString(t, nil)] = true
				}
			}
		}
	}
	if len(collected) == 0 {
		return nil
	}
	var emptied map[string]bool
	add := func(t types.Type) {
		if name := types.TypeString(t, nil); collected[name] {
			if emptied == nil {
				emptied = make(map[string]bool)
			}
			emptied[name] = true
		}
	}
	for _, s := range append(l.Live[:len(l.Live):len(l.Live)], l.Default) {
		if s == nil || !s.Handles(site.Instr.Block()) {
			continue
		}
		for _, b := range l.Fn.Blocks {
			if !s.Handles(b) {
				continue
			}
			for _, instr := range b.Instrs {
				if t := empties(instr); t != nil {
					add(t)
				}
			}
			for _, succ := range b.Succs {
				if t := resets(succ, b, collected); t != nil {
					add(t)
				}
			}
		}
	}
	return emptied
}

// gathers reports whether the handling of a source adds to one of the
// collections of some types, or empties it.
func gathers(l *loop.Event, s *loop.Source, batch map[string]bool) bool {
	for _, b := range l.Fn.Blocks {
		if !s.Handles(b) {
			continue
		}
		for _, instr := range b.Instrs {
			for _, t := range []types.Type{collects(instr), empties(instr)} {
				if t != nil && batch[types.TypeString(t, nil)] {
					return true
				}
			}
		}
	}
	return false
}

// collects returns the type of the collection that an instruction adds to.
func collects(instr ssa.Instruction) types.Type {
	switch x := instr.(type) {
	case *ssa.Call:
		if b, ok := x.Call.Value.(*ssa.Builtin); ok && b.Name() == "append" {
			return x.Type()
		}
	case *ssa.MapUpdate:
		return x.Map.Type()
	}
	return nil
}

// empties returns the type of the collection that an instruction empties, or
// makes an empty one of.
func empties(instr ssa.Instruction) types.Type {
	switch x := instr.(type) {
	case *ssa.Call:
		if b, ok := x.Call.Value.(*ssa.Builtin); ok && b.Name() == "clear" && len(x.Call.Args) > 0 {
			return x.Call.Args[0].Type()
		}
	case *ssa.Slice:
		if c, ok := x.High.(*ssa.Const); ok && c.Value != nil && c.Int64() == 0 {
			return x.Type()
		}
	case *ssa.MakeMap:
		return x.Type()
	case *ssa.MakeSlice:
		return x.Type()
	case *ssa.Store:
		if c, ok := x.Val.(*ssa.Const); ok && c.IsNil() {
			return c.Type()
		}
	}
	return nil
}

// resets returns the type of a variable that becomes an empty collection on the
// way from one block to the next.
func resets(to, from *ssa.BasicBlock, collected map[string]bool) types.Type {
	for _, instr := range to.Instrs {
		phi, ok := instr.(*ssa.Phi)
		if !ok {
			return nil
		}
		for i, pred := range to.Preds {
			if pred != from || i >= len(phi.Edges) {
				continue
			}
			if c, ok := phi.Edges[i].(*ssa.Const); ok && c.IsNil() && collected[types.TypeString(phi.Type(), nil)] {
				return phi.Type()
			}
		}
	}
	return nil
}
