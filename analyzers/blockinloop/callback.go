package blockinloop

import (
	"slices"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/report"
	"github.com/concvet/concvet/internal/summary"
)

// judgeCallback says whether an effect keeps the loop waiting that a function
// runs on.
func (c *checker) judgeCallback(cb *summary.Callback, e summary.SiteEffect) *verdict {
	if short(e.Effect) || cb.Free {
		return nil
	}
	v := &verdict{slug: Callback, label: cb.Loop, tier: report.Default}
	switch e.Kind {
	case effect.Sleep:
	case effect.GroupWait:
		if len(e.Frames) > 1 && stops(e.Frames[len(e.Frames)-2].Call) {
			v.tier = report.Audit // nothing is to be handled any more
		}
	case effect.Net, effect.DNS, effect.DB, effect.Exec:
		if c.res.Timed(e.Effect) {
			v.tier = report.Audit // somebody has thought of how long it may take
		}
	case effect.ChanRecv:
		if e.Bound.Kind != effect.Unbounded || e.On == "" {
			v.tier = report.Audit
		}
	case effect.ChanSend:
		if e.Field != "" && c.res.Roomy(e.Field) || c.res.MadeWithRoom(e.On) {
			return nil
		}
		switch c.consumed().Of(e.Field) {
		case 1: // drained
			return nil
		case 0:
			v.tier = report.Audit
		}
	case effect.Fsync, effect.Select, effect.Acquire, effect.Submit, effect.Cond:
		v.tier = report.Audit
	case effect.Lock:
		if !c.judgeLock(nil, v, e) {
			return nil
		}
	default:
		return nil
	}
	if len(cb.Kinds) > 0 && !slices.Contains(cb.Kinds, e.Kind) {
		v.tier = report.Audit // it is what such a function is there for
	}
	return v
}
