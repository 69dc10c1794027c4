package unboundedqueue

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
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
	return c.settledLater(site)
}

// awaited reports whether what starts a goroutine is called once for each message
// of a kind that is acknowledged, and each goroutine does so when it is done: its
// broker has a limit of its own then.
func (c *checker) awaited(site *summary.Site, l load) bool {
	if l.once != effect.Items {
		return false
	}
	for _, p := range site.Instr.Parent().Params {
		if settled(p.Type()) {
			return c.settledLater(site)
		}
	}
	return false
}

// settledLater reports whether a message is acknowledged, if at all, at the end of
// the goroutine that is started for it.
func (c *checker) settledLater(site *summary.Site) bool {
	if c.settles(site.Instr.Parent(), nil) {
		return false // before the goroutine is done with it
	}
	call, ok := site.Instr.(ssa.CallInstruction)
	if !ok {
		return true
	}
	body := c.res.Callee(call).Body
	for _, a := range call.Common().Args {
		if fn := c.res.FuncOf(a); fn != nil {
			body = fn
		}
	}
	return body == nil || !c.settles(body, func(ack ssa.Instruction) bool {
		return slices.ContainsFunc(c.res.Sites(body), func(s *summary.Site) bool {
			return !acknowledges(s.Instr) && before(ack, s.Instr) && !before(s.Instr, ack) && slices.ContainsFunc(s.Effects, func(e summary.SiteEffect) bool {
				return heavy&(1<<e.Kind) != 0
			})
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
