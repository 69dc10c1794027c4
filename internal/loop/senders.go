package loop

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/summary"
)

// A sending is a place where something is sent to a channel.
type sending struct {
	at       ssa.Instruction
	optional bool // the sender goes on at once if nobody takes it
}

// optional reports whether a select has a default case, so that it never waits.
func optional(x *ssa.Select) bool { return !x.Blocking }

// identity is what tells a channel from others: the struct field, or where it
// comes from. It is nil if that is not known.
func (c *Consumers) identity(ch ssa.Value) any {
	path := c.res.Path(ch)
	if key := c.res.Field(path); key != "" {
		return key
	}
	if _, sel := path.Split(); sel != "" {
		return nil
	}
	if root := c.res.Root(path); root != nil {
		return root
	}
	if path != "" {
		return path // a variable of the package
	}
	return nil
}

func (c *Consumers) noteSend(ch ssa.Value, s sending) {
	if id := c.identity(ch); id != nil {
		c.senders[id] = append(c.senders[id], s)
	}
}

func (c *Consumers) noteClose(x ssa.CallInstruction) {
	b, ok := x.Common().Value.(*ssa.Builtin)
	if !ok || b.Name() != "close" || len(x.Common().Args) != 1 {
		return
	}
	if id := c.identity(x.Common().Args[0]); id != nil {
		c.closers[id] = append(c.closers[id], x)
	}
}

// Notes reports whether a channel carries notes that there is something to do:
// they have no content, there is room for one, and every sender that the package
// shows goes on at once where one is there already. Nobody waits until a note is
// read, and none is lost.
func (c *Consumers) Notes(ch ssa.Value) bool {
	if ch == nil || !empty(ch.Type()) {
		return false
	}
	id := c.identity(ch)
	if id == nil {
		return false
	}
	for _, s := range c.senders[id] {
		if !s.optional {
			return false
		}
	}
	return len(c.senders[id]) > 0 && c.roomy(id)
}

// roomy reports whether a channel is made with room.
func (c *Consumers) roomy(id any) bool {
	switch id := id.(type) {
	case string:
		return c.res.Roomy(id)
	case *ssa.MakeChan:
		size, ok := id.Size.(*ssa.Const)
		return ok && size.Int64() > 0
	}
	return false
}

// ClosedOnReturn reports whether nobody sends to the channel in a struct field,
// and a deferred call closes it.
func (c *Consumers) ClosedOnReturn(field string) bool {
	if len(c.senders[field]) > 0 {
		return false
	}
	for _, x := range c.closers[field] {
		if _, ok := x.(*ssa.Defer); ok {
			return true
		}
	}
	return false
}

// takeMore notes what the handling of an event receives from the same source,
// to take several events at once.
func (l *Event) takeMore(res *summary.Result) {
	for b := range l.loop.blocks {
		if l.loops.Around(b) == l.loop {
			continue
		}
		for _, instr := range b.Instrs {
			x, ok := instr.(*ssa.UnOp)
			if !ok || x.Op != token.ARROW || !l.Waits(res, x) {
				continue
			}
			if _, tuple := x.Type().(*types.Tuple); !tuple {
				l.take(x)
			}
			for _, v := range results(x, 0) {
				l.take(v)
			}
		}
	}
}
