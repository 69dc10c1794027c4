package loop

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/ir"
)

// maxHands is how often a channel is followed from one function to another.
const maxHands = 3

// Abandons reports whether a reader of the channel at a local path, which is in
// no struct field, may go away before it is closed: one that is seen, or whoever
// an exported function returns the channel to, together with the context that
// ends it.
func (c *Consumers) Abandons(path effect.Path) bool {
	if _, sel := path.Split(); sel != "" {
		return false
	}
	return c.abandons(c.res.Root(path), false, 0)
}

func (c *Consumers) abandons(ch ssa.Value, room bool, hands int) bool {
	if ch == nil || hands > maxHands {
		return false
	}
	if mc, ok := ch.(*ssa.MakeChan); ok {
		size, known := mc.Size.(*ssa.Const)
		if !known || size.Int64() == 1 {
			return false // as much room as there is to send, or for the one answer
		}
		room = size.Int64() > 0
	}
	for _, at := range c.locals[ch] {
		if l := c.around(at); l == nil && !room || l != nil && leaves(l, at) {
			return true // one who reads once may have made room for what he leaves
		}
	}
	switch x := ch.(type) {
	case *ssa.Parameter:
		return c.handed(x, hands)
	case *ssa.MakeChan:
		return c.returned(x, room, hands)
	case *ssa.Call:
		return c.returned(x, room, hands)
	}
	return false
}

// handed looks at what the callers of a function hand to it as a parameter.
func (c *Consumers) handed(p *ssa.Parameter, hands int) bool {
	fn := p.Parent()
	for i, q := range fn.Params {
		if q != p {
			continue
		}
		for _, call := range c.calls[fn] {
			args := c.res.Call(call.Common()).Args
			if i >= len(args) {
				continue
			}
			path := c.res.Path(args[i])
			if field := c.res.Field(path); field != "" && c.Leaves(field) {
				return true
			}
			if _, sel := path.Split(); sel == "" && c.abandons(c.res.Root(path), false, hands+1) {
				return true
			}
		}
	}
	return false
}

// returned looks at who gets a channel as the result of a function.
func (c *Consumers) returned(ch ssa.Value, room bool, hands int) bool {
	instr, ok := ch.(ssa.Instruction)
	if !ok {
		return false
	}
	fn, path := instr.Parent(), c.res.Path(ch)
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok {
			continue
		}
		for i, v := range ret.Results {
			if !isChan(v.Type()) || c.res.Path(unchanged(v)) != path {
				continue
			}
			if len(c.calls[fn]) == 0 {
				return endable(fn)
			}
			for _, site := range c.calls[fn] {
				call, ok := site.(*ssa.Call)
				if !ok {
					continue
				}
				var got []ssa.Value
				if len(ret.Results) == 1 {
					got = []ssa.Value{call}
				} else {
					got = results(call, i)
				}
				for _, v := range got {
					if c.abandons(v, room, hands+1) {
						return true
					}
				}
			}
		}
	}
	return false
}

func unchanged(v ssa.Value) ssa.Value {
	if x, ok := v.(*ssa.ChangeType); ok {
		return x.X
	}
	return v
}

// endable reports whether a function is for other packages, and gets a context
// of them.
func endable(fn *ssa.Function) bool {
	obj, ok := fn.Object().(*types.Func)
	if !ok || !obj.Exported() {
		return false
	}
	for p := range fn.Signature.Params().Variables() {
		if ir.IsContext(p.Type()) {
			return true
		}
	}
	return false
}
