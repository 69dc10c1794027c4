package holdacross

import (
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/region"
	"github.com/concvet/concvet/internal/summary"
)

// lockUse is what the package does under one lock, which is a struct field.
type lockUse struct {
	funcs  []string            // functions that take it
	fields map[*types.Var]bool // fields of its struct that are touched under it
	others bool                // something else is touched under it
}

// lifecycleOnly reports whether the lock is taken only to start and to stop: by
// functions of both kinds, and by no other.
func (u *lockUse) lifecycleOnly() bool {
	start, stop := false, false
	for _, f := range u.funcs {
		switch {
		case hasPrefix(f, "start", "run", "serve", "open", "init", "connect"):
			start = true
		case hasPrefix(f, "stop", "close", "shutdown", "drain", "disconnect", "terminate", "destroy"):
			stop = true
		default:
			return false
		}
	}
	return start && stop
}

func hasPrefix(name string, prefixes ...string) bool {
	name = strings.ToLower(name)
	for _, p := range prefixes {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}

// lockUse returns the use of the lock of t, nil if it is no struct field.
func (c *checker) lockUse(t *region.Thing) *lockUse {
	if c.locks == nil {
		c.collectLocks()
	}
	v := c.res.FieldVar(t.Path)
	if v == nil {
		return nil
	}
	return c.locks[v]
}

func (c *checker) collectLocks() {
	c.locks = make(map[*types.Var]*lockUse)
	for _, fn := range c.res.Funcs() {
		reg := c.res.Region(fn)
		taken := make(map[*types.Var]bool)
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				for _, t := range reg.Held(instr) {
					if !t.Class.IsLock() {
						continue
					}
					v := c.res.FieldVar(t.Path)
					if v == nil {
						continue
					}
					use := c.locks[v]
					if use == nil {
						use = &lockUse{fields: make(map[*types.Var]bool)}
						c.locks[v] = use
					}
					if !taken[v] && !t.Outer {
						taken[v] = true
						use.funcs = append(use.funcs, fn.Name())
					}
					c.touch(use, t, instr)
				}
			}
		}
	}
}

// touch notes what an instruction touches under the lock t.
func (c *checker) touch(use *lockUse, t *region.Thing, instr ssa.Instruction) {
	fa, ok := instr.(*ssa.FieldAddr)
	if !ok {
		return
	}
	path := c.res.Path(fa)
	if owner(path) != owner(t.Path) || path == t.Path {
		return
	}
	if v := c.res.FieldVar(path); v != nil {
		use.fields[v] = true
	}
}

// guards reports whether the only job of lock t is to serialise the very
// connection, file or database that e works on: then it has to be held.
func (c *checker) guards(t *region.Thing, e summary.SiteEffect) bool {
	use := c.lockUse(t)
	if use == nil {
		return false
	}
	if e.On == "" && e.Pool == "" {
		return false
	}
	on := e.On
	if on == "" {
		on = e.Pool
	}
	if owner(on) != owner(t.Path) {
		return false
	}
	for v := range use.fields {
		if !serialised(v.Type()) {
			return false
		}
	}
	return true
}

// serialised reports whether a field of type t is a connection, a reader or
// writer around it, or a buffer, counter or flag of it.
func serialised(t types.Type) bool {
	t = types.Unalias(t)
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	if named, ok := t.(*types.Named); ok && named.Obj().Pkg() != nil {
		switch named.Obj().Pkg().Path() {
		case "net", "bufio", "bytes", "io", "os", "crypto/tls", "time", "encoding/json", "encoding/gob", "hash", "compress/gzip", "compress/flate", "database/sql", "net/textproto", "log", "log/slog":
			return true
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return true
	case *types.Slice:
		b, ok := types.Unalias(u.Elem()).Underlying().(*types.Basic)
		return ok && b.Kind() == types.Byte
	case *types.Array:
		b, ok := types.Unalias(u.Elem()).Underlying().(*types.Basic)
		return ok && b.Kind() == types.Byte
	case *types.Interface:
		named, ok := t.(*types.Named)
		return ok && (named.Obj().Name() == "error" || strings.Contains(named.Obj().Name(), "Logger"))
	}
	return false
}

// peers lists the functions that can end a wait on the field on: they take from
// the channel, send on it or close it, or call Done on the wait group.
func (c *checker) peers(on *types.Var, kind effect.Kind) []*ssa.Function {
	var out []*ssa.Function
	for _, fn := range c.res.Funcs() {
		if c.ends(fn, on, kind) {
			out = append(out, fn)
		}
	}
	return out
}

func (c *checker) ends(fn *ssa.Function, on *types.Var, kind effect.Kind) bool {
	is := func(v ssa.Value) bool { return c.res.FieldVar(c.res.Path(v)) == on }
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			switch x := instr.(type) {
			case *ssa.UnOp:
				if x.Op == token.ARROW && (kind == effect.ChanSend || kind == effect.Select) && is(x.X) {
					return true
				}
			case *ssa.Send:
				if (kind == effect.ChanRecv || kind == effect.Select) && is(x.Chan) {
					return true
				}
			case *ssa.Select:
				for _, st := range x.States {
					if st.Dir == types.RecvOnly && kind != effect.ChanRecv && is(st.Chan) || st.Dir == types.SendOnly && kind != effect.ChanSend && is(st.Chan) {
						return true
					}
				}
			case ssa.CallInstruction:
				common := x.Common()
				if b, ok := common.Value.(*ssa.Builtin); ok {
					if b.Name() == "close" && kind != effect.ChanSend && len(common.Args) == 1 && is(common.Args[0]) {
						return true
					}
					continue
				}
				if kind == effect.GroupWait {
					if callee := common.StaticCallee(); callee != nil && callee.Name() == "Done" && len(common.Args) > 0 && is(common.Args[0]) {
						return true
					}
				}
			}
		}
	}
	return false
}
