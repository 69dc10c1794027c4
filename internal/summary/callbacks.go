package summary

import (
	"go/constant"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/ir"
	"github.com/concvet/concvet/internal/knowledge"
)

// A Callback says on whose loop a function runs.
type Callback struct {
	Loop  string        // what a person calls it
	Kinds []effect.Kind // what does not belong there, nil for every wait
	Free  bool          // whatever runs there may take its time
}

func callbackOf(l *knowledge.Loop) *Callback {
	return &Callback{Loop: l.Label, Kinds: l.Kinds, Free: l.Free}
}

// Awaits is the loop that an effect waits for, "" if it waits for none.
func (r *Result) Awaits(e effect.Effect) string {
	if row := table().Row(e.API); row != nil && e.Kind == effect.Turn {
		return row.Awaits
	}
	return ""
}

// Callback returns the loop that a library runs fn on, nil if it is not known to
// run it on one.
func (r *Result) Callback(fn *ssa.Function) *Callback {
	if r.callbacks == nil {
		r.callbacks = make(map[*ssa.Function]*Callback)
		for _, h := range r.in.callbacks {
			if row := table().Row(h.row); row != nil {
				r.hands(h.value, row.Loop)
			}
		}
		if r.in.hasLoops() {
			r.findImplementations()
			for _, fn := range r.in.funcs {
				r.findCallbacks(fn)
			}
		}
	}
	if cb := r.callbacks[fn]; cb != nil && !slices.Contains(r.in.apart, cb.Loop) {
		return cb
	}
	return nil
}

// setsApart notes that a call switches a loop off: the package has each function
// run in a goroutine.
func (in *inference) setsApart(c ir.Callee, t *target) {
	i := t.row.Apart.Param
	if t.hasRecv() {
		i++
	}
	if i < len(c.Args) {
		if k, ok := c.Args[i].(*ssa.Const); ok && k.Value != nil && k.Value.Kind() == constant.Bool && !constant.BoolVal(k.Value) {
			in.apart = append(in.apart, t.row.Apart.Label)
		}
	}
}

// EventOf returns the loop that hands out an event by a call: a loop around the
// call, or around a receive from the channel that it returns, is that loop.
func (r *Result) EventOf(call *ssa.CallCommon) *Callback {
	if !r.in.hasLoops() {
		return nil
	}
	_, t := r.in.targetOf(call)
	if t == nil || t.row == nil || t.row.Event == nil {
		return nil
	}
	return callbackOf(t.row.Event)
}

// hasLoops reports whether the package imports one that runs functions of its
// users on a loop.
func (in *inference) hasLoops() bool {
	if in.loops == nil {
		found := slices.ContainsFunc(in.pass.Pkg.Imports(), table().HasLoops)
		in.loops = &found
	}
	return *in.loops
}

// findImplementations looks for the types of the package that implement an
// interface of which some methods run on a loop.
func (r *Result) findImplementations() {
	scope := r.in.pass.Pkg.Scope()
	for _, imp := range r.in.pass.Pkg.Imports() {
		for _, row := range table().LoopMethods(imp) {
			name, method, ok := strings.Cut(strings.TrimLeft(row.Key, "("), ").")
			if !ok {
				continue
			}
			obj := imp.Scope().Lookup(name[strings.LastIndexByte(name, '.')+1:])
			if obj == nil {
				continue
			}
			iface, ok := obj.Type().Underlying().(*types.Interface)
			if !ok {
				continue
			}
			for _, name := range scope.Names() {
				obj, ok := scope.Lookup(name).(*types.TypeName)
				if !ok || obj.IsAlias() || types.IsInterface(obj.Type()) {
					continue
				}
				named, ok := obj.Type().(*types.Named)
				if !ok || named.TypeParams().Len() > 0 || !types.Implements(types.NewPointer(named), iface) {
					continue
				}
				found, _, _ := types.LookupFieldOrMethod(types.NewPointer(named), true, r.in.pass.Pkg, method)
				if m, ok := found.(*types.Func); ok && m.Pkg() == r.in.pass.Pkg {
					r.runs(r.in.pkg.SSA.Prog.FuncValue(m), row.Loop)
				}
			}
		}
	}
}

// A handed is a function that is handed to one which has it run on a loop.
type handed struct {
	value ssa.Value
	row   string // the key of the row that names the loop
}

// findCallbacks looks for the functions that fn puts into a field of a struct from
// which a loop takes them.
func (r *Result) findCallbacks(fn *ssa.Function) {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			x, ok := instr.(*ssa.Store)
			if !ok {
				continue
			}
			if fa, ok := x.Addr.(*ssa.FieldAddr); ok {
				if row := loopField(fa); row != nil {
					r.hands(x.Val, row.Loop)
				}
			}
		}
	}
}

// loopField is the row of a struct whose functions a loop runs, if the field is
// one of these.
func loopField(fa *ssa.FieldAddr) *knowledge.Row {
	row := structRow(fa.X.Type())
	if row == nil || row.Loop == nil {
		return nil
	}
	if f := ir.FieldVar(fa.X.Type(), fa.Field); f == nil || !slices.Contains(row.Loop.Fields, f.Name()) {
		return nil
	}
	return row
}

// hands notes that the function which a value is runs on a loop; of a call those
// that it returns do.
func (r *Result) hands(v ssa.Value, on *knowledge.Loop) {
	c := ir.FuncOf(unwrapped(v), r.in.paths)
	if c.Body != nil {
		r.runs(c.Body, on)
		return
	}
	call, ok := c.Value.(*ssa.Call)
	if !ok {
		return
	}
	made := ir.CalleeOf(call.Common(), r.in.paths).Body
	if made == nil || r.in.infos[made] == nil || made.Signature.Results().Len() != 1 {
		return
	}
	for _, b := range made.Blocks {
		if len(b.Instrs) == 0 {
			continue
		}
		if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok {
			r.runs(ir.FuncOf(unwrapped(ret.Results[0]), r.in.paths).Body, on)
		}
	}
}

// unwrapped takes a func out of the interface it may be in.
func unwrapped(v ssa.Value) ssa.Value {
	if x := under(v); x != nil {
		return x
	}
	return v
}

func structRow(t types.Type) *knowledge.Row {
	t = types.Unalias(t)
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	named, ok := t.(*types.Named)
	if !ok || named.Obj().Pkg() == nil || !table().HasLoops(named.Obj().Pkg()) {
		return nil
	}
	return table().TypeRow(named.Obj())
}

func (r *Result) runs(fn *ssa.Function, on *knowledge.Loop) {
	if fn != nil && r.callbacks[fn] == nil {
		r.callbacks[fn] = callbackOf(on)
	}
}

// ElemName is the name of the struct that a channel carries, or points to, as
// field keys have it: "import/path.Type".
func ElemName(t types.Type) string {
	ch, ok := types.Unalias(t).Underlying().(*types.Chan)
	if !ok {
		return ""
	}
	t = types.Unalias(ch.Elem())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	named, ok := t.(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return ""
	}
	return named.Obj().Pkg().Path() + "." + named.Obj().Name()
}
