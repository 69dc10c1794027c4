package nodeadline

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// sentOn is where the connections come from that are received from a channel:
// all that are sent on it are fresh, and have no deadline.
func (c *checker) sentOn(ch ssa.Value, depth int) *opening {
	if p, ok := ch.(*ssa.Parameter); ok && depth < maxHandOver {
		return c.sentOnArgument(p, depth+1)
	}
	key := c.channelKey(ch)
	k := c.keeps()[key]
	if key == "" || k == nil || len(k.sends) == 0 || depth >= maxHandOver {
		return nil
	}
	var out *opening
	for _, s := range k.sends {
		for _, v := range sentBy(s, func(ch ssa.Value) bool { return c.channelKey(ch) == key }) {
			if out = c.alike(out, s, v, depth+1); out == nil {
				return nil
			}
		}
	}
	return out
}

// sentOnArgument is the same of a channel that a function is given, by all its
// callers the same one.
func (c *checker) sentOnArgument(p *ssa.Parameter, depth int) *opening {
	calls, ok := c.callsOf(p.Parent())
	if !ok {
		return nil
	}
	i := slices.Index(p.Parent().Params, p)
	key := ""
	var ch ssa.Value
	for _, call := range calls {
		args := c.res.Callee(call).Args
		if i >= len(args) {
			return nil
		}
		ch = args[i]
		k := c.channelKey(ch)
		if k == "" || key != "" && k != key {
			return nil
		}
		key = k
	}
	return c.sentOn(ch, depth)
}

// channelKey names a channel: the field that it is in, or where it is made. A
// parameter stands for nothing here.
func (c *checker) channelKey(ch ssa.Value) string {
	path := c.res.Path(ch)
	if f := c.res.Field(path); f != "" {
		return f
	}
	if _, ok := c.res.Root(path).(*ssa.MakeChan); ok {
		return string(path)
	}
	return ""
}

// sentBy lists what an instruction sends on a channel.
func sentBy(instr ssa.Instruction, on func(ssa.Value) bool) []ssa.Value {
	switch x := instr.(type) {
	case *ssa.Send:
		return []ssa.Value{x.X}
	case *ssa.Select:
		var out []ssa.Value
		for _, st := range x.States {
			if st.Dir == types.SendOnly && on(st.Chan) {
				out = append(out, st.Send)
			}
		}
		return out
	}
	return nil
}

// received is the channel that a value is received from, nil if it comes from
// elsewhere.
func received(v ssa.Value) ssa.Value {
	index := 0
	if x, ok := v.(*ssa.Extract); ok {
		v, index = x.Tuple, x.Index
	}
	switch x := v.(type) {
	case *ssa.UnOp:
		if x.Op == token.ARROW && index == 0 {
			return x.X
		}
	case *ssa.Select:
		n := 2 // behind the index and whether it is open
		for _, st := range x.States {
			if st.Dir != types.RecvOnly {
				continue
			}
			if n == index {
				return st.Chan
			}
			n++
		}
	}
	return nil
}
