package unboundedqueue

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/ir"
)

// maxFlow is how many steps a value is followed back.
const maxFlow = 200

// derives reports whether something that is given to a call or a go statement
// comes from a value for which from holds: it is computed from it, or by a call
// that was given it.
func (c *checker) derives(call ssa.CallInstruction, from func(ssa.Value) bool) bool {
	seen := make(map[ssa.Value]bool)
	var visit func(v ssa.Value) bool
	operands := func(instr ssa.Instruction) bool {
		var buf [8]*ssa.Value
		return slices.ContainsFunc(instr.Operands(buf[:0]), func(op *ssa.Value) bool { return *op != nil && visit(*op) })
	}
	visit = func(v ssa.Value) bool {
		if seen[v] || len(seen) > maxFlow || ir.IsContext(v.Type()) {
			return false
		}
		seen[v] = true
		if from(v) {
			return true
		}
		switch v := v.(type) {
		case *ssa.Alloc:
			// Whatever is stored there, and what it is handed to fills it in.
			for _, r := range *v.Referrers() {
				switch r := r.(type) {
				case *ssa.Store:
					if r.Addr == ssa.Value(v) && visit(r.Val) {
						return true
					}
				case *ssa.MakeInterface, *ssa.FieldAddr, *ssa.IndexAddr:
					if c.filled(r.(ssa.Value), visit) {
						return true
					}
				case *ssa.Call:
					if visit(r) {
						return true
					}
				case *ssa.UnOp: // a pointer that a literal captures
					if r.Op == token.MUL && isPointer(r.Type()) && c.filled(r, visit) {
						return true
					}
				}
			}
			return false
		case *ssa.FreeVar:
			return c.bound(v, visit)
		case ssa.Instruction:
			return operands(v)
		}
		return false
	}
	for _, a := range call.Common().Args {
		if visit(a) {
			return true
		}
	}
	return !call.Common().IsInvoke() && visit(call.Common().Value)
}

// filled follows what is stored through an address, or by a call that gets it.
func (c *checker) filled(v ssa.Value, visit func(ssa.Value) bool) bool {
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr == v && visit(r.Val) {
				return true
			}
		case *ssa.Call:
			if visit(r) {
				return true
			}
		case *ssa.MakeInterface:
			if _, load := v.(*ssa.UnOp); load && c.filled(r, visit) {
				return true
			}
		}
	}
	return false
}

func isPointer(t types.Type) bool {
	_, ok := types.Unalias(t).Underlying().(*types.Pointer)
	return ok
}

// bound follows a variable of a literal to the function around it.
func (c *checker) bound(v *ssa.FreeVar, visit func(ssa.Value) bool) bool {
	fn := v.Parent()
	i := slices.Index(fn.FreeVars, v)
	if fn.Parent() == nil || i < 0 {
		return false
	}
	for _, b := range fn.Parent().Blocks {
		for _, instr := range b.Instrs {
			if mc, ok := instr.(*ssa.MakeClosure); ok && mc.Fn == ssa.Value(fn) && i < len(mc.Bindings) && visit(mc.Bindings[i]) {
				return true
			}
		}
	}
	return false
}
