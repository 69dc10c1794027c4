package loop

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/ir"
)

// Awaits reports whether everybody who receives from the channel in a struct
// field has sent to one of the sources of the loop just before: what the loop
// sends there is the answer, and is waited for.
func (c *Consumers) Awaits(field string, l *Event) bool {
	if field == "" || len(c.readers[field]) == 0 {
		return false
	}
	for _, at := range c.readers[field] {
		if !c.hasSent(at, l) {
			return false
		}
	}
	return true
}

// hasSent reports whether a receive comes right after a send to one of the
// sources of a loop.
func (c *Consumers) hasSent(at ssa.Instruction, l *Event) bool {
	for b, steps := at.Block(), 0; b != nil && steps < maxBack; b, steps = b.Idom(), steps+1 {
		for _, instr := range b.Instrs {
			if instr == at {
				break
			}
			switch x := instr.(type) {
			case *ssa.Send:
				if c.feeds(x.Chan, l) {
					return true
				}
			case *ssa.Select:
				for i, st := range x.States {
					if st.Dir == types.SendOnly && c.feeds(st.Chan, l) && b != at.Block() && ir.InCase(at.Block(), x, i) {
						return true
					}
				}
			}
		}
	}
	return false
}

// maxBack is over how many blocks a send is looked for.
const maxBack = 6

func (c *Consumers) feeds(ch ssa.Value, l *Event) bool {
	id := c.identity(ch)
	if id == nil {
		return false
	}
	for _, s := range l.Live {
		if s.Chan != nil && c.identity(s.Chan) == id {
			return true
		}
	}
	return false
}
