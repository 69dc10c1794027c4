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
	memo    map[string]Consumption
}

// NewConsumers looks for the readers of the channels of a package.
func NewConsumers(res *summary.Result) *Consumers {
	c := &Consumers{res: res, readers: make(map[string][]ssa.Instruction), memo: make(map[string]Consumption)}
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
				case *ssa.Select:
					for _, st := range x.States {
						if st.Dir == types.RecvOnly {
							c.note(st.Chan, x)
						}
					}
				}
			}
		}
	}
	return c
}

func (c *Consumers) note(ch ssa.Value, at ssa.Instruction) {
	if key := c.res.Field(c.res.Path(ch)); key != "" {
		c.readers[key] = append(c.readers[key], at)
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
	l := natural(at.Parent()).Around(at.Block())
	if l == nil {
		return true // it reads once
	}
	for _, site := range c.res.Sites(at.Parent()) {
		if site.Instr == at || !l.Contains(site.Instr.Block()) {
			continue
		}
		for _, e := range site.Effects {
			switch e.Kind {
			case effect.File, effect.CPU, effect.Lock, effect.Spawn, effect.Enqueue, effect.IO:
			default:
				return true
			}
		}
	}
	return false
}
