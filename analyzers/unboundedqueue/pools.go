package unboundedqueue

import (
	"fmt"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/report"
	"github.com/concvet/concvet/internal/summary"
)

// A submission is a call that puts work into a pool as often as the load wants.
type submission struct {
	site   *summary.Site
	effect summary.SiteEffect
	load   load
}

// pools reports calls that make a pool or a channel without a bound.
func (c *checker) pools() {
	for _, fn := range c.res.Funcs() {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				call, ok := instr.(*ssa.Call)
				if !ok {
					continue
				}
				switch c.res.Made(call) {
				case "chan":
					start, end := report.Range(c.pass.Files, call.Pos())
					c.report.Add(report.Finding{
						Pos: start, End: end, Slug: Infinite, Tier: report.Default, Resource: c.res.NameOf(c.res.Path(call)),
						Message: "the channel takes whatever is sent to it and keeps it until somebody receives: when the receiver is slower than the senders, or gone, it grows until memory ends",
					})
				case "pool":
					c.pool(call, report.Audit, "the workers of the pool are limited, its queue is not: whatever is submitted faster than they work is kept in memory")
				case "workers":
					c.pool(call, report.Default, "the pool has no limit: a size that is not positive, or that large, is none, so it starts a worker whenever all others are busy")
				}
			}
		}
	}
}

// pool reports a pool whose queue has no bound. How much is in the queue is up
// to the load if something submits to it once a message or request; a pool that
// others may submit to is for an audit.
func (c *checker) pool(call *ssa.Call, tier report.Tier, what string) {
	keys, lasting := c.identities(call)
	f := report.Finding{Slug: PoolDefault, Tier: tier, Resource: c.res.NameOf(c.res.Path(call))}
	f.Pos, f.End = report.Range(c.pass.Files, call.Pos())
	f.Message = what
	for _, s := range c.fed {
		if s.effect.On == "" || !keys[string(s.effect.On)] && !keys[c.res.Field(s.effect.On)] {
			continue
		}
		f.Tier = report.Default
		f.Message += fmt.Sprintf("; here a task is submitted for every %s", c.each(s.load))
		f.Frames = append(f.Frames, report.Frame{Pos: report.Place(c.pass.Fset, s.site.Pos), Text: "a task is submitted"})
		f.Related = append(f.Related, analysis.RelatedInformation{Pos: s.site.Pos, Message: "a task is submitted"})
		break
	}
	if f.Tier == report.Audit && !lasting {
		return // filled from a list at most
	}
	f.Fixes, f.Unsafe = c.poolFixes(call)
	c.report.Add(f)
}

// identities are the names under which the result of a call is known: its path,
// and the fields it is put into. lasting reports whether it outlives the
// function.
func (c *checker) identities(call *ssa.Call) (keys map[string]bool, lasting bool) {
	keys = map[string]bool{string(c.res.Path(call)): true}
	var visit func(v ssa.Value, depth int)
	visit = func(v ssa.Value, depth int) {
		if v.Referrers() == nil || depth > 4 {
			return
		}
		for _, r := range *v.Referrers() {
			switch r := r.(type) {
			case *ssa.Store:
				path := c.res.Path(r.Addr)
				keys[string(path)] = true
				if key := c.res.Field(path); key != "" && r.Val == v {
					keys[key], lasting = true, true
				}
			case *ssa.Return:
				lasting = true
			case *ssa.Extract:
				if r.Index == 0 {
					keys[string(c.res.Path(r))] = true
					visit(r, depth+1)
				}
			case *ssa.MakeInterface:
				visit(r, depth+1)
			case *ssa.ChangeInterface:
				visit(r, depth+1)
			case *ssa.Phi:
				visit(r, depth+1)
			}
		}
	}
	visit(call, 0)
	delete(keys, "")
	return keys, lasting
}
