package summary

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/ir"
	"github.com/concvet/concvet/internal/knowledge"
)

// A target is the callee of a call, with what is known of it.
type target struct {
	sum  *effect.Summary
	row  *knowledge.Row
	name string
	pkg  string        // import path that the witness is relative to, "" for this package
	body *ssa.Function // if it is of this package
	lit  bool          // body is a literal
	sig  *types.Signature

	// reports says that the package of the callee is analysed for findings,
	// so that one in the callee need not be repeated here.
	reports bool

	// symbolic is the interface method that nothing answers, "" if known.
	symbolic string
}

// hasRecv reports whether the first argument of a call is the receiver. It is
// false for a nil target.
func (t *target) hasRecv() bool {
	return t != nil && !t.lit && t.sig != nil && t.sig.Recv() != nil
}

// targetOf resolves the callee of a call. The target is nil for a callee that
// nothing is known of.
func (in *inference) targetOf(common *ssa.CallCommon) (ir.Callee, *target) {
	c := ir.CalleeOf(common, in.paths)
	t := in.target(c)
	if loopBody(common) != nil {
		return in.iterated(common, c, t)
	}
	return c, t
}

func (in *inference) target(c ir.Callee) *target {
	if c.Func != nil {
		var recv types.Type
		if sig, ok := c.Func.Type().(*types.Signature); ok && sig.Recv() != nil && len(c.Args) > 0 {
			recv = staticType(c.Args[0])
		}
		return in.declared(c.Func, c.Body, c.Invoke, recv)
	}
	if c.Body != nil {
		return &target{sum: in.ownSummary(c.Body), name: "func literal", body: c.Body, lit: true, sig: c.Body.Signature, reports: true}
	}
	return nil
}

// staticType is the type on which a method is called: of a promoted method,
// that of the struct which embeds it.
func staticType(v ssa.Value) types.Type {
	for range 8 {
		switch x := v.(type) {
		case *ssa.UnOp:
			v = x.X
			continue
		case *ssa.FieldAddr:
			if f := ir.FieldVar(x.X.Type(), x.Field); f != nil && f.Embedded() {
				v = x.X
				continue
			}
		case *ssa.Field:
			if f := ir.FieldVar(x.X.Type(), x.Field); f != nil && f.Embedded() {
				v = x.X
				continue
			}
		}
		break
	}
	t := v.Type()
	if p, ok := t.Underlying().(*types.Pointer); ok {
		if _, ok := types.Unalias(p.Elem()).Underlying().(*types.Pointer); ok {
			t = p.Elem()
		} else if types.IsInterface(p.Elem()) {
			t = p.Elem()
		}
	}
	return t
}

func (in *inference) declared(fn *types.Func, body *ssa.Function, invoke bool, recv types.Type) *target {
	sig, _ := fn.Type().(*types.Signature)
	if row := in.rowOf(fn, recv); row != nil {
		return &target{sum: in.rowSummary(row), row: row, name: in.shortName(fn), sig: sig}
	}
	if invoke {
		impl := in.implementation(fn)
		if impl == nil {
			if in.ownInterface(fn) {
				return &target{sum: nil, name: in.shortName(fn), sig: sig, symbolic: fn.FullName()}
			}
			return nil
		}
		body = nil
		if impl.Pkg() == in.pass.Pkg {
			body = in.pkg.SSA.Prog.FuncValue(impl)
		}
		fn = impl
		sig, _ = fn.Type().(*types.Signature)
		if row := in.rowOf(fn, nil); row != nil {
			return &target{sum: in.rowSummary(row), row: row, name: in.shortName(fn), sig: sig}
		}
	}
	if body != nil && in.infos[body] != nil {
		return &target{sum: in.ownSummary(body), name: in.shortName(fn), body: body, sig: sig, reports: true}
	}
	if sum := in.bodyless[fn]; sum != nil {
		return &target{sum: sum, name: in.shortName(fn), sig: sig}
	}
	if fn.Pkg() == nil || fn.Pkg() == in.pass.Pkg {
		return nil
	}
	if t, ok := in.external[fn]; ok {
		return t
	}
	var t *target
	sum, err := imported(in.pass, fn)
	if err != nil {
		in.fail(fn, err)
	}
	if sum != nil {
		t = &target{sum: sum, name: in.shortName(fn), pkg: fn.Pkg().Path(), sig: sig, reports: in.sameModule(fn.Pkg().Path())}
	}
	in.external[fn] = t
	return t
}

