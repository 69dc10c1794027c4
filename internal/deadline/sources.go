package deadline

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/ir"
)

// Sources lists what a value may be that is loaded, or given by a caller: what
// the package stores to the variable or field, and what its functions give a
// parameter. It is the value itself where nothing of the kind is known.
func (p *Package) Sources(v ssa.Value) []ssa.Value {
	switch x := v.(type) {
	case *ssa.MakeInterface:
		return []ssa.Value{x.X}
	case *ssa.ChangeInterface:
		return []ssa.Value{x.X}
	case *ssa.ChangeType:
		return []ssa.Value{x.X}
	case *ssa.TypeAssert:
		return []ssa.Value{x.X}
	case *ssa.Phi:
		return x.Edges
	case *ssa.FreeVar:
		if b := p.paths.Binding(x); b != nil {
			return []ssa.Value{b}
		}
	case *ssa.Parameter:
		return p.givenFor(x)
	case *ssa.UnOp:
		if x.Op != token.MUL {
			break
		}
		switch addr := x.X.(type) {
		case *ssa.FreeVar, *ssa.Alloc:
			a, ok := p.alloc(addr)
			if !ok {
				break
			}
			stores, ok := p.paths.Stores(a)
			if !ok {
				stores = storesTo(a)
			}
			var out []ssa.Value
			for _, s := range stores {
				out = append(out, s.Val)
			}
			return out
		case *ssa.FieldAddr:
			if f := ir.FieldVar(addr.X.Type(), addr.Field); f != nil {
				return p.storedTo(f.Origin())
			}
		case *ssa.Global:
			return p.storedTo(addr)
		}
	}
	return nil
}

func (p *Package) storedTo(key any) []ssa.Value {
	var out []ssa.Value
	for _, s := range p.indexed().values[key] {
		if !s.test {
			out = append(out, s.value)
		}
	}
	return out
}

// givenFor lists what the functions of the package give a parameter.
func (p *Package) givenFor(x *ssa.Parameter) []ssa.Value {
	fn := x.Parent()
	var out []ssa.Value
	for i, q := range fn.Params {
		if q != x {
			continue
		}
		for _, call := range p.indexed().calls[fn] {
			if i < len(call.Args) {
				out = append(out, call.Args[i])
			}
		}
	}
	return out
}
