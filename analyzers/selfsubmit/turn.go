package selfsubmit

import (
	"fmt"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/report"
	"github.com/concvet/concvet/internal/summary"
)

// turns reports waits for the loop of a library in a function that the library
// runs on that very loop.
func (c *checker) turns(fn *ssa.Function) {
	on := c.res.Callback(fn)
	if on == nil {
		return
	}
	for _, site := range c.res.Sites(fn) {
		for _, e := range site.Effects {
			if e.Kind == effect.Turn && c.res.Awaits(e.Effect) == on.Loop && c.lasting(fn, e.On) {
				c.addTurn(fn, site, on, e)
				break
			}
		}
	}
}

// lasting reports whether what is at a path was there before fn was called. What
// fn makes is another loop, and so may be what it gets from elsewhere.
func (c *checker) lasting(fn *ssa.Function, path effect.Path) bool {
	if path == "" {
		return false
	}
	switch v := c.res.Root(path).(type) {
	case nil:
		return path[0] == 'g'
	case *ssa.Parameter:
		return v.Parent() == fn
	case *ssa.Alloc: // a receiver by value, of which fields are set
		_, sel := path.Split()
		return sel != "" && v.Parent() == fn && c.copies(v, fn)
	}
	return false
}

// copies reports whether a variable is the copy of a parameter.
func (c *checker) copies(v *ssa.Alloc, fn *ssa.Function) bool {
	for _, r := range *v.Referrers() {
		if s, ok := r.(*ssa.Store); ok && s.Addr == ssa.Value(v) {
			if p, ok := s.Val.(*ssa.Parameter); ok && p.Parent() == fn {
				return true
			}
		}
	}
	return false
}

// addTurn reports a callback that waits for its loop.
func (c *checker) addTurn(fn *ssa.Function, site *summary.Site, on *summary.Callback, e summary.SiteEffect) {
	if c.seen[site.Instr] {
		return
	}
	c.seen[site.Instr] = true
	start, end := report.Range(c.pass.Files, site.Pos)
	f := report.Finding{
		Pos: start, End: end, Slug: SelfWait, Tier: report.Default, Resource: on.Loop,
		Message: fmt.Sprintf("%s runs on the %s and waits in %s until that comes to it, which it cannot before %s has returned: deadlock",
			fn.Name(), on.Loop, effect.Through(e.Frames), fn.Name()),
	}
	c.witness(&f, e.Frames)
	c.report.Add(f)
}
