package blockinloop

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/loop"
	"github.com/concvet/concvet/internal/report"
	"github.com/concvet/concvet/internal/summary"
)

// minOwners is how many other kinds of event must change what the loop owns
// for a loop that receives from one channel to count as an event loop: with
// fewer it is most likely a worker.
const minOwners = 2

// independent reports whether two sources are two jobs, though their handling
// waits in the same way: each keeps collections of the loop in its own way. Two
// streams that are merged are one job.
func (c *checker) independent(l *loop.Event, b *ssa.BasicBlock, s *loop.Source, kind effect.Kind) bool {
	switch kind {
	case effect.Net, effect.DNS, effect.Exec, effect.Sleep, effect.GroupWait:
	default:
		return false
	}
	other := l.Changes(c.res, s)
	if len(other) == 0 {
		return false
	}
	for _, culprit := range l.Live {
		if culprit.Handles(b) {
			own := l.Changes(c.res, culprit)
			return len(own) > 0 && !slices.Equal(own, other)
		}
	}
	return false
}

// judgeKinds says whether an effect delays other kinds of event of the channel
// that the loop receives from, where the kinds are told apart by a value.
func (c *checker) judgeKinds(l *loop.Event, site *summary.Site, e summary.SiteEffect) *verdict {
	b := site.Instr.Block()
	if short(e.Effect) || !slices.ContainsFunc(l.ByValue, func(s *loop.Source) bool { return s.Handles(b) }) {
		return nil
	}
	v := &verdict{slug: EventLoop, on: l, tier: report.Default}
	if !c.blocks(l, site, v, e) {
		return nil
	}
	for _, s := range l.ByValue {
		if s.Handles(b) || c.similar(l, s, e.Kind) || len(l.Changes(c.res, s)) == 0 || slices.Contains(v.delayed, s.Name) {
			continue
		}
		v.delayed = append(v.delayed, s.Name)
	}
	if len(v.delayed) < minOwners {
		return nil
	}
	if flushes(l, site) != nil {
		v.tier = report.Audit
	}
	return v
}

// judgeTable says whether an effect of one candidate of a call delays the
// others: they stand in a table of what to do with each kind of event, or are
// the methods of the kinds of event themselves.
func (c *checker) judgeTable(l *loop.Event, m *summary.MayCall, site *summary.Site, e summary.SiteEffect) *verdict {
	if !m.Table && !(m.Interface && c.ofEvent(l, m)) || short(e.Effect) || !slices.ContainsFunc(l.Live, func(s *loop.Source) bool { return s.Handles(site.Instr.Block()) }) {
		return nil
	}
	v := &verdict{slug: EventLoop, on: l, tier: report.Default}
	if !c.blocks(l, site, v, e) {
		return nil
	}
	for _, other := range m.Candidates {
		if other.Func == nil || other.Key == "" || !c.res.ChangesState(other.Func, m.Interface) {
			continue
		}
		if waits(other, e.Kind) {
			continue
		}
		v.delayed = append(v.delayed, other.Key)
	}
	if len(v.delayed) < minOwners {
		return nil
	}
	return v
}

// ofEvent reports whether what is called is a method of a received value.
func (c *checker) ofEvent(l *loop.Event, m *summary.MayCall) bool {
	call, ok := m.At.(*ssa.Call)
	return ok && call.Call.IsInvoke() && l.Received(call.Call.Value)
}

// mayCalls finds what the candidates of a call do in a loop or a callback.
func (c *checker) mayCalls(fn *ssa.Function, events []*loop.Event, label *summary.Callback, marked *mark) {
	for _, m := range c.res.MayCalls(fn) {
		site := &summary.Site{Instr: m.At, Pos: m.Pos}
		var best *verdict
		for _, cand := range m.Candidates {
			for _, e := range cand.Effects {
				for _, v := range c.judge(site, e, events, label, marked) {
					if v == nil {
						continue
					}
					if m.Interface && !c.all(m, e.Kind) {
						v.tier = report.Audit // which of them it is, is not known
					}
					if v.better(best) {
						best = v
					}
				}
				for _, l := range events {
					if !l.Has(m.At) {
						continue
					}
					v := c.judgeTable(l, m, site, e)
					if v == nil {
						continue
					}
					v.site, v.effect = site, e
					c.moderate(v)
					if v.better(best) {
						best = v
					}
				}
			}
		}
		if best != nil {
			c.found = append(c.found, best)
		}
	}
}

// all reports whether every candidate of a call waits in the same way.
func (c *checker) all(m *summary.MayCall, kind effect.Kind) bool {
	return !slices.ContainsFunc(m.Candidates, func(cand summary.Candidate) bool { return !waits(cand, kind) })
}
