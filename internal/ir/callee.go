// Package ir answers questions about SSA that every room asks: who is called,
// and which value is this.
package ir

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A Callee is what a call instruction calls, as far as it can be told from the
// instruction and the values behind it.
type Callee struct {
	// Func is the declared function or method, nil for a literal and for an
	// unknown callee. A method of an instantiated type is that of the generic one.
	Func *types.Func

	// Body is the function with its body, if it is of this package.
	Body *ssa.Function

	// Lit is the closure that is called, nil if Body is a declared function.
	Lit *ssa.MakeClosure

	// Args are the arguments, the receiver first.
	Args []ssa.Value

	// Invoke reports that Func is an interface method.
	Invoke bool

	// Value is the func-typed value that is called, if nothing else is known.
	Value ssa.Value

	// From is the field or variable that Func was loaded from as a method value,
	// if its receiver is not known here.
	From *types.Var
}

// CalleeOf resolves the callee of a call. Func-typed variables and fields are
// resolved by paths, which knows what was assigned to them.
func CalleeOf(common *ssa.CallCommon, paths *Paths) Callee {
	if common.IsInvoke() {
		if c, ok := implementation(common, paths); ok {
			return c
		}
		args := make([]ssa.Value, 0, len(common.Args)+1)
		args = append(append(args, common.Value), common.Args...)
		return Callee{Func: common.Method, Args: args, Invoke: true}
	}
	if _, ok := common.Value.(*ssa.Builtin); ok {
		return Callee{Args: common.Args}
	}
	c := FuncOf(common.Value, paths)
	c.Args = append(c.Args, common.Args...)
	return c
}

// FuncOf resolves a func-typed value: a declared function, a literal, a method
// value (whose receiver becomes the first argument), a variable or a field that
// is assigned once.
func FuncOf(v ssa.Value, paths *Paths) Callee {
	for range maxSteps {
		switch x := v.(type) {
		case *ssa.Function:
			return functionCallee(x, nil, nil)
		case *ssa.MakeClosure:
			fn, ok := x.Fn.(*ssa.Function)
			if !ok {
				return Callee{Value: v}
			}
			return functionCallee(fn, x, x.Bindings)
		case *ssa.ChangeType:
			v = x.X
			continue
		case *ssa.MultiConvert:
			v = x.X
			continue
		}
		next := paths.assigned(v)
		if next == nil || next == v {
			break
		}
		v = next
	}
	if m := paths.methods[Variable(v)]; m != nil && v.Parent() != nil {
		c := Bound(v.Parent().Prog, m)
		c.From = Variable(v)
		return c
	}
	return Callee{Value: v}
}

func functionCallee(fn *ssa.Function, closure *ssa.MakeClosure, bindings []ssa.Value) Callee {
	if origin := fn.Origin(); origin != nil {
		fn = origin
	}
	obj, _ := fn.Object().(*types.Func)
	if fn.Synthetic != "" && obj != nil && closure != nil {
		// A bound method value: its only binding is the receiver.
		c := Callee{Func: obj.Origin(), Args: append([]ssa.Value(nil), bindings...)}
		if body := fn.Prog.FuncValue(obj.Origin()); body != nil && len(body.Blocks) > 0 {
			c.Body = body
		}
		if sig, ok := obj.Type().(*types.Signature); ok && sig.Recv() != nil && types.IsInterface(sig.Recv().Type()) {
			c.Invoke, c.Body = true, nil
		}
		return c
	}
	if obj != nil {
		obj = obj.Origin()
		if fn.Synthetic != "" {
			// A wrapper (promoted method, method expression) does what the method does.
			if body := fn.Prog.FuncValue(obj); body != nil {
				fn = body
			}
			if sig, ok := obj.Type().(*types.Signature); ok && sig.Recv() != nil && types.IsInterface(sig.Recv().Type()) {
				return Callee{Func: obj, Invoke: true}
			}
		}
	}
	c := Callee{Func: obj}
	if len(fn.Blocks) > 0 {
		c.Body = fn
		c.Lit = closure
	}
	return c
}

// OnlyCall returns the arguments of the one call, go or defer statement in which
// a literal stands, nil if it is used in any other way.
func OnlyCall(lit *ssa.Function) []ssa.Value {
	var value ssa.Value = lit
	refs := lit.Referrers()
	if refs != nil && len(*refs) == 1 {
		if mc, ok := (*refs)[0].(*ssa.MakeClosure); ok {
			value, refs = mc, mc.Referrers()
		}
	}
	if refs == nil || len(*refs) != 1 {
		return nil
	}
	call, ok := (*refs)[0].(ssa.CallInstruction)
	if !ok || call.Common().Value != value {
		return nil
	}
	return call.Common().Args
}

// MadeBy returns the instruction whose result, or one of whose results, v is: a
// call, mostly. It is nil for a value that is neither a call nor a part of a
// tuple.
func MadeBy(v ssa.Value) ssa.Instruction {
	switch v := v.(type) {
	case *ssa.Call:
		return v
	case *ssa.Extract:
		instr, _ := v.Tuple.(ssa.Instruction)
		return instr
	}
	return nil
}

// maxSteps bounds every walk along a chain of values.
const maxSteps = 64
