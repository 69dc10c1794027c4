package knowledge

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
)

// Resolve checks row against the package of its key: the function or type must
// be declared there, under this very key, and every parameter and result that
// the row speaks of must exist. The error names the nearest existing name.
func Resolve(row *Row, pkg *types.Package) error {
	if row.Type {
		obj := lookupType(pkg, row.Key)
		if obj == nil {
			return fmt.Errorf("%s: no such type%s", row.Key, nearestName(pkg, row.Key))
		}
		if err := row.resolveFields(obj); err != nil {
			return err
		}
		if err := row.resolveBody(obj); err != nil {
			return err
		}
		return resolveCarrier(row, obj)
	}
	if isVar(row, pkg) {
		return nil
	}
	fn, err := lookupFunc(pkg, row.Key)
	if err != nil {
		return err
	}
	sig := fn.Type().(*types.Signature)
	for _, p := range row.params() {
		if p == NoParam {
			continue
		}
		if p < 0 && sig.Recv() == nil {
			return fmt.Errorf("%s: it has no receiver", row.Key)
		}
		if p >= sig.Params().Len() {
			return fmt.Errorf("%s: no parameter p%d, it has %d", row.Key, p, sig.Params().Len())
		}
	}
	for _, r := range row.results() {
		if r >= sig.Results().Len() {
			return fmt.Errorf("%s: no result r%d, it has %d", row.Key, r, sig.Results().Len())
		}
	}
	for _, e := range row.Effects {
		if e.Ctx >= 0 && !isNamed(sig.Params().At(e.Ctx).Type(), "context", "Context") && !isNamed(pointee(sig.Params().At(e.Ctx).Type()), "net/http", "Request") {
			return fmt.Errorf("%s: p%d is not a context.Context", row.Key, e.Ctx)
		}
		if e.Dur >= 0 && !isNamed(sig.Params().At(e.Dur).Type(), "time", "Duration") {
			return fmt.Errorf("%s: p%d is not a time.Duration", row.Key, e.Dur)
		}
	}
	if err := row.resolveLoop(sig); err != nil {
		return err
	}
	for _, c := range row.Calls {
		if c.Param >= 0 && !callable(sig, c.Param) {
			return fmt.Errorf("%s: p%d is not a function", row.Key, c.Param)
		}
	}
	return nil
}

func pointee(t types.Type) types.Type {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

func callable(sig *types.Signature, i int) bool {
	t := sig.Params().At(i).Type()
	if s, ok := t.Underlying().(*types.Slice); ok && sig.Variadic() && i == sig.Params().Len()-1 {
		t = s.Elem()
	}
	if p, ok := types.Unalias(t).(*types.TypeParam); ok {
		_, ok := p.Constraint().Underlying().(*types.Interface)
		return ok
	}
	switch t.Underlying().(type) {
	case *types.Signature, *types.Interface:
		return true
	}
	return false
}

// params lists every parameter index that the row speaks of.
func (row *Row) params() []int {
	var out []int
	for _, e := range row.Effects {
		out = append(out, e.Ctx, e.Dur, e.On, e.Pool, e.By)
	}
	for _, a := range row.Acquires {
		out = append(out, a.Pool)
	}
	for _, c := range row.Calls {
		out = append(out, c.Param, c.Pool)
	}
	for _, l := range append(append([]LockOp(nil), row.Locks...), row.Unlocks...) {
		out = append(out, l.Param)
	}
	for _, l := range row.Links {
		if p, ok := l.From.Param(); ok {
			out = append(out, p)
		}
	}
	if row.Loop != nil {
		out = append(out, row.Loop.Param)
	}
	if row.Apart != nil {
		out = append(out, row.Apart.Param)
	}
	for _, e := range row.Ends {
		out = append(out, e.Param)
	}
	if row.Window != nil {
		out = append(out, row.Window.Param, row.Window.Unless)
	}
	return slices.Concat(out, row.Releases, row.Keeps, row.Passes, row.Bounds, row.Whiles, row.Limits, row.Signals, row.Stops)
}

func (row *Row) results() []int {
	var out []int
	for _, a := range row.Acquires {
		out = append(out, a.Result, a.Err)
	}
	for _, e := range row.Ends {
		out = append(out, e.Result)
	}
	if row.Window != nil {
		out = append(out, row.Window.Result)
	}
	for _, l := range row.Links {
		if r, ok := l.To.Result(); ok {
			out = append(out, r)
		}
	}
	return out
}

func lookupType(pkg *types.Package, key string) *types.TypeName {
	obj, _ := pkg.Scope().Lookup(key[strings.LastIndexByte(key, '.')+1:]).(*types.TypeName)
	return obj
}

func lookupFunc(pkg *types.Package, key string) (*types.Func, error) {
	if !strings.HasPrefix(key, "(") {
		fn, ok := pkg.Scope().Lookup(key[strings.LastIndexByte(key, '.')+1:]).(*types.Func)
		if !ok {
			return nil, fmt.Errorf("%s: no such function%s", key, nearestName(pkg, key))
		}
		return fn, nil
	}
	typ, method, _ := strings.Cut(key[1:], ").")
	obj := lookupType(pkg, strings.TrimPrefix(typ, "*"))
	if obj == nil {
		return nil, fmt.Errorf("%s: no such type%s", key, nearestName(pkg, strings.TrimPrefix(typ, "*")))
	}
	found, _, _ := types.LookupFieldOrMethod(types.NewPointer(obj.Type()), true, pkg, method)
	if types.IsInterface(obj.Type()) {
		found, _, _ = types.LookupFieldOrMethod(obj.Type(), false, pkg, method)
	}
	fn, ok := found.(*types.Func)
	if !ok {
		return nil, fmt.Errorf("%s: no such method%s", key, Nearest(method, methodNames(obj.Type())))
	}
	if name := FullName(fn.Origin()); name != key {
		return nil, fmt.Errorf("%s: the method is declared as %s; write that", key, name)
	}
	return fn, nil
}

func methodNames(t types.Type) []string {
	var names []string
	if !types.IsInterface(t) {
		t = types.NewPointer(t)
	}
	for sel := range types.NewMethodSet(t).Methods() {
		names = append(names, sel.Obj().Name())
	}
	return names
}

func nearestName(pkg *types.Package, key string) string {
	return Nearest(key[strings.LastIndexByte(key, '.')+1:], pkg.Scope().Names())
}
