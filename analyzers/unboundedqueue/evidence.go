package unboundedqueue

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/ir"
	"github.com/concvet/concvet/internal/loop"
	"github.com/concvet/concvet/internal/summary"
)

// ownChannel reports whether what starts a goroutine comes through a channel of the
// program itself, which is not a parameter: in a field, a package variable, or made
// by a function of its own. Who sends, and how often, stands elsewhere, and is more
// often a timer, an operator or a protocol than the load, unless it is seen that what
// is sent comes from a caller or a request, or the channel is one that the object was
// given to receive from.
func (c *checker) ownChannel(l load) bool {
	if l.feed.Kind != loop.Chan || l.feed.Value == nil {
		return false
	}
	return c.ofProgram(l.feed.Value, 0)
}

// maxHanded is through how many functions a channel is followed back.
const maxHanded = 3

// ofProgram is ownChannel for a channel, also one that a function of the package
// is handed by all who call it.
func (c *checker) ofProgram(ch ssa.Value, depth int) bool {
	path := c.res.Path(ch)
	if strings.HasPrefix(string(path), "g:") {
		return true
	}
	root := c.res.Root(path)
	if _, sel := path.Split(); sel != "" {
		ch, ok := types.Unalias(ch.Type()).Underlying().(*types.Chan)
		given := ok && ch.Dir() == types.RecvOnly && strings.LastIndexByte(sel, '.') == 0
		return !given && !c.sentByLoad(c.res.Field(path))
	}
	if root == nil {
		root = ch
	}
	if p, ok := root.(*ssa.Parameter); ok {
		return depth < maxHanded && c.handedOwn(p, depth)
	}
	if x, ok := root.(*ssa.Extract); ok {
		root = x.Tuple
	}
	call, ok := root.(*ssa.Call)
	if !ok {
		return false
	}
	fn := call.Call.StaticCallee()
	if call.Call.IsInvoke() {
		return c.res.OwnModule(call.Call.Method.Pkg())
	}
	return fn != nil && fn.Object() != nil && c.res.OwnModule(fn.Object().Pkg())
}

// handedOwn reports whether all who call a function give it a channel of the
// program itself.
func (c *checker) handedOwn(p *ssa.Parameter, depth int) bool {
	fn := p.Parent()
	i := slices.Index(fn.Params, p)
	if token.IsExported(fn.Name()) || i < 0 {
		return false
	}
	calls := 0
	for _, caller := range c.res.Funcs() {
		for _, b := range caller.Blocks {
			for _, instr := range b.Instrs {
				call, ok := instr.(ssa.CallInstruction)
				if !ok || call.Common().StaticCallee() != fn {
					continue
				}
				if calls++; !c.ofProgram(call.Common().Args[i], depth+1) {
					return false
				}
			}
		}
	}
	return calls > 0
}

// sentByLoad reports whether a function of the package sends to the channel in a
// field what it is given by whoever calls it: a handler, or a function that other
// packages call.
func (c *checker) sentByLoad(field string) bool {
	if field == "" {
		return false
	}
	if c.loaded == nil {
		c.loaded = make(map[string]bool)
		for _, fn := range c.res.Funcs() {
			top := ir.Outermost(fn)
			if !token.IsExported(top.Name()) && c.res.Delivers(top) == effect.NoSource {
				continue
			}
			for _, b := range fn.Blocks {
				for _, instr := range b.Instrs {
					switch x := instr.(type) {
					case *ssa.Send:
						c.noteSend(x.Chan, x.X)
					case *ssa.Select:
						for _, s := range x.States {
							if s.Dir == types.SendOnly {
								c.noteSend(s.Chan, s.Send)
							}
						}
					}
				}
			}
		}
	}
	return c.loaded[field]
}

func (c *checker) noteSend(ch, v ssa.Value) {
	key := c.res.Field(c.res.Path(ch))
	if _, isConst := v.(*ssa.Const); key == "" || isConst {
		return
	}
	c.loaded[key] = true
}

// without reports whether a goroutine that a loop starts for each value which it
// receives is given nothing of the value: it is not for the value that it runs.
func (c *checker) without(site *summary.Site, l load) bool {
	call, ok := site.Instr.(ssa.CallInstruction)
	if !ok || l.feed.Kind != loop.Chan || l.feed.At == nil {
		return false
	}
	return !c.derives(call, func(v ssa.Value) bool {
		instr, ok := v.(ssa.Instruction)
		return ok && instr == l.feed.At
	})
}

// perKey reports whether a goroutine is started only for what is not in a map yet,
// and is put there: there are as many as keys.
func (c *checker) perKey(site *summary.Site) bool {
	fn := site.Instr.Parent()
	block := site.Instr.Block()
	var asked []ssa.Value
	for _, b := range fn.Blocks {
		if b != block && !b.Dominates(block) {
			continue
		}
		for _, instr := range b.Instrs {
			if x, ok := instr.(*ssa.Lookup); ok && isMap(x.X.Type()) {
				asked = append(asked, x.X)
			}
		}
	}
	if len(asked) == 0 {
		return false
	}
	for _, b := range fn.Blocks {
		if b != block && !block.Dominates(b) {
			continue
		}
		for _, instr := range b.Instrs {
			m, ok := instr.(*ssa.MapUpdate)
			if !ok {
				continue
			}
			for _, v := range asked {
				if v == m.Map || c.res.Path(v) != "" && c.res.Path(v) == c.res.Path(m.Map) {
					return true
				}
			}
		}
	}
	return false
}

func isMap(t types.Type) bool {
	_, ok := types.Unalias(t).Underlying().(*types.Map)
	return ok
}

// connections reports whether the elements of a list are connections, each of which
// is there already.
func connections(t types.Type) bool {
	name := elemName(t)
	return strings.HasSuffix(name, "Conn")
}

// operates reports whether a function ends what is there already, by its name:
// people do that, one at a time. What is new comes with the load.
func operates(fn *ssa.Function) bool {
	name := strings.ToLower(ir.Outermost(fn).Name())
	for _, word := range []string{"delete", "remove", "purge", "bulk", "revoke", "terminate"} {
		if strings.HasPrefix(name, word) {
			return true
		}
	}
	return false
}
