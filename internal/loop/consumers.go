package loop

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/summary"
)

// A Consumption says how a channel is read, as far as the package shows.
type Consumption uint8

const (
	OutOfSight Consumption = iota // nobody who receives is seen
	Drained                       // every reader takes one value after the other and waits for nothing else
	Busy                          // a reader may be waiting for something else
)

// Consumers says for the channels in struct fields who reads them.
type Consumers struct {
	res     *summary.Result
	readers map[string][]ssa.Instruction
	locals  map[ssa.Value][]ssa.Instruction // those of channels that are in no field, by where they come from
	senders map[any][]sending
	closers map[any][]ssa.CallInstruction
	calls   map[*ssa.Function][]ssa.CallInstruction
	memo    map[string]Consumption
	loops   map[*ssa.Function]Loops // memo of around
}

// NewConsumers looks for the readers of the channels of a package.
func NewConsumers(res *summary.Result) *Consumers {
	c := &Consumers{res: res, readers: make(map[string][]ssa.Instruction), locals: make(map[ssa.Value][]ssa.Instruction), senders: make(map[any][]sending), closers: make(map[any][]ssa.CallInstruction), calls: make(map[*ssa.Function][]ssa.CallInstruction), memo: make(map[string]Consumption), loops: make(map[*ssa.Function]Loops)}
	for _, fn := range res.Funcs() {
		if res.InTest(fn) {
			continue
		}
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				switch x := instr.(type) {
				case *ssa.UnOp:
					if x.Op == token.ARROW {
						c.note(x.X, x)
					}
				case *ssa.Send:
					c.noteSend(x.Chan, sending{at: x})
				case *ssa.Select:
					for _, st := range x.States {
						if st.Dir == types.RecvOnly {
							c.note(st.Chan, x)
						} else {
							c.noteSend(st.Chan, sending{at: x, optional: optional(x)})
						}
					}
				case ssa.CallInstruction:
					c.noteClose(x)
					if f := res.Call(x.Common()).Body; f != nil {
						c.calls[f] = append(c.calls[f], x)
					}
				}
			}
		}
	}
	return c
}

func (c *Consumers) note(ch ssa.Value, at ssa.Instruction) {
	path := c.res.Path(ch)
	if key := c.res.Field(path); key != "" {
		c.readers[key] = append(c.readers[key], at)
	} else if _, sel := path.Split(); sel == "" {
		if root := c.res.Root(path); root != nil {
			c.locals[root] = append(c.locals[root], at)
		}
	}
}

// Of says how the channel in a struct field is read.
func (c *Consumers) Of(field string) Consumption {
	if field == "" {
		return OutOfSight
	}
	if known, ok := c.memo[field]; ok {
		return known
	}
	out := OutOfSight
	for _, at := range c.readers[field] {
		if c.busy(at) {
			out = Busy
			break
		}
		out = Drained
	}
	c.memo[field] = out
	return out
}

// busy reports whether the reader of a channel may be waiting for something else
// when the next value comes.
func (c *Consumers) busy(at ssa.Instruction) bool {
	l := c.around(at)
	if l == nil {
		return true // it reads once
	}
	for _, site := range c.res.Sites(at.Parent()) {
		if site.Instr == at || !l.Contains(site.Instr.Block()) {
			continue
		}
		for _, e := range site.Effects {
			switch e.Kind {
			case effect.File, effect.CPU, effect.Lock, effect.Spawn, effect.Enqueue, effect.IO, effect.Turn:
			default:
				return true
			}
		}
	}
	return false
}

// Leaves reports whether a reader of the channel in a struct field may go away
// before the channel is closed: a send is never taken then.
func (c *Consumers) Leaves(field string) bool {
	for _, at := range c.readers[field] {
		l := c.around(at)
		if l != nil && leaves(l, at) || l == nil && c.onDemand(at) {
			return true
		}
	}
	return false
}

// onDemand reports whether a value is taken by an exported function whenever
// another package calls it, and no more when that has enough.
func (c *Consumers) onDemand(at ssa.Instruction) bool {
	fn := at.Parent()
	obj, ok := fn.Object().(*types.Func)
	return ok && obj.Exported() && len(c.calls[fn]) == 0
}

// leaves reports whether a loop may end otherwise than by the end of the channel
// that is received from.
func leaves(l *Loop, at ssa.Instruction) bool {
	for b := range l.blocks {
		for _, succ := range b.Succs {
			if l.blocks[succ] || fails(succ) {
				continue
			}
			if rec, ok := at.(*ssa.UnOp); ok && rec.CommaOk && asks(b, rec) {
				continue // the channel is closed
			}
			return true
		}
	}
	return false
}

func (c *Consumers) around(at ssa.Instruction) *Loop {
	fn := at.Parent()
	if _, ok := c.loops[fn]; !ok {
		c.loops[fn] = natural(fn)
	}
	return c.loops[fn].Around(at.Block())
}

// fails reports whether a block ends in a panic.
func fails(b *ssa.BasicBlock) bool {
	_, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Panic)
	return ok
}

// asks reports whether a block ends in the question whether a receive has come to
// the end of its channel.
func asks(b *ssa.BasicBlock, rec *ssa.UnOp) bool {
	branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok {
		return false
	}
	cond := branch.Cond
	if not, ok := cond.(*ssa.UnOp); ok && not.Op == token.NOT {
		cond = not.X
	}
	e, ok := cond.(*ssa.Extract)
	return ok && e.Tuple == ssa.Value(rec) && e.Index == 1
}
