package unboundedqueue

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/loop"
	"github.com/concvet/concvet/internal/summary"
)

// windowed reports whether the goroutines of a site are as few as the items that
// the broker hands out before one is acknowledged, since each acknowledges its
// own when it is done.
func (c *checker) windowed(site *summary.Site, l load) bool {
	if l.feed.Kind != loop.Chan || l.feed.Value == nil || !c.res.Windowed(l.feed.Value) {
		return false
	}
	if c.settles(site.Instr.Parent(), nil) {
		return false // before the goroutine is done with it
	}
	start, ok := site.Instr.(*ssa.Go)
	if !ok {
		return true
	}
	body := c.res.Callee(start).Body
	return body == nil || !c.settles(body, func(ack ssa.Instruction) bool {
		return slices.ContainsFunc(c.res.Sites(body), func(s *summary.Site) bool {
			for _, e := range s.Effects {
				if !acknowledges(s.Instr) && heavy&(1<<e.Kind) != 0 && before(ack, s.Instr) && !before(s.Instr, ack) {
					return true
				}
			}
			return false
		})
	})
}

// settles reports whether a function itself acknowledges something, at a call for
// which early is true.
func (c *checker) settles(fn *ssa.Function, early func(ssa.Instruction) bool) bool {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if call, ok := instr.(*ssa.Call); ok && acknowledges(call) && (early == nil || early(call)) {
				return true
			}
		}
	}
	return false
}

// acknowledges reports whether a call tells the sender of a message that it has
// been handled.
func acknowledges(instr ssa.Instruction) bool {
	call, ok := instr.(*ssa.Call)
	if !ok {
		return false
	}
	if call.Call.IsInvoke() {
		return call.Call.Method.Name() == "Ack"
	}
	fn := call.Call.StaticCallee()
	return fn != nil && fn.Name() == "Ack" && fn.Signature.Recv() != nil
}
