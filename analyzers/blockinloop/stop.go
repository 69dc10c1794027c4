package blockinloop

import (
	"go/token"
	"slices"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/ir"
	"github.com/concvet/concvet/internal/loop"
	"github.com/concvet/concvet/internal/report"
	"github.com/concvet/concvet/internal/summary"
)

// longPause is the shortest pause of a known length by which a loop may end late
// before somebody changes it.
const longPause = 5 * time.Second

// judgeStop says whether an effect keeps a loop from its end.
func (c *checker) judgeStop(l *loop.Event, site *summary.Site, e summary.SiteEffect) *verdict {
	if len(l.Stop) == 0 || len(e.Frames) > maxWaitFrames || onlySignals(l) {
		return nil
	}
	v := &verdict{slug: IgnoresStop, on: l, tier: report.Default}
	switch e.Kind {
	case effect.Sleep:
		if e.API == "timer" && e.Bound.Kind == effect.ConstBound && !e.Repeats && e.Bound.Dur < minStop {
			return nil
		}
		if short(e.Effect) {
			return nil
		}
		switch {
		case c.forever(site, e), c.stubborn(l, site):
		case e.Bound.Kind == effect.ConstBound && e.Bound.Dur < longPause && (!e.Repeats || len(e.Frames) > 1):
			v.tier = report.Audit // the other function may look at the stop between two of them
		case !l.EachRound(site.Instr.Block()), l.OnFailure(site.Instr.Block()), afterFailure(l, site.Instr.Block()):
			v.tier = report.Audit // a pause after a failure, and then it looks at the stop
		case growing(site.Instr):
			v.tier = report.Audit
		case !c.awaited(l.Fn, 0):
			v.tier = report.Audit // nobody waits for its end
		case onlyTimers(l.Stop), e.Bound.Kind != effect.ConstBound && len(e.Frames) > 1:
			v.tier = report.Audit // a timeout is no stop; a pace that a helper was given
		}
	case effect.ChanSend:
		if !c.judgeSend(l, v, e) {
			return nil
		}
		switch {
		case e.Field == "" && l.Direct(site.Instr) && c.consumed().Abandons(e.On):
			if !asks(c.res.TypeOf(e.On)) {
				v.tier = report.Default
			}
		case !c.one(e.On) && !c.consumed().Leaves(e.Field), len(e.Frames) > 2:
			v.tier = report.Audit // it is taken sooner or later, or belongs to others
		}
	case effect.ChanRecv:
		if !c.judgeReceive(l, site, v, e) {
			return nil
		}
		if c.endsWithContext(e) {
			return nil
		}
		if e.On == "" || c.closedOnReturn(e) || timedRequest(site.Instr) || !c.awaited(l.Fn, 0) {
			v.tier = report.Audit
		}
	default:
		return nil
	}
	if tiny(site.Instr) || l.OnSignal(site.Instr.Block()) || e.Kind == effect.Sleep && l.Counted() {
		v.tier = report.Audit
	}
	for _, s := range l.Stop {
		v.delayed = append(v.delayed, s.Name)
	}
	return v
}

// endsWithContext reports whether what is received from was returned by a call
// that got a context: whoever sends ends with it, and closes the channel.
func (c *checker) endsWithContext(e summary.SiteEffect) bool {
	v := c.res.Root(e.On)
	if x, ok := v.(*ssa.Extract); ok {
		v = x.Tuple
	}
	call, ok := v.(*ssa.Call)
	if !ok {
		return false
	}
	for _, a := range call.Call.Args {
		if !ir.IsContext(a.Type()) {
			continue
		}
		made, ok := a.(*ssa.Call)
		if f := made; !ok || f.Call.StaticCallee() == nil || f.Call.StaticCallee().Signature.Params().Len() > 0 {
			return true // and not Background
		}
	}
	return false
}

// maxSteps is over how many fields and methods it is followed whose channel it is.
const maxSteps = 5

// timedRequest reports whether the channel of a receive belongs to what a call
// returned which was told how long it may take: the answer comes by then.
func timedRequest(instr ssa.Instruction) bool {
	x, ok := instr.(*ssa.UnOp)
	if !ok || x.Op != token.ARROW {
		return false
	}
	v := x.X
	for range maxSteps {
		switch y := v.(type) {
		case *ssa.UnOp:
			v = y.X
		case *ssa.FieldAddr:
			v = y.X
		case *ssa.Extract:
			v = y.Tuple
		case *ssa.Call:
			if slices.ContainsFunc(y.Call.Args, func(a ssa.Value) bool { return ir.IsNamed(a.Type(), "time", "Duration") }) {
				return true
			}
			switch {
			case y.Call.IsInvoke():
				v = y.Call.Value
			case y.Call.Signature().Recv() != nil:
				v = y.Call.Args[0]
			default:
				return false
			}
		default:
			return false
		}
	}
	return false
}

// closedOnReturn reports whether nobody sends to a channel, and a deferred call
// closes it: whoever is waited for says so in any case.
func (c *checker) closedOnReturn(e summary.SiteEffect) bool {
	return e.Field != "" && c.consumed().ClosedOnReturn(e.Field)
}

// onlyTimers reports whether nothing ends a loop but the time.
func onlyTimers(stops []*loop.Source) bool {
	return !slices.ContainsFunc(stops, func(s *loop.Source) bool { return !s.Timer })
}

// onlySignals reports whether a loop waits for signals and its end only: what it
// does with a signal is most likely to end.
func onlySignals(l *loop.Event) bool {
	for _, s := range l.Live {
		if !s.Signal {
			return false
		}
	}
	return len(l.Live) > 0
}
