package holdacross

import (
	"go/constant"
	"go/token"
	"go/types"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/ir"
	"github.com/concvet/concvet/internal/region"
)

// A switch set by the caller: kill(true) does not come to the wait that kill has
// for kill(false), and closeAfter(0) sleeps for no time. The summary of a function
// says what it may do for any arguments; a finding looks at those of its call.

// maxSwitches is how many calls a constant is followed through.
const maxSwitches = 4

// An argument is what is known of a value for one call: a constant, or only that
// it is not nil, as what is held is not.
type argument struct {
	value *ssa.Const
	set   bool
}

// arguments are the parameters of a function that something is known of.
type arguments map[*ssa.Parameter]argument

// of is what is known of a value.
func (k arguments) of(v ssa.Value) argument {
	switch x := v.(type) {
	case *ssa.Const:
		return argument{value: x}
	case *ssa.Parameter:
		return k[x]
	case *ssa.ChangeType:
		return k.of(x.X)
	case *ssa.Convert:
		return k.of(x.X)
	case *ssa.Alloc, *ssa.MakeClosure, *ssa.MakeMap, *ssa.MakeChan, *ssa.Function:
		return argument{set: true}
	}
	return argument{}
}

func (a argument) isNil() bool { return a.value != nil && a.value.IsNil() }

// given is what a call gives the parameters of the function of this package that
// it calls, one of which may be what is held.
func (c *checker) given(at ssa.Instruction, k arguments, held *region.Thing) (*ssa.Function, arguments) {
	call, ok := at.(ssa.CallInstruction)
	if !ok {
		return nil, nil
	}
	callee := call.Common().StaticCallee()
	if callee == nil {
		return nil, nil
	}
	if origin := callee.Origin(); origin != nil {
		callee = origin
	}
	if len(c.res.Sites(callee)) == 0 || len(callee.Params) != len(call.Common().Args) {
		return nil, nil
	}
	var out arguments
	for i, a := range call.Common().Args {
		v := k.of(a)
		if held != nil && held.Value != nil && c.res.Path(a) == held.Path {
			v.set = true
		}
		if v != (argument{}) {
			if out == nil {
				out = make(arguments)
			}
			out[callee.Params[i]] = v
		}
	}
	return callee, out
}

// switchedOff reports whether the constants in a call, or that it is given what is
// held, keep the function that it calls from coming to an effect.
func (c *checker) switchedOff(at ssa.Instruction, held *region.Thing, e effect.Effect) bool {
	return c.off(at, nil, held, e, 0)
}

func (c *checker) off(at ssa.Instruction, k arguments, held *region.Thing, e effect.Effect, depth int) bool {
	callee, k := c.given(at, k, held)
	if callee == nil || depth >= maxSwitches {
		return false
	}
	found := false
	for _, site := range c.res.Sites(callee) {
		for _, s := range site.Effects {
			if s.Kind != e.Kind || s.API != e.API {
				continue
			}
			if !k.excludes(site.Instr.Block()) && !k.noTime(site.Instr, e) && !c.off(site.Instr, k, nil, e, depth+1) {
				return false
			}
			found = true
		}
	}
	return found
}

// excludes reports whether control cannot come to a block.
func (k arguments) excludes(b *ssa.BasicBlock) bool {
	for _, cond := range ir.Conditions(b) {
		if holds, known := k.truth(cond.Value); known && holds != cond.Holds {
			return true
		}
	}
	return false
}

// truth is whether a condition holds, if that is known.
func (k arguments) truth(v ssa.Value) (holds, known bool) {
	switch x := v.(type) {
	case *ssa.UnOp:
		if x.Op == token.NOT {
			holds, known = k.truth(x.X)
			return !holds, known
		}
	case *ssa.BinOp:
		one, other := k.of(x.X), k.of(x.Y)
		if x.Op == token.EQL || x.Op == token.NEQ {
			if one.set && other.isNil() || other.set && one.isNil() {
				return x.Op == token.NEQ, true
			}
		}
		a, b := one.value, other.value
		if a == nil || b == nil {
			return false, false
		}
		if a.Value == nil && b.Value == nil && (x.Op == token.EQL || x.Op == token.NEQ) {
			return x.Op == token.EQL, a.IsNil() && b.IsNil()
		}
		if a.Value == nil || b.Value == nil || a.Value.Kind() != b.Value.Kind() {
			return false, false
		}
		switch x.Op {
		case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
			if kind := a.Value.Kind(); kind == constant.Bool && x.Op != token.EQL && x.Op != token.NEQ {
				return false, false
			}
			return constant.Compare(a.Value, x.Op, b.Value), true
		}
	case *ssa.Const, *ssa.Parameter:
		if c := k.of(x).value; c != nil && c.Value != nil && c.Value.Kind() == constant.Bool {
			return constant.BoolVal(c.Value), true
		}
	}
	return false, false
}

// noTime reports whether an instruction sleeps for the time that the caller
// gives, and that is next to none.
func (k arguments) noTime(at ssa.Instruction, e effect.Effect) bool {
	call, ok := at.(ssa.CallInstruction)
	if !ok || e.Kind != effect.Sleep || e.Repeats || len(call.Common().Args) != 1 {
		return false
	}
	callee := call.Common().StaticCallee()
	if callee == nil || callee.Object() == nil || callee.Object().(*types.Func).FullName() != "time.Sleep" {
		return false
	}
	d := k.of(call.Common().Args[0]).value
	if d == nil || d.Value == nil || d.Value.Kind() != constant.Int {
		return false
	}
	n, exact := constant.Int64Val(d.Value)
	return exact && time.Duration(n) < minSleep
}
