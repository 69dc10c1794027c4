package holdacross

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/ir"
	"github.com/concvet/concvet/internal/region"
	"github.com/concvet/concvet/internal/summary"
)

// hasRoom reports whether a send most likely finds room, or a receiver that does
// nothing else: the channel is not one of the locked object, but was brought
// along by a request or a subscriber, and all such channels in sight are made
// with room; or it comes out of a call, so that nothing is known of it.
func (c *checker) hasRoom(t *region.Thing, e summary.SiteEffect) bool {
	if e.On == "" {
		return len(e.Frames) > 1 // a channel of the callee
	}
	if c.fromCall(e.On) {
		return true
	}
	if _, sel := e.On.Split(); sel == "" {
		if v, ok := c.res.Root(e.On).(*ssa.Parameter); ok {
			ch, ok := types.Unalias(v.Type()).Underlying().(*types.Chan)
			name := v.Parent().Name()
			// The collectors of metrics: the registry receives all that is sent.
			return ok && ch.Dir() == types.SendOnly && (name == "Collect" || name == "Describe")
		}
	}
	if sameRoot(e.On, t.Path) && !strings.Contains(string(e.On), "[") {
		return false
	}
	if ch := c.res.TypeOf(e.On); ch != nil {
		if u, ok := types.Unalias(ch).Underlying().(*types.Chan); ok && types.Identical(u.Elem(), types.Universe.Lookup("error").Type()) {
			return true // the answer to a request
		}
	}
	return c.res.Roomy(e.Field) || c.res.MadeWithRoom(e.On)
}

// fromCall reports whether the channel at a path is the result of a call.
func (c *checker) fromCall(on effect.Path) bool {
	if _, sel := on.Split(); on == "" || sel != "" {
		return false
	}
	switch v := c.res.Root(on).(type) {
	case *ssa.Call:
		return true
	case *ssa.Extract:
		_, ok := v.Tuple.(*ssa.Call)
		return ok
	}
	return false
}

// optedIn reports whether the owner of a channel has asked to be waited for: the
// send stands under a flag beside the channel.
func (c *checker) optedIn(v *verdict) bool {
	if len(v.effect.Frames) != 1 || v.effect.On == "" {
		return false
	}
	for _, cond := range ir.Conditions(v.at.Block()) {
		path := c.res.Path(cond.Value)
		if _, sel := path.Split(); cond.Holds && sel != "" && owner(path) == owner(v.effect.On) && path != v.effect.On {
			return true
		}
	}
	return false
}

// signal reports whether a send says that something has happened that happens
// once, by a test of the object that the channel belongs to, on a channel that has
// room for it:
//
//	if c.conn == nil {
//		c.conn = conn
//		c.ready <- struct{}{}
//	}
func (c *checker) signal(v *verdict) bool {
	e := v.effect
	if e.On == "" || e.Repeats || !c.res.Roomy(e.Field) {
		return false
	}
	ch, ok := types.Unalias(c.res.TypeOf(e.On)).Underlying().(*types.Chan)
	if !ok {
		return false
	}
	if s, ok := types.Unalias(ch.Elem()).Underlying().(*types.Struct); !ok || s.NumFields() > 0 {
		return false
	}
	for _, cond := range ir.Conditions(v.at.Block()) {
		val := cond.Value
		if b, ok := val.(*ssa.BinOp); ok {
			val = b.X
		}
		if path := c.res.Path(val); path != "" && path != e.On && owner(path) == owner(e.On) {
			return true
		}
	}
	return false
}

// ownWorkers reports whether a wait is for goroutines of an object that the code
// around has made for itself: what is done meanwhile is part of the same work, and
// is reported by itself where it calls out.
func (c *checker) ownWorkers(e summary.SiteEffect) bool {
	if e.On == "" || e.Joined {
		return false
	}
	switch v := c.res.Root(e.On).(type) {
	case *ssa.Alloc:
		return true
	case *ssa.Call:
		callee := v.Call.StaticCallee()
		return callee != nil && makeWords[firstWord(callee.Name())]
	}
	return false
}

// dispatches reports whether a function takes the slot for a goroutine that it
// starts when there is something to do: who takes the next slot is this function,
// and it sleeps since there is nothing.
func dispatches(at ssa.Instruction, t *region.Thing) bool {
	if t.Site == nil {
		return false
	}
	taken, asleep := t.Site.Block(), at.Block()
	for _, b := range at.Parent().Blocks {
		for _, instr := range b.Instrs {
			if _, ok := instr.(*ssa.Go); ok && taken.Dominates(b) && !b.Dominates(asleep) && !asleep.Dominates(b) {
				return true
			}
		}
	}
	return false
}
