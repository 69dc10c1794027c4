// Package deadline says what ends a wait: of a context, of what carries one, and
// of a client, dialer, server or connection by its settings.
//
// It follows the value, not the argument: through variables, closures, fields of
// the package, results of helpers and constructors. It knows neither APIs nor
// summaries; [Knowledge] tells what calls return and which fields of a struct
// bound what is done with it. What is not known is [effect.EndUnknown], and two
// values that differ are unknown together.
package deadline

import (
	"go/token"
	"go/types"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/ir"
)

// A Value is when something ends.
type Value struct {
	End   effect.End
	Param int           // EndCaller: index of the parameter, -1 the receiver
	Dur   time.Duration // EndDeadline: if it is known

	// Cancelled says of EndCaller that a cancel ends it besides.
	Cancelled bool

	// Pos is where a value that never ends comes from: the call of
	// context.Background, the literal of a client.
	Pos token.Pos

	// Other is the same of the second of two values of [Both].
	Other token.Pos

	// none marks the value of a path that adds nothing: nil, or the value
	// itself in a loop.
	none bool
}

func (v Value) same(o Value) bool {
	return v.End == o.End && v.Param == o.Param && v.Cancelled == o.Cancelled
}

// join is what both say. Values that differ are unknown together.
func join(a, b Value) Value {
	switch {
	case a.none:
		return b
	case b.none:
		return a
	case !a.same(b):
		return Value{}
	}
	if a.Dur != b.Dur {
		a.Dur = 0
	}
	return a
}

// Both is when an operation ends that either of two values can end: the context
// of the request or the client. Where one is not known, nothing is; where both
// come from the caller, it would take both to tell.
func Both(a, b Value) Value {
	switch {
	case a.none:
		return b
	case b.none:
		return a
	case a.End == effect.EndDeadline:
		return a
	case b.End == effect.EndDeadline:
		return b
	case a.End == effect.EndUnknown || b.End == effect.EndUnknown:
		return Value{}
	case a.End == effect.EndCaller && b.End == effect.EndCaller:
		return Value{}
	case a.End == effect.EndCaller || b.End == effect.EndNever:
		a.Other = b.Pos
		return a
	case b.End == effect.EndCaller || a.End == effect.EndNever:
		return b
	}
	return a // cancel only
}

// Nothing is the value that [Both] ignores.
func Nothing() Value { return Value{none: true} }

// A Result says when a result of a call ends.
type Result struct {
	End effect.End

	// Arg is what it ends with (EndCaller), what cancels it besides
	// (EndCancel), or the duration (EndDeadline); nil if there is none.
	Arg ssa.Value
	Dur time.Duration

	// Or is what may end it besides (EndCaller), if it has settings; nil if there
	// is none.
	Or ssa.Value
}

// Knowledge is what a package's summary knows and this package does not.
type Knowledge interface {
	// Result says when result i of a call ends, by its row or fact.
	Result(call *ssa.Call, i int) (Result, bool)

	// Settings lists the fields that bound what is done with a struct of the
	// type of v, or of what v points to, and those that lead to more of them.
	Settings(v ssa.Value) (timeouts, through []string, ok bool)

	// Wraps names the method by which what is in an interface of type t hands on
	// what it is asked for, "" if there is none.
	Wraps(t types.Type) string

	// Kept reports whether values of type t, which may carry a context, carry
	// none where they are kept in a field or variable, unless they are given one.
	Kept(t types.Type) bool

	// Var says when a package variable of another package ends.
	Var(g *ssa.Global) (effect.End, bool)

	// Harmless reports whether a call leaves the settings of its arguments alone.
	Harmless(call *ssa.CallCommon) bool

	// Test reports whether a function stands in a test file.
	Test(fn *ssa.Function) bool
}

// A Package answers for the values of one package.
type Package struct {
	funcs []*ssa.Function
	paths *ir.Paths
	know  Knowledge

	// closed says that every assignment to what the package does not export
	// is among funcs.
	closed bool

	memo  map[ssa.Value]Value
	busy  map[ssa.Value]bool
	loops int // how many values in work were met again

	index *index
}

