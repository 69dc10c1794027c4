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
	case effect.Sleep, effect.Net, effect.DNS, effect.DB, effect.Exec, effect.GroupWait:
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
