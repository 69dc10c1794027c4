package selfsubmit

import (
	"fmt"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/region"
	"github.com/concvet/concvet/internal/report"
	"github.com/concvet/concvet/internal/summary"
)

// tokens reports slots of a semaphore that are taken while one is held.
func (c *checker) tokens(fn *ssa.Function) {
	reg := c.res.Region(fn)
	if reg == nil {
		return
	}
	c.nested(fn, reg)
	if c.model == nil {
		return
	}
	c.awaited(fn, reg)
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok {
				continue
			}
			for _, g := range c.model.Starts(call) {
				c.handedOver(fn, reg, call, g)
			}
		}
	}
}

// nested looks at the waits of one function.
func (c *checker) nested(fn *ssa.Function, reg *region.Region) {
	for _, site := range c.res.Sites(fn) {
		held := reg.Held(site.Instr)
		for _, e := range site.Effects {
			if e.Kind != effect.Acquire || e.On == "" || !e.Bound.Endless() {
				continue
			}
			for _, t := range append(held[:len(held):len(held)], e.Held...) {
				if t.Class == effect.Slot && t.Path == e.On && c.applies(t, e) && c.givesBack(fn, t) {
					c.addToken(fn, site, t, e)
				}
			}
		}
	}
}

// givesBack reports whether a function, or one around it, gives a slot back that
// it holds. A channel that one goroutine sends on and another receives from is no
// semaphore. Who holds a slot only while it calls what it is given does.
func (c *checker) givesBack(fn *ssa.Function, t *region.Thing) bool {
	if t.Outer && t.Site == nil && t.Value == nil {
		return true
	}
	for ; fn != nil; fn = fn.Parent() {
		if c.givesBackIn(fn, t) {
			return true
		}
	}
	return false
}

func (c *checker) givesBackIn(fn *ssa.Function, t *region.Thing) bool {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			for _, e := range c.res.Events(instr) {
				switch {
				case e.Verb == region.Release && e.Path == t.Path,
					e.Verb == region.DropSlot && string(e.Path) == t.Path.Last(),
					e.Verb == region.DropSite && t.Site != nil && e.Site == t.Site: // a function that taking it returned
					return true
				}
			}
		}
	}
	return false
}

// applies reports whether it is here that a wait is to be reported.
func (c *checker) applies(t *region.Thing, e summary.SiteEffect) bool {
	if e.Lit == nil {
		return true
	}
	for _, o := range c.res.Entry(e.Lit) {
		if o.Path == t.Path && o.Class == t.Class {
			return false // reported inside the literal
		}
	}
	return true
}

// handedOver looks into a goroutine that is started under a slot and gives it
// back itself: it holds the slot from its start on.
func (c *checker) handedOver(fn *ssa.Function, reg *region.Region, at ssa.Instruction, g *summary.Call) {
	for _, t := range c.model.HandedOver(fn, reg, at, g) {
		if inner := c.res.RegionFrom(g.Body, []*region.Thing{t}); inner != nil {
			c.nested(g.Body, inner)
		}
	}
}

// addToken reports a second slot.
func (c *checker) addToken(fn *ssa.Function, site *summary.Site, t *region.Thing, e summary.SiteEffect) {
	if c.seen[site.Instr] {
		return
	}
	c.seen[site.Instr] = true
	start, end := report.Range(c.pass.Files, site.Pos)
	name := t.Name
	if name == "" {
		name = "a semaphore"
	}
	n := "N"
	if size := c.slots(t.Path, fn); size > 0 {
		n = fmt.Sprint(size)
	}
	f := report.Finding{
		Pos: start, End: end, Slug: TokenNested, Tier: report.Default, Resource: "slot " + name,
		Message: fmt.Sprintf("a slot of %s is held (taken at line %d) while %s waits for a second one: with %s slots, %s callers at once each hold one and wait for ever",
			name, c.line(t.Pos), effect.Through(e.Frames), n, n),
	}
	if c.line(t.Pos) > 0 {
		f.Frames = append(f.Frames, report.Frame{Pos: report.Place(c.pass.Fset, t.Pos), Text: name + " taken"})
		f.Related = append(f.Related, analysis.RelatedInformation{Pos: t.Pos, Message: name + " taken"})
	}
	c.witness(&f, e.Frames)
	c.report.Add(f)
}

// slots is the constant number of slots of a semaphore, 0 if it is not known.
func (c *checker) slots(path effect.Path, fn *ssa.Function) int64 {
	if c.model == nil {
		return 0
	}
	n, _ := c.model.Slots(path, fn)
	return n
}