// New returns the answers for a package with the given functions, initialisers
// among them. Unless closed, fields and variables are unknown.
func New(funcs []*ssa.Function, paths *ir.Paths, know Knowledge, closed bool) *Package {
	return &Package{
		funcs: funcs, paths: paths, know: know, closed: closed,
		memo: make(map[ssa.Value]Value), busy: make(map[ssa.Value]bool),
	}
}

// maxDepth bounds every walk along values.
const maxDepth = 40

// Of says when v ends.
func (p *Package) Of(v ssa.Value) Value {
	out := p.of(v, 0)
	if out.none {
		return Value{}
	}
	return out
}

func (p *Package) of(v ssa.Value, depth int) Value {
	if v == nil || depth > maxDepth {
		return Value{}
	}
	if out, ok := p.memo[v]; ok {
		return out
	}
	if p.busy[v] {
		p.loops++
		return Value{none: true}
	}
	before := p.loops
	p.busy[v] = true
	out := p.find(v, depth+1)
	delete(p.busy, v)
	if p.loops == before { // else it depends on where the walk began
		p.memo[v] = out
	}
	if depth == 0 {
		p.loops = 0
	}
	return out
}

func (p *Package) find(v ssa.Value, depth int) Value {
	switch x := v.(type) {
	case *ssa.Const:
		return Value{none: x.Value == nil} // nil, or a struct in which nothing is set
	case *ssa.Parameter:
		return p.parameter(x, depth)
	case *ssa.FreeVar:
		if b := p.paths.Binding(x); b != nil {
			return p.of(b, depth)
		}
	case *ssa.MakeInterface:
		if out, ok := p.wrapper(x, depth); ok {
			return out
		}
		return p.of(x.X, depth)
	case *ssa.ChangeInterface:
		return p.of(x.X, depth)
	case *ssa.ChangeType:
		return p.of(x.X, depth)
	case *ssa.TypeAssert:
		return p.of(x.X, depth)
	case *ssa.Phi:
		return p.joinAll(x.Edges, depth)
	case *ssa.UnOp:
		if x.Op == token.MUL {
			return p.load(x, depth)
		}
	case *ssa.Extract:
		switch t := x.Tuple.(type) {
		case *ssa.Call:
			return p.made(x, t, x.Index, depth)
		case *ssa.TypeAssert:
			return p.of(t.X, depth)
		}
	case *ssa.Call:
		return p.made(x, x, 0, depth)
	case *ssa.Alloc, *ssa.FieldAddr, *ssa.Global:
		return p.object(v, depth)
	}
	return Value{}
}

func (p *Package) joinAll(list []ssa.Value, depth int) Value {
	out := Value{none: true}
	for _, v := range list {
		out = join(out, p.of(v, depth))
	}
	return out
}

// parameter is what the caller gives. The caller of a literal is known only where
// it is called, deferred or started in place.
func (p *Package) parameter(x *ssa.Parameter, depth int) Value {
	if out, ok := p.settings(x, depth); ok {
		return out
	}
	fn := x.Parent()
	if fn.Parent() != nil {
		if args := ir.OnlyCall(fn); args != nil {
			for i, q := range fn.Params {
				if q == x && i < len(args) {
					return p.of(args[i], depth)
				}
			}
		}
		return Value{}
	}
	for i, q := range fn.Params {
		if q == x {
			if fn.Signature.Recv() != nil {
				i--
			}
			return Value{End: effect.EndCaller, Param: i}
		}
	}
	return Value{}
}

