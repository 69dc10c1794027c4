package deadline

import (
	"go/constant"
	"go/token"
	"go/types"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/ir"
)

// A setting is a field of a carrier that is set.
type setting struct {
	field string
	value ssa.Value // nil if its address is given away
	test  bool
}

// index is what the package stores where.
type index struct {
	// values holds what is stored to a field (*types.Var) or a package variable
	// (*ssa.Global).
	values map[any][]stored

	// settings holds what is set in a carrier, by what the carrier is reached
	// through: a field, a package variable, or a value of one function.
	settings map[any][]setting

	// given are the package variables and fields whose address is given away.
	given map[any]bool

	// calls holds the calls of the package's own functions outside tests.
	calls map[*ssa.Function][]*ssa.CallCommon
}

type stored struct {
	value ssa.Value
	test  bool
	fn    *ssa.Function
}

func (p *Package) indexed() *index {
	if p.index != nil {
		return p.index
	}
	x := &index{values: make(map[any][]stored), settings: make(map[any][]setting), given: make(map[any]bool), calls: make(map[*ssa.Function][]*ssa.CallCommon)}
	p.index = x
	for _, fn := range p.funcs {
		test := p.know.Test(fn)
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				switch s := instr.(type) {
				case *ssa.Store:
					p.indexStore(s, test)
				case *ssa.Call:
					p.indexArgs(s.Call.Args, test)
					if callee := s.Call.StaticCallee(); callee != nil && !test && callee.Blocks != nil && len(s.Call.Args) > 0 {
						x.calls[callee] = append(x.calls[callee], &s.Call)
					}
				case *ssa.Defer:
					p.indexArgs(s.Call.Args, test)
				case *ssa.Go:
					p.indexArgs(s.Call.Args, test)
				}
			}
		}
	}
	return x
}

func (p *Package) indexStore(s *ssa.Store, test bool) {
	x := p.index
	switch addr := s.Addr.(type) {
	case *ssa.FieldAddr:
		f := ir.FieldVar(addr.X.Type(), addr.Field)
		if f == nil {
			return
		}
		x.values[f.Origin()] = append(x.values[f.Origin()], stored{s.Val, test, s.Parent()})
		if _, _, ok := p.know.Settings(addr.X); ok {
			k := p.key(addr.X)
			x.settings[k] = append(x.settings[k], setting{f.Name(), s.Val, test})
		}
	case *ssa.Global:
		x.values[addr] = append(x.values[addr], stored{s.Val, test, s.Parent()})
	}
}

// indexArgs notes settings whose address is given away: a flag, mostly.
func (p *Package) indexArgs(args []ssa.Value, test bool) {
	for _, a := range args {
		addr, ok := a.(*ssa.FieldAddr)
		if !ok {
			continue
		}
		f := ir.FieldVar(addr.X.Type(), addr.Field)
		if f == nil {
			continue
		}
		if _, _, ok := p.know.Settings(addr.X); ok {
			k := p.key(addr.X)
			p.index.settings[k] = append(p.index.settings[k], setting{f.Name(), nil, test})
		}
	}
}

// key is what a carrier is reached through.
func (p *Package) key(v ssa.Value) any {
	for range maxDepth {
		switch x := v.(type) {
		case *ssa.UnOp:
			if x.Op != token.MUL {
				return v
			}
			switch addr := x.X.(type) {
			case *ssa.Alloc, *ssa.FreeVar:
				v = addr
				if a, ok := p.alloc(addr); ok {
					if stores, ok := p.paths.Stores(a); ok && len(stores) == 1 {
						v = stores[0].Val
						continue
					}
					return a
				}
				return v
			default:
				v = addr
				continue
			}
		case *ssa.FieldAddr:
			if f := ir.FieldVar(x.X.Type(), x.Field); f != nil {
				return f.Origin()
			}
			return v
		case *ssa.FreeVar:
			b := p.paths.Binding(x)
			if b == nil {
				return v
			}
			v = b
			continue
		case *ssa.TypeAssert:
			v = x.X
			continue
		case *ssa.MakeInterface:
			v = x.X
			continue
		}
		return v
	}
	return v
}

func (p *Package) alloc(v ssa.Value) (*ssa.Alloc, bool) {
	if fv, ok := v.(*ssa.FreeVar); ok {
		v = p.paths.Binding(fv)
	}
	a, ok := v.(*ssa.Alloc)
	return a, ok
}

// settings looks whether something sets a timeout of the carrier v, or something
// that it uses which is not known. It is false if nothing is set that counts.
func (p *Package) settings(v ssa.Value, depth int) (Value, bool) {
	if _, _, ok := p.know.Settings(v); !ok {
		return Value{}, false
	}
	return p.settingsOf(p.key(v), v, depth)
}

