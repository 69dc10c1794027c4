package blockinloop

import (
	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/loop"
	"github.com/concvet/concvet/internal/summary"
)

// stubborn reports whether a sleep stands in a loop of its own, inside the one
// that watches the stop, that tries again until it succeeds, and does not look at
// anything that could tell it to end.
func (c *checker) stubborn(l *loop.Event, site *summary.Site) bool {
	if l.Direct(site.Instr) {
		return false
	}
	inner := loop.Of(l.Fn, c.res).Around(site.Instr.Block())
	if inner == nil {
		return false
	}
	for _, f := range inner.Feeds {
		if f.Kind != loop.Unknown {
			return false // a number of attempts, or a list
		}
	}
	for _, b := range l.Fn.Blocks {
		if inner.Contains(b) && looks(b) {
			return false
		}
	}
	return true
}

// looks reports whether a block receives from anything, or looks at a flag.
func looks(b *ssa.BasicBlock) bool {
	for _, instr := range b.Instrs {
		if looksAt(instr) {
			return true
		}
	}
	return false
}
