package nodeadline

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/ir"
)

// A kept is a connection in a struct field that only this package can reach, and
// all that the package does with it.
type kept struct {
	stores  []*ssa.Store
	sends   []ssa.Instruction // of channels in the field
	closers []*ssa.Function   // that may run while others wait
	loose   bool              // something may set a deadline that is not seen, or does
}

// keeps looks, once a package, at what is done with connections in fields and
// channels of them.
func (c *checker) keeps() map[string]*kept {
	if c.kept != nil {
		return c.kept
	}
	c.kept = make(map[string]*kept)
	c.watching = make(map[*ssa.Function]bool)
	c.keptBy = make(map[ssa.Value][]string)
	c.enders = make(map[types.Object][]*ssa.Function)
	for _, fn := range c.res.Funcs() {
		if c.res.InTest(fn) {
			continue
		}
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				c.keep(fn, instr)
			}
		}
	}
	return c.kept
}

func (c *checker) at(key string) *kept {
	if c.kept[key] == nil {
		c.kept[key] = &kept{}
	}
	return c.kept[key]
}

func (c *checker) keep(fn *ssa.Function, instr ssa.Instruction) {
	switch x := instr.(type) {
	case ssa.CallInstruction:
		callee := c.res.Callee(x)
		for i, a := range callee.Args {
			if owner(a) != nil && callee.Body == nil && callee.Func != nil && callee.Func.Pkg() == c.pass.Pkg && c.watches(fn) {
				c.enders[owner(a)] = append(c.enders[owner(a)], fn) // it may close what is in it, nothing else
			}
			if !carriesConn(a.Type()) {
				continue
			}
			key := c.fieldOfConn(a)
			if key == "" {
				continue
			}
			armed, closed := c.res.ArmsArgument(x, i)
			switch {
			case armed:
				c.at(key).loose = true
			case closed && c.watches(fn):
				c.at(key).closers = append(c.at(key).closers, fn)
			}
		}
	case *ssa.Store:
		if !carriesConn(x.Val.Type()) && !readsConn(x.Val.Type()) {
			return
		}
		if fa, ok := x.Addr.(*ssa.FieldAddr); ok {
			f := ir.FieldVar(fa.X.Type(), fa.Field)
			k := c.at(c.res.Field(c.res.Path(fa)))
			if nothing, ok := x.Val.(*ssa.Const); ok && nothing.IsNil() {
				return // it is gone
			}
			k.stores = append(k.stores, x)
			if root := c.res.Root(c.res.Path(x.Val)); root != nil {
				key := c.res.Field(c.res.Path(fa))
				c.keptBy[root] = append(c.keptBy[root], key)
			}
			if f == nil || f.Embedded() || f.Exported() || f.Pkg() != c.pass.Pkg {
				k.loose = true
			}
			return
		}
		if _, ok := x.Addr.(*ssa.Alloc); !ok {
			c.loosen(x.Val)
		}
	case *ssa.Send:
		if carriesConn(x.X.Type()) {
			k := c.at(c.channelKey(x.Chan))
			k.sends = append(k.sends, x)
			c.loosen(x.X)
		}
	case *ssa.Select:
		for _, st := range x.States {
			if st.Dir == types.SendOnly && carriesConn(st.Send.Type()) {
				k := c.at(c.channelKey(st.Chan))
				k.sends = append(k.sends, x)
				c.loosen(st.Send)
			}
		}
	case *ssa.Return:
		for _, v := range x.Results {
			c.loosen(v)
		}
	case *ssa.MapUpdate:
		c.loosen(x.Value)
	case *ssa.MakeClosure:
		for _, v := range x.Bindings {
			if _, bound := x.Fn.(*ssa.Function); bound && x.Fn.(*ssa.Function).Synthetic != "" {
				c.loosen(v) // a method of the connection, for whoever calls it
			}
		}
	}
}

// loosen gives up on the connection in the field that v is loaded from: others
// have it, too.
func (c *checker) loosen(v ssa.Value) {
	if carriesConn(v.Type()) {
		if key := c.fieldOfConn(v); key != "" {
			c.at(key).loose = true
		}
	}
}

func (c *checker) fieldOfConn(v ssa.Value) string {
	path := c.res.Path(v)
	if root := c.res.Root(path); root != nil && isConn(root.Type()) {
		return ""
	}
	return c.res.Field(path)
}

// watches reports whether a function may run while another one waits: a literal,
// a goroutine, or what one of them calls.
func (c *checker) watches(fn *ssa.Function) bool {
	if w, ok := c.watching[fn]; ok {
		return w
	}
	c.watching[fn] = false // of one that calls itself
	w := fn.Parent() != nil && !calledInPlace(fn)
	if fn.Parent() == nil {
		calls, _ := c.callsOf(fn)
		for _, call := range calls {
			_, isGo := call.(*ssa.Go)
			w = w || isGo || c.watches(call.Parent())
		}
	}
	c.watching[fn] = w
	return w
}

// runsIn reports whether fn is g, or waited for by g: what g closes is closed
// when fn is done.
func (c *checker) runsIn(fn, g *ssa.Function, depth int) bool {
	if fn == g {
		return true
	}
	calls, ok := c.callsOf(fn)
	if !ok || depth == maxHandOver {
		return false
	}
	for _, call := range calls {
		if _, isGo := call.(*ssa.Go); isGo || !c.runsIn(call.Parent(), g, depth+1) {
			return false
		}
	}
	return true
}

// owner is the type of the struct that v is the address of, or that it is the
// address of a field of; nil if it has no name.
func owner(v ssa.Value) types.Object {
	if fa, ok := v.(*ssa.FieldAddr); ok {
		v = fa.X
	}
	t := types.Unalias(v.Type())
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	if named, ok := t.(*types.Named); ok {
		return named.Origin().Obj()
	}
	return nil
}

// readsConn reports whether values of type t read from or write to what they were
// made from, and cannot set it a deadline.
func readsConn(t types.Type) bool {
	for _, r := range [][2]string{
		{"bufio", "Reader"}, {"bufio", "Writer"}, {"bufio", "ReadWriter"}, {"bufio", "Scanner"},
		{"encoding/json", "Decoder"}, {"encoding/json", "Encoder"}, {"encoding/gob", "Decoder"}, {"encoding/gob", "Encoder"},
	} {
		if isNamed(t, r[0], r[1]) {
			return true
		}
	}
	return false
}

// carriesConn reports whether a value of type t may be a connection: by its
// type, or by an interface that connections have.
func carriesConn(t types.Type) bool {
	if isConn(t) {
		return true
	}
	iface, ok := types.Unalias(t).Underlying().(*types.Interface)
	if !ok {
		return false
	}
	for m := range iface.Methods() {
		switch m.Name() {
		case "Read", "Write", "Close":
			return true
		}
	}
	return false
}