func (p *Package) settingsOf(key any, v ssa.Value, depth int) (Value, bool) {
	timeouts, through, ok := p.know.Settings(v)
	if !ok {
		return Value{}, false
	}
	unknown := false
	for _, s := range p.indexed().settings[key] {
		if s.test && !p.know.Test(v.Parent()) {
			continue
		}
		for _, name := range timeouts {
			if name != s.field {
				continue
			}
			if s.value == nil {
				return Value{End: effect.EndDeadline}, true
			}
			c, isConst := s.value.(*ssa.Const)
			if !isConst {
				return Value{End: effect.EndDeadline}, true
			}
			if c.Value != nil && c.Value.Kind() == constant.Int && c.Int64() > 0 {
				return Value{End: effect.EndDeadline, Dur: time.Duration(c.Int64())}, true
			}
		}
		for _, name := range through {
			if name != s.field {
				continue
			}
			out := p.of(s.value, depth)
			switch {
			case out.none || out.End == effect.EndNever:
			case out.End == effect.EndDeadline:
				return out, true
			default:
				unknown = true
			}
		}
	}
	return Value{}, unknown
}

// object is a carrier at an address: a local variable or a literal, a field or a
// package variable that holds the struct itself.
func (p *Package) object(v ssa.Value, depth int) Value {
	if _, _, ok := p.know.Settings(v); !ok {
		return Value{}
	}
	if out, ok := p.settings(v, depth); ok {
		return out
	}
	zero := Value{End: effect.EndNever, Pos: v.Pos()}
	switch x := v.(type) {
	case *ssa.Alloc:
		if p.escapes(x, 0) {
			return Value{}
		}
		stores, ok := p.paths.Stores(x)
		if !ok {
			stores = storesTo(x)
		}
		out := Value{none: true}
		for _, s := range stores {
			out = join(out, p.of(s.Val, depth))
		}
		if out.none {
			return zero
		}
		return out
	case *ssa.FieldAddr:
		f := ir.FieldVar(x.X.Type(), x.Field)
		if f == nil || !p.private(f, x.X.Type()) {
			return Value{}
		}
		return p.storedOr(f.Origin(), zero, depth)
	case *ssa.Global:
		if end, ok := p.know.Var(x); ok {
			return p.foreign(x, end)
		}
		if !p.privateVar(x) {
			return Value{}
		}
		return p.storedOr(x, zero, depth)
	}
	return Value{}
}

func storesTo(a *ssa.Alloc) []*ssa.Store {
	var out []*ssa.Store
	if a.Referrers() == nil {
		return nil
	}
	for _, r := range *a.Referrers() {
		if s, ok := r.(*ssa.Store); ok && s.Addr == ssa.Value(a) {
			out = append(out, s)
		}
	}
	return out
}

// stored joins what the package stores to a field or variable.
func (p *Package) stored(key any, depth int) Value { return p.storedOr(key, Value{}, depth) }

func (p *Package) storedOr(key any, zero Value, depth int) Value {
	out := Value{none: true}
	for _, s := range p.indexed().values[key] {
		if s.test {
			continue
		}
		v := p.of(s.value, depth)
		if v.End == effect.EndCaller && !v.none {
			return Value{} // any caller of whoever stores it
		}
		out = join(out, v)
	}
	if out.none {
		return zero
	}
	return out
}

// Receiver is when the receiver ends of the method values that are stored to a
// field, or to a package variable.
func (p *Package) Receiver(of *types.Var) Value {
	list := p.indexed().values[of]
	for key, vals := range p.index.values {
		if g, ok := key.(*ssa.Global); ok && len(list) == 0 && g.Object() == types.Object(of) {
			list = vals
			break
		}
	}
	out := Value{none: true}
	for _, s := range list {
		mc, ok := s.value.(*ssa.MakeClosure)
		if s.test {
			continue
		}
		if !ok || len(mc.Bindings) != 1 {
			return Value{}
		}
		out = join(out, p.of(mc.Bindings[0], 1))
	}
	if out.none || out.End == effect.EndCaller {
		return Value{}
	}
	return out
}

// ownField is a field that other packages may set, of a struct that is made in
// this very function.
func (p *Package) ownField(addr *ssa.FieldAddr, depth int) Value {
	a, ok := p.key(addr.X).(*ssa.Alloc)
	if !ok || a.Referrers() == nil {
		return Value{}
	}
	if len(storesTo(a)) > 0 {
		return Value{} // a copy of a struct from elsewhere
	}
	out := Value{none: true}
	for _, r := range *a.Referrers() {
		if call, ok := r.(ssa.CallInstruction); ok && !p.know.Harmless(call.Common()) {
			return Value{} // whoever is given the struct may set it
		}
		fa, ok := r.(*ssa.FieldAddr)
		if !ok || fa.Field != addr.Field || fa.Referrers() == nil {
			continue
		}
		for _, fr := range *fa.Referrers() {
			if s, ok := fr.(*ssa.Store); ok && s.Addr == ssa.Value(fa) {
				out = join(out, p.of(s.Val, depth))
			}
		}
	}
	return out
}