// load is what a variable holds.
func (p *Package) load(x *ssa.UnOp, depth int) Value {
	if out, ok := p.settings(x, depth); ok {
		return out
	}
	if _, _, ok := p.know.Settings(x.X); ok && !isPointer(x.Type()) {
		return p.object(x.X, depth) // a copy of the struct
	}
	switch addr := x.X.(type) {
	case *ssa.FreeVar:
		if b, ok := p.paths.Binding(addr).(*ssa.Alloc); ok {
			return p.local(b, depth)
		}
	case *ssa.Alloc:
		return p.local(addr, depth)
	case *ssa.FieldAddr:
		if f := ir.FieldVar(addr.X.Type(), addr.Field); f != nil {
			if !p.private(f, addr.X.Type()) {
				return p.ownField(addr, depth)
			}
			if p.know.Kept(x.Type()) {
				return p.kept(f.Origin(), depth)
			}
			return p.stored(f.Origin(), depth)
		}
	case *ssa.Global:
		if end, ok := p.know.Var(addr); ok {
			return p.foreign(addr, end)
		}
		if p.privateVar(addr) {
			if p.know.Kept(x.Type()) {
				return p.kept(addr, depth)
			}
			return p.stored(addr, depth)
		}
	}
	return Value{}
}

// local joins what is stored to a local variable.
func (p *Package) local(a *ssa.Alloc, depth int) Value {
	stores, ok := p.paths.Stores(a)
	if !ok || len(stores) == 0 {
		return Value{}
	}
	out := Value{none: true}
	for _, s := range stores {
		out = join(out, p.of(s.Val, depth))
	}
	return out
}

// made is a result of a call.
func (p *Package) made(v ssa.Value, call *ssa.Call, i, depth int) Value {
	if out, ok := p.settings(v, depth); ok {
		return out
	}
	if p.escapes(v, 0) {
		return Value{}
	}
	if r, ok := p.know.Result(call, i); ok {
		return p.result(call, r, depth)
	}
	c := ir.CalleeOf(call.Common(), p.paths)
	if c.Body == nil || c.Invoke {
		return Value{}
	}
	out := Value{none: true}
	for _, b := range c.Body.Blocks {
		if len(b.Instrs) == 0 {
			continue
		}
		if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && i < len(ret.Results) {
			if failed(ret, i) {
				continue
			}
			out = join(out, p.of(ret.Results[i], depth))
		}
	}
	if out.End == effect.EndCaller && !out.none {
		j := out.Param
		if c.Body.Signature.Recv() != nil {
			j++
		}
		if j < 0 || j >= len(c.Args) {
			return Value{}
		}
		return p.of(c.Args[j], depth).cancelled(out.Cancelled)
	}
	return out
}

// cancelled is v with a cancel besides, if there is one.
func (v Value) cancelled(besides bool) Value {
	switch {
	case !besides || v.none:
	case v.End == effect.EndNever:
		v.End = effect.EndCancel
	case v.End == effect.EndCaller:
		v.Cancelled = true
	}
	return v
}

// Cancelled is v with a cancel besides.
func Cancelled(v Value) Value { return v.cancelled(true) }

// failed reports whether a return gives a zero value beside an error.
func failed(ret *ssa.Return, i int) bool {
	c, ok := ret.Results[i].(*ssa.Const)
	return ok && c.IsNil()
}

func (p *Package) result(call *ssa.Call, r Result, depth int) Value {
	switch r.End {
	case effect.EndNever:
		return Value{End: effect.EndNever, Pos: call.Pos()}
	case effect.EndCaller:
		out := p.of(r.Arg, depth)
		if mi, ok := r.Or.(*ssa.MakeInterface); ok {
			if _, _, ok := p.know.Settings(mi.X); ok {
				out = Both(out, p.of(mi.X, depth))
			}
		}
		if out.Pos == token.NoPos {
			out.Pos = call.Pos()
		}
		return out
	case effect.EndCancel:
		return p.of(r.Arg, depth).cancelled(true)
	case effect.EndDeadline:
		d := r.Dur
		if c, ok := r.Arg.(*ssa.Const); ok && c.Value != nil {
			d = time.Duration(c.Int64())
		}
		return Value{End: effect.EndDeadline, Dur: d}
	}
	return Value{}
}

// Fn says when the results of a function end, for the packages that import this
// one.
func (p *Package) Fn(fn *ssa.Function, i int) Value {
	out := Value{none: true}
	for _, b := range fn.Blocks {
		if len(b.Instrs) == 0 {
			continue
		}
		if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && i < len(ret.Results) && !failed(ret, i) {
			out = join(out, p.of(ret.Results[i], 0))
		}
	}
	if out.none {
		return Value{}
	}
	return out
}
