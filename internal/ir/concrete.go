package ir

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// AssignType says that whatever is assigned to an interface-typed field or
// package variable is of type t.
func (p *Paths) AssignType(field *types.Var, t types.Type) { p.types[field] = t }

// AssignMethod says that the value of method m of some receiver is all that is
// ever assigned to a func-typed field or package variable.
func (p *Paths) AssignMethod(field *types.Var, m *types.Func) { p.methods[field] = m }

// concrete returns the type of what is in an interface value, nil if that is
// not known.
func (p *Paths) concrete(v ssa.Value) types.Type {
	for range maxSteps {
		switch x := v.(type) {
		case *ssa.MakeInterface:
			return x.X.Type()
		case *ssa.ChangeInterface:
			v = x.X
			continue
		}
		if field := Variable(v); field != nil {
			return p.types[field]
		}
		next := p.assigned(v)
		if next == nil || next == v {
			return nil
		}
		v = next
	}
	return nil
}

// Variable is the field or package variable that v is loaded from.
func Variable(v ssa.Value) *types.Var {
	switch x := v.(type) {
	case *ssa.UnOp:
		if x.Op != token.MUL {
			return nil
		}
		switch addr := x.X.(type) {
		case *ssa.FieldAddr:
			if f := FieldVar(addr.X.Type(), addr.Field); f != nil {
				return f.Origin()
			}
		case *ssa.Global:
			v, _ := addr.Object().(*types.Var)
			return v
		}
	case *ssa.Field:
		if f := FieldVar(x.X.Type(), x.Field); f != nil {
			return f.Origin()
		}
	}
	return nil
}

// implementation returns the method that an invoke call runs, if the type in the
// interface is known.
func implementation(common *ssa.CallCommon, paths *Paths) (Callee, bool) {
	t := paths.concrete(common.Value)
	if t == nil || types.IsInterface(t) {
		return Callee{}, false
	}
	obj, _, _ := types.LookupFieldOrMethod(t, true, common.Method.Pkg(), common.Method.Name())
	fn, ok := obj.(*types.Func)
	if !ok {
		return Callee{}, false
	}
	if sig, ok := fn.Type().(*types.Signature); !ok || sig.Recv() == nil || types.IsInterface(sig.Recv().Type()) {
		return Callee{}, false // promoted from an interface that is embedded
	}
	c := Callee{Func: fn.Origin(), Args: append([]ssa.Value{common.Value}, common.Args...)}
	if caller := common.Value.Parent(); caller != nil {
		c.Body = built(caller.Prog, c.Func)
	}
	return c, true
}

// Bound is the callee of a method value of which only the method is known.
func Bound(prog *ssa.Program, m *types.Func) Callee {
	m = m.Origin()
	sig, ok := m.Type().(*types.Signature)
	if !ok || sig.Recv() == nil {
		return Callee{}
	}
	c := Callee{Func: m, Args: []ssa.Value{ssa.NewConst(nil, sig.Recv().Type())}} // of which no path is known
	if types.IsInterface(sig.Recv().Type()) {
		c.Invoke = true
		return c
	}
	c.Body = built(prog, m)
	return c
}

func built(prog *ssa.Program, fn *types.Func) *ssa.Function {
	if body := prog.FuncValue(fn); body != nil && len(body.Blocks) > 0 {
		return body
	}
	return nil
}
