package unboundedqueue

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/ir"
	"github.com/concvet/concvet/internal/loop"
	"github.com/concvet/concvet/internal/report"
	"github.com/concvet/concvet/internal/summary"
)

// heavy is what takes a resource that others need, too.
const heavy = effect.Work(1<<effect.Net | 1<<effect.DB | 1<<effect.Exec | 1<<effect.File | 1<<effect.Fsync | 1<<effect.DNS)

// slow is what makes a goroutine stay for a while.
const slow = heavy | effect.Opaque | 1<<effect.Sleep | 1<<effect.ChanSend | 1<<effect.ChanRecv | 1<<effect.Select |
	1<<effect.Cond | 1<<effect.GroupWait | 1<<effect.Submit | 1<<effect.Acquire | 1<<effect.CPU | 1<<effect.IO

// spawn judges a goroutine that a site starts.
func (c *checker) spawn(site *summary.Site, e summary.SiteEffect) {
	if e.Bound.Kind != effect.Unbounded || len(e.Frames) == 0 {
		return
	}
	l, ok := c.loadOf(site)
	if !ok {
		c.perCall(site, e)
		return
	}
	fn := site.Instr.Parent()
	f := found{site: site, effect: e, load: l, slug: GoPerItem, tier: report.Default}
	switch c.res.Grows(e.API) {
	case "group":
		f.slug = NoLimit
	case "pool":
		f.slug = PoolDefault
	}
	if e.On != "" && f.slug != GoPerItem && c.res.MayBeLimited(fn, e.On) {
		return
	}
	timer := c.res.Grows(e.API) == "timer"
	late := f.slug == GoPerItem && waitsInside(e.Does) && !timer
	switch {
	case timer && (!l.endless() || e.Does&slow == 0):
		return
	case timer && e.Does&(heavy|1<<effect.Sleep) == 0:
		f.tier = report.Audit // done later, and perhaps not for long
	case l.feed.Kind == loop.Accept && l.once == effect.NoSource:
		if v := l.feed.Value; v != nil && c.res.GivenLimit(fn, c.res.Path(v)) {
			return
		}
		f.slug, f.tier = AcceptSpawn, report.Audit
	case c.windowed(site, l):
		return
	case l.endless():
		if e.Does&slow == 0 && e.Does&effect.Forever == 0 {
			return
		}
		if late {
			f.slug = LateAcquire
		}
		switch {
		case e.Does&effect.Forever != 0:
			f.tier = report.Audit // one for each thing that appears, as long as it is there
		case l.once == effect.Conns && hijacked(site):
			f.tier = report.Audit // it serves the connection in the place of the handler
		case l.once == effect.Conns && f.slug == GoPerItem && !late && operates(fn):
			f.tier = report.Audit // at the pace of people
		case l.once == effect.Conns && (len(e.Frames) > 1 || !e.Does.Has(effect.Exec, effect.Acquire)) && (!c.accepted(site, e, late) || c.paced(site)):
			f.tier = report.Audit // the server starts a goroutine for each request, too
		case f.slug == GoPerItem && (c.ownChannel(l) || c.without(site, l) || c.perKey(site)):
			f.tier = report.Audit // it is not seen that the load decides
		case c.batch(site, l) || acknowledged(l), c.awaited(site, l):
			f.tier = report.Audit // who gathers, or waits for the acknowledgement, decides how many
		case len(e.Frames) > 1 && e.Repeats:
			f.tier = report.Audit // for each of what a helper finds
		case !late && e.Does&(heavy|1<<effect.Sleep|1<<effect.CPU|1<<effect.IO) == 0 && e.Does.Has(effect.ChanRecv, effect.Select):
			f.tier = report.Audit // not known what, and in step with other goroutines
		case len(e.Frames) > 2 || len(e.Frames) > 1 && !late && e.Does&(heavy|1<<effect.Sleep) == 0 && !handsItem(site, l):
			f.tier = report.Audit // far away, or not known to take anything
		case !late && e.Does&(heavy|effect.Opaque|1<<effect.Sleep|1<<effect.CPU|1<<effect.IO) == 0:
			f.tier = report.Audit // waits for the end of something that has been started
		}
	default:
		switch {
		case e.Does&effect.Forever != 0:
			return
		case late:
			f.slug, f.tier = LateAcquire, report.Audit
		case e.Does&heavy != 0 && e.Does.Has(effect.Acquire):
			f.tier = report.Audit // the list is long at most, the work is limited
		case e.Does&heavy != 0:
			far := len(e.Frames) > 2 || len(e.Frames) > 1 && c.pacedRound(site) || len(e.Frames) > 1 && !e.Does.Has(effect.Net, effect.DB, effect.Exec)
			if far || c.fixedSet(fn, l.feed, e) || e.Does.Has(effect.GroupWait, effect.Cond, effect.ChanRecv, effect.Select) {
				f.tier = report.Audit // as few as what they wait for
			}
		case e.Does&effect.Opaque != 0 && e.Does&effect.Context != 0:
			f.tier = report.Audit
		default:
			return
		}
	}
	c.found = append(c.found, f)
}

// waitsInside reports whether a goroutine waits for a slot, or does nothing but
// hand something over.
func waitsInside(w effect.Work) bool {
	if w.Has(effect.Acquire) {
		return true
	}
	return w.Has(effect.ChanSend) && w&(heavy|effect.Opaque|effect.Forever|1<<effect.Sleep|1<<effect.ChanRecv|1<<effect.Select) == 0
}

// accepted reports whether a goroutine works on the body of a request, or hands it
// on: the client is told that it is done, and sends the next. A goroutine for what
// a user clicks on is for a review.
func (c *checker) accepted(site *summary.Site, e summary.SiteEffect, late bool) bool {
	if len(e.Frames) > 2 || late && len(e.Frames) > 1 || !late && !e.Does.Has(effect.Net, effect.DB, effect.CPU) {
		return false
	}
	call, ok := site.Instr.(ssa.CallInstruction)
	return ok && c.derives(call, c.res.Body)
}

// handsItem reports whether a call is given the very value that is received.
func handsItem(site *summary.Site, l load) bool {
	call, ok := site.Instr.(ssa.CallInstruction)
	at, isValue := l.feed.At.(ssa.Value)
	return ok && isValue && slices.ContainsFunc(call.Common().Args, func(a ssa.Value) bool {
		if e, ok := a.(*ssa.Extract); ok {
			a = e.Tuple
		}
		return a == at
	})
}

// hijacked reports whether a goroutine is given a connection: the handler that
// starts it has taken it over from the server.
func hijacked(site *summary.Site) bool {
	call, ok := site.Instr.(ssa.CallInstruction)
	if !ok {
		return false
	}
	given := slices.Clone(call.Common().Args)
	if mc, ok := call.Common().Value.(*ssa.MakeClosure); ok {
		given = append(given, mc.Bindings...)
	}
	return slices.ContainsFunc(given, func(v ssa.Value) bool {
		if captured, ok := v.(*ssa.Alloc); ok {
			return ir.IsConn(captured.Type().(*types.Pointer).Elem())
		}
		return ir.IsConn(v.Type())
	})
}
