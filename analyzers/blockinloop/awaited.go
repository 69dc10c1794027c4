package blockinloop

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// maxCallers is over how many calls it is asked who waits for a loop.
const maxCallers = 3

// awaited reports whether somebody may wait for the end of a function: it returns
// to a caller that is not known, or its goroutine tells that it has ended. That a
// goroutine which nobody waits for ends some seconds late hurts nobody.
func (c *checker) awaited(fn *ssa.Function, depth int) bool {
	if depth > maxCallers || tells(fn) {
		return true
	}
	if obj, ok := fn.Object().(*types.Func); ok && obj.Exported() {
		return true
	}
	uses, known := c.usesOf(fn)
	if !known || len(uses) == 0 {
		return true
	}
	for _, use := range uses {
		if _, isGo := use.(*ssa.Go); !isGo && c.awaited(use.Parent(), depth+1) {
			return true
		}
	}
	return false
}

// tells reports whether a function has a way to say that it ends.
func tells(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			switch x := instr.(type) {
			case *ssa.Send:
				return true
			case ssa.CallInstruction:
				if lit, ok := x.Common().Value.(*ssa.Builtin); ok && lit.Name() == "close" {
					return true
				}
				name := ""
				if f := x.Common().StaticCallee(); f != nil {
					name = f.Name()
				} else if x.Common().IsInvoke() {
					name = x.Common().Method.Name()
				}
				if name == "Done" && x.Common().Signature().Results().Len() == 0 || name == "Broadcast" || name == "Signal" {
					return true
				}
			}
		}
	}
	return false
}

// usesOf lists the calls and go statements of a function in the package. It is
// not known if the function is used in any other way.
func (c *checker) usesOf(fn *ssa.Function) (uses []ssa.CallInstruction, known bool) {
	known = true
	for _, in := range c.res.Funcs() {
		for _, b := range in.Blocks {
			for _, instr := range b.Instrs {
				if mc, ok := instr.(*ssa.MakeClosure); ok && mc.Fn == ssa.Value(fn) {
					for _, r := range *mc.Referrers() {
						call, ok := r.(ssa.CallInstruction)
						if !ok || call.Common().Value != ssa.Value(mc) {
							return nil, false
						}
						uses = append(uses, call)
					}
					continue
				}
				call, isCall := instr.(ssa.CallInstruction)
				if isCall && call.Common().StaticCallee() == fn {
					if _, closure := call.Common().Value.(*ssa.MakeClosure); !closure {
						uses = append(uses, call)
					}
					continue
				}
				var buf [8]*ssa.Value
				for _, op := range instr.Operands(buf[:0]) {
					if *op == ssa.Value(fn) {
						return nil, false
					}
				}
			}
		}
	}
	return uses, known
}
