package unboundedqueue

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/loop"
	"github.com/concvet/concvet/internal/report"
	"github.com/concvet/concvet/internal/summary"
)

// parallel judges a call that hands a list and a function to a helper of the
// package, which starts the function in a goroutine for each element. The helper
// may wait for them all: that many there are nevertheless.
func (c *checker) parallel(call ssa.CallInstruction) {
	h := c.res.HelperOf(call)
	if h == nil {
		c.elsewhere(call)
		return
	}
	if h.Does&heavy == 0 || h.Body == call.Parent() {
		return
	}
	for _, site := range c.res.Sites(h.Body) {
		if c.slotAt(site) || !c.res.StartsParam(site) {
			continue
		}
		for _, e := range site.Effects {
			if e.Kind != effect.Spawn || e.Bound.Kind != effect.Unbounded || len(e.Frames) == 0 || e.Does&heavy != 0 {
				continue // or the helper is reported itself
			}
			list := c.listParam(site)
			i := slices.Index(h.Body.Params, list)
			if i < 0 {
				continue
			}
			l := load{feed: loop.Feed{Kind: loop.Slice, Value: h.Args[i], Case: -1}}
			e.Does, e.Frames = h.Does, append([]effect.Frame{h.Frame}, e.Frames...)
			f := found{site: &summary.Site{Instr: call, Pos: call.Pos(), Effects: site.Effects}, effect: e, load: l, slug: GoPerItem, tier: report.Default}
			if c.res.Grows(e.API) == "group" {
				if f.slug = NoLimit; e.On != "" && c.res.MayBeLimited(h.Body, e.On) {
					continue
				}
			}
			if loop.Listed(h.Args[i], c.res) {
				continue
			}
			if c.fixedSet(call.Parent(), l.feed, e) || e.Does.Has(effect.Acquire, effect.GroupWait, effect.Cond, effect.ChanRecv, effect.Select) {
				f.tier = report.Audit
			}
			c.found = append(c.found, f)
			return
		}
	}
}

// elsewhere is parallel for a helper of another package, which says in its fact
// what it does with the list and the function.
func (c *checker) elsewhere(call ssa.CallInstruction) {
	each := c.res.EachOf(call)
	if each == nil || each.Does&heavy == 0 || loop.Listed(each.List, c.res) {
		return
	}
	l := load{feed: loop.Feed{Kind: loop.Slice, Value: each.List, Case: -1}}
	e := summary.SiteEffect{Effect: effect.Effect{Kind: effect.Spawn, Does: each.Does, Frames: each.Frames}}
	f := found{site: &summary.Site{Instr: call, Pos: call.Pos()}, effect: e, load: l, slug: GoPerItem, tier: report.Default}
	if each.Group {
		f.slug = NoLimit
	}
	if c.fixedSet(call.Parent(), l.feed, e) || each.Does.Has(effect.Acquire, effect.GroupWait, effect.Cond, effect.ChanRecv, effect.Select) {
		f.tier = report.Audit
	}
	c.found = append(c.found, f)
}

// listParam is the parameter over whose elements the loop around a site goes.
func (c *checker) listParam(site *summary.Site) *ssa.Parameter {
	l, ok := c.loadOf(site)
	if !ok || l.feed.Kind != loop.Slice {
		return nil
	}
	p, _ := l.feed.Value.(*ssa.Parameter)
	return p
}
