package summary

import (
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/ir"
	"github.com/concvet/concvet/internal/knowledge"
)

// inLoop makes the bound of one round the bound of the whole loop that instr
// stands in: trips times as long if the number of rounds is a constant, and
// marked as repeating if it is not.
func (f *function) inLoop(instr ssa.Instruction, e *effect.Effect) {
	if e.Repeats || !f.repeats(instr) || nowAndThen(instr) {
		return
	}
	if n := f.node.trips[instr.Block()]; n > 0 && n < 1<<20 {
		e.Bound.Dur *= time.Duration(n)
		e.Rounds = true
		return
	}
	e.Repeats = true
}

// repeats reports whether instr stands in a loop of its function.
func (f *function) repeats(instr ssa.Instruction) bool {
	if f.node.cycles == nil {
		f.node.cycles, f.node.trips = ir.Cycles(f.fn)
	}
	return f.node.cycles[instr.Block()]
}

// nextToNothing reports whether a call is a sleep so short, and so seldom in its
// loop, that a thousand rounds are nothing to speak of.
func nextToNothing(instr ssa.Instruction, row *knowledge.Row, e *effect.Effect) bool {
	return row != nil && e.Kind == effect.Sleep && e.Bound.Kind == effect.ConstBound && e.Bound.Dur < minHold && nowAndThen(instr)
}
