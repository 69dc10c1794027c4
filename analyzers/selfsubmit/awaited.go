package selfsubmit

import (
	"fmt"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/pool"
	"github.com/concvet/concvet/internal/region"
	"github.com/concvet/concvet/internal/report"
	"github.com/concvet/concvet/internal/summary"
)

// awaited reports waits, under a slot, for goroutines that need a slot of the
// same semaphore to get on.
func (c *checker) awaited(fn *ssa.Function, reg *region.Region) {
	for _, op := range c.model.Waits(fn) {
		for _, t := range reg.Held(op.Instr) {
			if t.Class != effect.Slot || t.Path == op.Path || !c.givesBack(fn, t) {
				continue
			}
			if start, need := c.needs(fn, op, t.Path); start != nil {
				c.addAwaited(fn, op, t, start, need)
			}
		}
	}
}

// needs finds a goroutine that fn starts, that ends what an operation waits for,
// and that comes to fn again, which takes a slot of the semaphore.
func (c *checker) needs(fn *ssa.Function, op *pool.Op, slots effect.Path) (ssa.CallInstruction, *effect.Effect) {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			start, ok := instr.(ssa.CallInstruction)
			if !ok {
				continue
			}
			for _, g := range c.model.Starts(start) {
				at, e := c.acquires(fn, g, slots)
				if e == nil {
					continue
				}
				if op.Verb == pool.Wait && c.model.Counted(start, g, op.Path) ||
					op.Verb == pool.Receive && at != nil && c.model.Answers(fn, g, op.Path, at) {
					return start, e
				}
			}
		}
	}
	return nil, nil
}

// acquires is the wait of a goroutine for a slot of the semaphore at path, by a
// call of fn; the instruction is nil if the goroutine runs fn itself.
func (c *checker) acquires(fn *ssa.Function, g *summary.Call, slots effect.Path) (ssa.Instruction, *effect.Effect) {
	if g.Sum == nil {
		return nil, nil
	}
	for _, p := range g.Sum.Releases {
		if c.res.Import(p, g.Args, g.HasRecv, fn) == slots {
			return nil, nil // it has been handed one
		}
	}
	if g.Body == fn {
		for i, e := range g.Sum.Effects {
			if e.Kind == effect.Acquire && e.Bound.Endless() && c.res.Import(e.On, g.Args, g.HasRecv, fn) == slots {
				return nil, &g.Sum.Effects[i]
			}
		}
		return nil, nil
	}
	for _, site := range c.res.Sites(g.Body) {
		call, ok := site.Instr.(*ssa.Call)
		if !ok || c.model.Resolve(call).Body != fn {
			continue
		}
		for i, e := range site.Effects {
			if e.Kind == effect.Acquire && e.Bound.Endless() && e.On != "" && c.res.Import(c.res.Export(e.On, g.Body), g.Args, g.HasRecv, fn) == slots {
				return call, &site.Effects[i].Effect
			}
		}
	}
	return nil, nil
}

// addAwaited reports a wait for goroutines that need a slot.
func (c *checker) addAwaited(fn *ssa.Function, op *pool.Op, t *region.Thing, start ssa.CallInstruction, need *effect.Effect) {
	if c.seen[op.Instr] {
		return
	}
	c.seen[op.Instr] = true
	from, to := report.Range(c.pass.Files, position(op.Instr))
	name := t.Name
	if name == "" {
		name = "a semaphore"
	}
	n := "all"
	if size := c.slots(t.Path, fn); size > 0 {
		n = fmt.Sprintf("all %d", size)
	}
	line := c.line(position(start))
	f := report.Finding{
		Pos: from, End: to, Slug: TokenNested, Tier: report.Default, Resource: "slot " + name,
		Message: fmt.Sprintf("a slot of %s is held (taken at line %d) while %s waits for goroutines (line %d) that need one, too: when %s slots are held by callers that wait here, none is left and all wait for ever",
			name, c.line(t.Pos), effect.Through(op.Frames), line, n),
	}
	if c.line(t.Pos) > 0 {
		f.Frames = append(f.Frames, report.Frame{Pos: report.Place(c.pass.Fset, t.Pos), Text: name + " taken"})
		f.Related = append(f.Related, analysis.RelatedInformation{Pos: t.Pos, Message: name + " taken"})
	}
	f.Related = append(f.Related, analysis.RelatedInformation{Pos: position(start), Message: "goroutine that needs a slot"})
	c.witness(&f, op.Frames)
	c.witness(&f, need.Frames)
	c.report.Add(f)
}