// rowKey is what a row is looked up by.
type rowKey struct {
	fn   *types.Func
	recv types.Type
}

// rowOf looks a function up in the tables. The name that they are keyed by is
// made anew each time, so the answer is kept.
func (in *inference) rowOf(fn *types.Func, recv types.Type) *knowledge.Row {
	if !table().Varies(fn) {
		recv = nil
	}
	k := rowKey{fn, recv}
	row, ok := in.answers[k]
	if !ok {
		row = table().FuncOn(fn, recv)
		in.answers[k] = row
	}
	return row
}

// rowOfCallee is the row of a callee, nil if it has none, and how many arguments
// come before its first parameter: one for a receiver.
func (in *inference) rowOfCallee(c ir.Callee) (row *knowledge.Row, recv int) {
	if c.Func == nil {
		return nil, 0
	}
	if sig, ok := c.Func.Type().(*types.Signature); ok && sig.Recv() != nil {
		recv = 1
	}
	return in.rowOf(c.Func, nil), recv
}

// shortName is the name of fn as a reader of this package would write it.
func (in *inference) shortName(fn *types.Func) string {
	sig, ok := fn.Type().(*types.Signature)
	if !ok || sig.Recv() == nil {
		if fn.Pkg() == in.pass.Pkg || fn.Pkg() == nil {
			return fn.Name()
		}
		return fn.Pkg().Name() + "." + fn.Name()
	}
	typ, star := types.Unalias(sig.Recv().Type()), ""
	if p, ok := typ.(*types.Pointer); ok {
		typ, star = types.Unalias(p.Elem()), "*"
	}
	name := "interface"
	if named, ok := typ.(*types.Named); ok {
		name = named.Obj().Name()
		if pkg := named.Obj().Pkg(); pkg != nil && pkg != in.pass.Pkg {
			name = pkg.Name() + "." + name
		}
	}
	if star == "" && strings.IndexByte(name, '.') < 0 {
		return name + "." + fn.Name()
	}
	return "(" + star + name + ")." + fn.Name()
}

// rowSummary is a row in the form of a summary, so that calls of both are
// treated alike. Bounds that depend on an argument are added at the call.
func (in *inference) rowSummary(row *knowledge.Row) *effect.Summary {
	if s, ok := in.rows[row]; ok {
		return s
	}
	s := &effect.Summary{}
	for _, e := range row.Effects {
		out := effect.Effect{Kind: e.Kind, API: row.Key}
		if e.Kind == effect.DB && isOverSQL(row.Key) && in.hasLocalDatabase() {
			out.OnFile = true
		}
		switch {
		case e.Ctx != knowledge.NoParam:
			// Dur is what the library itself allows at most, 0 if nothing.
			out.Bound = effect.Bound{Kind: effect.CtxBound, Param: e.Ctx, Dur: e.Max}
		case e.Max > 0:
			out.Bound = effect.Bound{Kind: effect.ConstBound, Dur: e.Max}
		}
		if e.On != knowledge.NoParam {
			out.On = effect.ParamPath(e.On)
		}
		if e.Pool != knowledge.NoParam {
			out.Pool = effect.ParamPath(e.Pool)
		}
		s.Effects = append(s.Effects, out)
	}
	for _, p := range row.Passes {
		s.Effects = append(s.Effects, effect.Effect{Kind: effect.IO, API: row.Key, On: effect.ParamPath(p)})
	}
	for _, l := range row.Locks {
		s.Effects = append(s.Effects, effect.Effect{Kind: effect.Lock, API: row.Key, On: effect.ParamPath(l.Param)})
		if l.Try {
			s.Effects = s.Effects[:len(s.Effects)-1]
		}
		s.Locks = append(s.Locks, effect.LockOp{Class: l.Class, Path: effect.ParamPath(l.Param)})
	}
	for _, l := range row.Unlocks {
		s.Unlocks = append(s.Unlocks, effect.LockOp{Class: l.Class, Path: effect.ParamPath(l.Param)})
	}
	for _, a := range row.Acquires {
		out := effect.Acquired{Class: a.Class, Result: a.Result, Err: a.Err, OK: a.OK}
		if a.Err == knowledge.NoParam {
			out.Err = -1
		}
		if a.Pool != knowledge.NoParam {
			out.Pool = effect.ParamPath(a.Pool)
		}
		s.Acquires = append(s.Acquires, out)
	}
	for _, p := range row.Releases {
		s.Releases = append(s.Releases, effect.ParamPath(p))
	}
	for _, p := range row.Keeps {
		s.Keeps = append(s.Keeps, effect.ParamPath(p))
	}
	for _, c := range row.Calls {
		out := effect.ParamCall{Param: c.Param}
		if c.Async {
			out.Mode = effect.Async
		}
		if c.Class != effect.NoClass {
			h := effect.Held{Class: c.Class, Arg: c.Arg}
			if c.Pool != knowledge.NoParam {
				h.Path = effect.ParamPath(c.Pool)
			}
			out.Held = append(out.Held, h)
		}
		s.Calls = append(s.Calls, out)
	}
	s.Links = row.Links
	rowTasks(row, s)
	in.rows[row] = s
	return s
}

