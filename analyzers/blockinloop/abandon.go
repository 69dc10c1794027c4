package blockinloop

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/loop"
	"github.com/concvet/concvet/internal/report"
	"github.com/concvet/concvet/internal/summary"
)

// abandoned finds plain sends to a channel that is made for the reader and
// handed out, in a loop that watches a stop: when the reader has gone, nothing
// ends the send. To anybody else such a send is no wait, since there is somebody
// to take it; that is why it is no effect of the function.
func (c *checker) abandoned(fn *ssa.Function, events []*loop.Event) {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			l := stopping(events, instr)
			if l == nil {
				continue
			}
			switch x := instr.(type) {
			case *ssa.Send:
				path := c.res.Path(x.Chan)
				if c.unfinished(l, path) {
					name := c.res.NameOf(path)
					if name == "" {
						name = "a channel"
					}
					c.lost(l, x, x.Pos(), path, []effect.Frame{{Pos: c.res.Place(x), Call: "send on " + name}})
				}
			case *ssa.Call:
				call := c.res.Call(x.Common())
				if call.Sum == nil || call.Body == nil {
					continue
				}
				for _, e := range call.Sum.Effects {
					if e.Kind != effect.ChanSend || e.Bound.Kind != effect.Unbounded || len(e.Frames) >= maxWaitFrames {
						continue
					}
					if path := c.res.Local(x, call, e.On, fn); c.unfinished(l, path) {
						c.lost(l, x, x.Pos(), path, c.res.Frames(x, call, e.Frames))
					}
				}
			}
		}
	}
}

// unfinished reports whether a channel was made in this package, before the loop
// began, for a reader who may go away.
func (c *checker) unfinished(l *loop.Event, path effect.Path) bool {
	mc, ok := c.res.Root(path).(*ssa.MakeChan)
	if !ok || l.Has(mc) || asks(mc.Type()) {
		return false
	}
	return c.consumed().Abandons(path)
}

// stopping returns the innermost loop around an instruction that watches a stop.
func stopping(events []*loop.Event, instr ssa.Instruction) *loop.Event {
	for _, l := range events {
		if l.Has(instr) && len(l.Stop) > 0 && !onlySignals(l) {
			return l
		}
	}
	return nil
}

func (c *checker) lost(l *loop.Event, at ssa.Instruction, pos token.Pos, path effect.Path, frames []effect.Frame) {
	for _, site := range c.res.Sites(at.Parent()) {
		if site.Instr == at {
			return // judged as what it is
		}
	}
	v := &verdict{
		site: &summary.Site{Instr: at, Pos: pos},
		effect: summary.SiteEffect{Effect: effect.Effect{
			Kind: effect.ChanSend, API: "send", On: path, Frames: frames,
		}},
		slug: IgnoresStop, tier: report.Default, on: l,
	}
	for _, s := range l.Stop {
		v.delayed = append(v.delayed, s.Name)
	}
	c.found = append(c.found, v)
}