// private reports whether only this package can set a field: it is not
// exported, or the struct is not.
func (p *Package) private(f *types.Var, owner types.Type) bool {
	if !p.closed || len(p.funcs) == 0 || f.Pkg() == nil || f.Pkg() != p.pkg() {
		return false
	}
	if !f.Exported() {
		return true
	}
	if ptr, ok := types.Unalias(owner).Underlying().(*types.Pointer); ok {
		owner = ptr.Elem()
	}
	named, ok := types.Unalias(owner).(*types.Named)
	return ok && !named.Obj().Exported()
}

func (p *Package) pkg() *types.Package {
	for _, fn := range p.funcs {
		fn = ir.Outermost(fn)
		if fn.Pkg != nil {
			return fn.Pkg.Pkg
		}
	}
	return nil
}

func (p *Package) privateVar(g *ssa.Global) bool {
	if !p.closed || g.Pkg == nil || g.Pkg.Pkg != p.pkg() {
		return false
	}
	return !token.IsExported(g.Name()) || g.Pkg.Pkg.Name() == "main"
}

// Unset reports whether a package variable always has its zero value.
func (p *Package) Unset(g *ssa.Global) bool {
	if !p.privateVar(g) {
		return false
	}
	for _, s := range p.indexed().values[g] {
		if c, ok := s.value.(*ssa.Const); !s.test && (!ok || c.Value != nil) {
			return false
		}
	}
	return true
}

// foreign is a variable of another package, such as the default client, unless
// this package sets it, or something in it.
func (p *Package) foreign(g *ssa.Global, end effect.End) Value {
	x := p.indexed()
	if len(x.values[g]) > 0 || len(x.settings[g]) > 0 {
		return Value{}
	}
	return Value{End: end}
}

// Default is a variable of another package by its name, "net/http.DefaultClient".
func (p *Package) Default(name string, end effect.End) Value {
	x := p.indexed()
	for k := range x.values {
		if g, ok := k.(*ssa.Global); ok && globalName(g) == name {
			return Value{}
		}
	}
	for k := range x.settings {
		if g, ok := k.(*ssa.Global); ok && globalName(g) == name {
			return Value{}
		}
	}
	return Value{End: end}
}

func globalName(g *ssa.Global) string {
	if g.Pkg == nil {
		return g.Name()
	}
	return g.Pkg.Pkg.Path() + "." + g.Name()
}

// escapes reports whether a carrier is given to something that may set its
// timeouts where that is not seen.
func (p *Package) escapes(v ssa.Value, depth int) bool {
	if _, _, ok := p.know.Settings(v); !ok {
		return false
	}
	return p.escapesTo(v, 0)
}

func (p *Package) escapesTo(v ssa.Value, depth int) bool {
	if v.Referrers() == nil || depth > 4 {
		return false
	}
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.Call:
			if p.sets(&r.Call, v, depth) {
				return true
			}
		case *ssa.Defer:
			if p.sets(&r.Call, v, depth) {
				return true
			}
		case *ssa.Store:
			if r.Val == v {
				if len(p.storeSettings(r.Addr, v)) > 0 {
					return true
				}
				if a, ok := r.Addr.(*ssa.Alloc); ok && p.escapesTo(a, depth+1) {
					return true
				}
			}
		case *ssa.UnOp:
			if r.Op == token.MUL && isPointer(r.Type()) && p.escapesTo(r, depth+1) {
				return true
			}
		case *ssa.MakeInterface:
			if p.escapesTo(r, depth+1) {
				return true
			}
		case *ssa.Phi:
			if p.escapesTo(r, depth+1) {
				return true
			}
		}
	}
	return false
}

// storeSettings lists what is set later through the place that v is stored to.
func (p *Package) storeSettings(addr ssa.Value, v ssa.Value) []setting {
	timeouts, _, _ := p.know.Settings(v)
	var out []setting
	switch addr.(type) {
	case *ssa.FieldAddr, *ssa.Global:
		for _, s := range p.indexed().settings[p.key(addr)] {
			for _, name := range timeouts {
				if s.field == name {
					out = append(out, s)
				}
			}
		}
	}
	return out
}

// sets reports whether a call may set the timeouts of its argument v.
func (p *Package) sets(call *ssa.CallCommon, v ssa.Value, depth int) bool {
	if p.know.Harmless(call) {
		return false
	}
	c := ir.CalleeOf(call, p.paths)
	if c.Body == nil || c.Invoke {
		return true
	}
	for i, a := range c.Args {
		if a != v || i >= len(c.Body.Params) {
			continue
		}
		q := c.Body.Params[i]
		if out, ok := p.settings(q, maxDepth/2); ok && out.End != effect.EndNever {
			return true
		}
		if p.escapesTo(q, depth+1) {
			return true
		}
	}
	return false
}

func isPointer(t types.Type) bool {
	switch types.Unalias(t).Underlying().(type) {
	case *types.Pointer, *types.Interface:
		return true
	}
	return false
}