// links says which results of a call are values of its arguments.
func (in *inference) links(call *ssa.Call) []effect.Link {
	_, t := in.targetOf(call.Common())
	if t == nil || t.sum == nil {
		return nil
	}
	return t.sum.Links
}

// implementation returns the method that a call of an interface method means,
// if the package and its imports show one type only that implements it.
func (in *inference) implementation(method *types.Func) *types.Func {
	if impl, ok := in.impls[method]; ok {
		return impl
	}
	in.impls[method] = nil
	if !in.ownInterface(method) {
		return nil
	}
	sig, _ := method.Type().(*types.Signature)
	if sig == nil || sig.Recv() == nil {
		return nil
	}
	iface, ok := types.Unalias(sig.Recv().Type()).Underlying().(*types.Interface)
	if !ok || iface.NumMethods() == 0 {
		return nil
	}
	if named, ok := types.Unalias(sig.Recv().Type()).(*types.Named); ok && named.TypeParams().Len() > 0 {
		return nil
	}
	found, ok := in.implementers[iface]
	if !ok {
		found = in.implementer(iface)
		in.implementers[iface] = found
	}
	if found == nil {
		return nil
	}
	obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(found), true, found.Obj().Pkg(), method.Name())
	impl, _ := obj.(*types.Func)
	in.impls[method] = impl
	return impl
}

// implementer is the only type of the package and its imports that implements
// an interface, nil if there are several or none.
func (in *inference) implementer(iface *types.Interface) *types.Named {
	var found *types.Named
	seen := map[*types.Package]bool{}
	var visit func(pkg *types.Package, depth int) bool
	visit = func(pkg *types.Package, depth int) bool {
		if seen[pkg] || depth > 12 || !in.sameModule(pkg.Path()) {
			return true
		}
		seen[pkg] = true
		scope := pkg.Scope()
		for _, name := range scope.Names() {
			obj, ok := scope.Lookup(name).(*types.TypeName)
			if !ok || obj.IsAlias() {
				continue
			}
			named, ok := obj.Type().(*types.Named)
			if !ok || types.IsInterface(named) || named.TypeParams().Len() > 0 {
				continue
			}
			if isTestFile(in.pass.Fset, obj.Pos()) || standIn(obj) {
				continue
			}
			if types.Implements(named, iface) || types.Implements(types.NewPointer(named), iface) {
				if found != nil {
					return false
				}
				found = named
			}
		}
		for _, imp := range pkg.Imports() {
			if !visit(imp, depth+1) {
				return false
			}
		}
		return true
	}
	if !visit(in.pass.Pkg, 0) {
		return nil
	}
	return found
}

// standIn reports whether a type is there for tests, though it stands in an
// ordinary file: what it does says nothing of the real thing.
func standIn(obj *types.TypeName) bool {
	for _, name := range []string{obj.Name(), obj.Pkg().Name()} {
		name = strings.ToLower(name)
		for _, word := range []string{"mock", "fake", "stub", "dummy", "noop"} {
			if strings.Contains(name, word) {
				return true
			}
		}
	}
	return false
}
