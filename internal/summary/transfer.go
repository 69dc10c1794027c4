package summary

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/region"
)

// goStmt hands over what the new goroutine is given.
func (f *function) goStmt(x *ssa.Go) {
	c, t := f.targetOf(x.Common())
	args := c.Args
	if c.Lit != nil {
		args = append(slices.Clone(args), c.Lit.Bindings...)
	}
	if x.Common().IsInvoke() || c.Value != nil {
		args = append(slices.Clone(args), x.Common().Args...)
	}
	for _, a := range args {
		f.drop(x, a)
	}
	if t == nil || t.sum == nil {
		return
	}
	hasRecv := t.hasRecv()
	for _, u := range t.sum.Unlocks {
		if p := f.in.paths.Import(u.Path, c.Args, hasRecv, f.fn); p != "" {
			f.event(x, event{Verb: region.Drop, Path: p})
		}
	}
	for _, list := range [][]effect.Path{t.sum.Releases, t.sum.Keeps} {
		for _, p := range list {
			if p = f.in.paths.Import(p, c.Args, hasRecv, f.fn); p != "" {
				f.event(x, event{Verb: region.Drop, Path: p})
			}
		}
	}
}

// drop ends what is held of v: somebody else has it now. A lock is never handed
// over this way, since what has the lock in it is not the lock.
func (f *function) drop(instr ssa.Instruction, v ssa.Value) {
	if !mayBeHeld(v.Type()) {
		return
	}
	if p := f.in.paths.Of(v); p != "" {
		f.event(instr, event{Verb: region.Drop, Path: p})
	}
}

// mayBeHeld reports whether a value of type t can be a transaction or the like:
// a pointer or an interface, or the variable of one.
func mayBeHeld(t types.Type) bool {
	t = types.Unalias(t)
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
		if inner, ok := t.Underlying().(*types.Pointer); ok {
			t = types.Unalias(inner.Elem())
		}
	}
	if table().Held(t) != effect.NoClass {
		return true
	}
	switch t.Underlying().(type) {
	case *types.Interface:
		return true
	case *types.Struct:
		_, named := t.(*types.Named)
		return named
	}
	return false
}

// store ends a region when the thing is put where others find it. A struct made
// here that only wraps the thing is still ours.
func (f *function) store(x *ssa.Store) {
	if !mayBeHeld(x.Val.Type()) {
		return
	}
	switch addr := x.Addr.(type) {
	case *ssa.Alloc, *ssa.FreeVar:
		return
	case *ssa.FieldAddr:
		if a, ok := f.in.paths.Root(f.in.paths.Of(addr.X)).(*ssa.Alloc); ok && a.Parent() == f.fn {
			return
		}
	}
	f.drop(x, x.Val)
}
