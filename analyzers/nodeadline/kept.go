package nodeadline

import (
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/report"
	"github.com/concvet/concvet/internal/summary"
)

// keptConnection reports whether the effect is a read of, or a handshake on, a
// connection in a struct field that nothing in the package ever gives a
// deadline. It is reported in the function that is given the struct.
func (c *checker) keptConnection(v *verdict) bool {
	e := v.effect
	path := effect.Path(strings.TrimSuffix(string(e.On), ".conn"))
	key := c.res.Field(path)
	if key == "" {
		path = e.On // the field itself is called conn
		key = c.res.Field(path)
	}
	if t := c.res.TypeOf(path); key == "" || t == nil || !isConn(t) && !readsConn(t) || !c.takes(v.site.Instr, path) {
		return false
	}
	if writes(e) {
		return false
	}
	o := c.openedFor(key, v.fn)
	if o == nil || o.accepted && !firstRead(e) || c.tunnel(v.fn, path) {
		return false
	}
	again := c.res.Repeats(v.site.Instr, c.res.Root(path)) || c.oftenCalled(v.fn, 0)
	if again && o.accepted {
		return false
	}
	if again && !c.asks(v, key) || o.local || !e.Direct && !firstRead(e) {
		v.tier = report.Audit // it waits for what the peer has to say next
	}
	v.ends, v.accepted, v.kept = o.ends, o.accepted, true
	return true
}

// takes reports whether a call is given the value at a path itself, not what it
// is a part of.
func (c *checker) takes(instr ssa.Instruction, path effect.Path) bool {
	call, ok := instr.(ssa.CallInstruction)
	if !ok {
		return false
	}
	for _, a := range c.res.Callee(call).Args {
		if p := c.res.Path(a); p == path || p == path+".conn" {
			return true
		}
	}
	return false
}

// asks reports whether the function writes to the connection in a field before
// it reads: it waits for an answer, not for whatever comes.
func (c *checker) asks(v *verdict, key string) bool {
	for _, site := range c.res.Sites(v.fn) {
		if site == v.site || !before(site.Instr, v.site.Instr) {
			continue
		}
		for _, e := range site.Effects {
			if writes(e) && (e.Kind == effect.Net || e.Kind == effect.IO) && c.sameConn(e.On, key) {
				return true
			}
		}
	}
	return false
}

// sameConn reports whether a path leads to the connection in a field, through
// that field or another one that it is put in beside it.
func (c *checker) sameConn(path effect.Path, key string) bool {
	other := c.res.Field(path)
	if other == "" || c.kept[other] == nil {
		path = effect.Path(strings.TrimSuffix(string(path), ".conn"))
		other = c.res.Field(path)
	}
	return slices.Contains(c.beside(key), other)
}

// writes reports whether an effect is one that waits for the peer to take what
// is written.
func writes(e summary.SiteEffect) bool {
	name := e.API[strings.LastIndexByte(e.API, '.')+1:]
	for _, word := range []string{"Write", "Fprint", "Encode", "Flush"} {
		if strings.HasPrefix(name, word) {
			return true
		}
	}
	return false
}

// before reports whether a has run whenever b does.
func before(a, b ssa.Instruction) bool {
	if a.Block() != b.Block() {
		return a.Block().Dominates(b.Block())
	}
	instrs := a.Block().Instrs
	return slices.Index(instrs, a) < slices.Index(instrs, b)
}

// oftenCalled reports whether a function runs again and again, as far as the
// package shows; of one that others may call it is taken for granted.
func (c *checker) oftenCalled(fn *ssa.Function, depth int) bool {
	calls, ok := c.callsOf(fn)
	if !ok || depth == maxHandOver || token.IsExported(fn.Name()) && c.pass.Pkg.Name() != "main" {
		return true
	}
	for _, call := range calls {
		if c.res.Loops(call) && !c.madeInLoop(call) || c.oftenCalledBy(call, depth) {
			return true
		}
	}
	return false
}

// oftenCalledBy follows a call to the function that it stands in, unless the
// struct is made there.
func (c *checker) oftenCalledBy(call ssa.CallInstruction, depth int) bool {
	if _, isGo := call.(*ssa.Go); isGo {
		return false // once for each
	}
	if args := c.res.Callee(call).Args; len(args) > 0 {
		if _, ok := c.res.Root(c.res.Path(args[0])).(*ssa.Parameter); !ok {
			return false // it is new here
		}
	}
	return c.oftenCalled(call.Parent(), depth+1)
}

// madeInLoop reports whether the receiver of a call is made in the function of
// the call: it is another one in each turn.
func (c *checker) madeInLoop(call ssa.CallInstruction) bool {
	args := c.res.Callee(call).Args
	if len(args) == 0 {
		return false
	}
	made, ok := c.res.Root(c.res.Path(args[0])).(ssa.Instruction)
	return ok && made.Parent() == call.Parent() && c.res.Loops(made)
}

// openedFor is where the connections come from that a field is given, if they
// are all fresh, nothing sets a deadline, and nobody closes it while reader
// waits; nil otherwise.
func (c *checker) openedFor(key string, reader *ssa.Function) *opening {
	for _, other := range c.beside(key) {
		k := c.keeps()[other]
		if k == nil || k.loose {
			return nil
		}
		for _, g := range k.closers {
			if !c.runsIn(reader, g, 0) {
				return nil
			}
		}
		for _, s := range k.stores {
			for _, g := range c.enders[owner(s.Addr)] {
				if !c.runsIn(reader, g, 0) {
					return nil
				}
			}
		}
	}
	k := c.keeps()[key]
	if k == nil {
		return nil
	}
	var out *opening
	for _, s := range k.stores {
		out = c.alike(out, s, s.Val, 1)
		if out == nil || c.res.EverArmed(c.res.Root(c.res.Path(s.Val))) {
			return nil
		}
	}
	return out
}

// beside lists a field and the others that are given the same connections, such
// as a reader of it.
func (c *checker) beside(key string) []string {
	k := c.keeps()[key]
	if k == nil {
		return nil
	}
	out := []string{key}
	for _, s := range k.stores {
		for _, other := range c.keptBy[c.res.Root(c.res.Path(s.Val))] {
			if !slices.Contains(out, other) {
				out = append(out, other)
			}
		}
	}
	return out
}

// alike is the opening of one more value that is put where others are, nil if it
// differs or is not fresh.
func (c *checker) alike(before *opening, at ssa.Instruction, v ssa.Value, depth int) *opening {
	path := c.res.Path(v)
	root := c.res.Root(path)
	if _, sel := path.Split(); sel != "" || root == nil || !isConn(root.Type()) || c.res.Armed(at, root) {
		return nil
	}
	o := c.fresh(root, depth)
	if p, ok := root.(*ssa.Parameter); ok && o == nil {
		o = c.givenBy(p, depth)
	}
	if o == nil || before != nil && before.accepted != o.accepted {
		return nil
	}
	if before == nil {
		return o
	}
	before.local = before.local && o.local
	return before
}

// givenBy is where the connection comes from that a constructor is given, if all
// its callers give it a fresh one.
func (c *checker) givenBy(p *ssa.Parameter, depth int) *opening {
	calls, ok := c.callsOf(p.Parent())
	if !ok || depth >= maxHandOver {
		return nil
	}
	i := slices.Index(p.Parent().Params, p)
	var out *opening
	for _, call := range calls {
		args := c.res.Callee(call).Args
		if i >= len(args) || c.res.EverArmed(c.res.Root(c.res.Path(args[i]))) {
			return nil
		}
		if out = c.alike(out, call, args[i], depth+1); out == nil {
			return nil
		}
	}
	return out
}
