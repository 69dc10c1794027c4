package nodeadline

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/report"
)

// weighStatement judges a wait for a database, or for a slot of a pool.
func (c *checker) weighStatement(v *verdict, args []ssa.Value) *verdict {
	e := v.effect
	switch {
	case e.Kind == effect.DNS:
		v.tier = report.Audit // the resolver gives up by itself, after some tries
	case e.Kind == effect.Acquire:
		if drains(c, args) {
			return nil
		}
		// Back-pressure among the tasks of one function that has no context to
		// give: the slot comes when another of them is done.
		if !c.handed(v.fn) && c.ownSlots(args) {
			v.tier = report.Audit
		}
	case e.Kind != effect.DB:
	case c.res.OnFile(e.Effect), c.migrates(v.fn), maintains(args),
		slices.ContainsFunc(e.Frames, func(f effect.Frame) bool { return changesSchema(f.Call) }):
		v.tier = report.Audit
	case v.slug == SQL && !c.drops(v.fn) && !c.givenText(args) && !c.givenDatabase(args), isPing(e.API) && !c.handed(v.fn):
		// A worker in the background waits for its database because it has
		// nothing else to do, and the database may have a limit of its own. What
		// takes any statement, or any database, that it is given cannot say so.
		v.tier = report.Audit
	}
	return v
}

// ownSlots reports whether the slots are those of a semaphore that the function,
// or one around it, has made.
func (c *checker) ownSlots(args []ssa.Value) bool {
	if len(args) == 0 {
		return false
	}
	_, made := c.res.Root(c.res.Path(args[0])).(*ssa.Call)
	return made
}

// givenDatabase reports whether the database, transaction or statement is a
// parameter: who gives it can give a context beside it.
func (c *checker) givenDatabase(args []ssa.Value) bool {
	if len(args) == 0 {
		return false
	}
	path := c.res.Path(args[0])
	p, ok := c.res.Root(path).(*ssa.Parameter)
	if _, sel := path.Split(); !ok || sel != "" {
		return false
	}
	fn := p.Parent()
	return fn.Signature.Recv() == nil || fn.Params[0] != p
}

// givenText reports whether the text of a statement is the caller's, who may be
// anybody, or gives one that is not constant.
func (c *checker) givenText(args []ssa.Value) bool {
	if len(args) < 2 {
		return false
	}
	p, ok := args[1].(*ssa.Parameter)
	if !ok {
		return false
	}
	if b, ok := types.Unalias(p.Type()).Underlying().(*types.Basic); !ok || b.Kind() != types.String {
		return false
	}
	calls, ok := c.callsOf(p.Parent())
	i := slices.Index(p.Parent().Params, p)
	return !ok || slices.ContainsFunc(calls, func(call ssa.CallInstruction) bool {
		given := c.res.Callee(call).Args
		if i >= len(given) {
			return true
		}
		_, constant := text(given[i])
		return !constant
	})
}

// drops reports whether a function, or one that calls it, is given a context
// that a statement in it does not get.
func (c *checker) drops(fn *ssa.Function) bool {
	c.callsOf(fn)
	seen := make(map[*ssa.Function]bool)
	level := []*ssa.Function{fn}
	for range maxForward + 1 {
		var next []*ssa.Function
		for _, f := range level {
			if c.handed(f) {
				return true
			}
			for f.Parent() != nil {
				f = f.Parent()
			}
			if seen[f] {
				continue
			}
			seen[f] = true
			for _, call := range c.callers[f] {
				next = append(next, call.Parent())
			}
		}
		level = next
	}
	return false
}

// isPing reports whether an operation only asks whether the database is there.
func isPing(api string) bool {
	return strings.HasSuffix(api, ".Ping") || strings.HasSuffix(api, ".PingContext")
}

// drains reports whether all of a semaphore is acquired: that waits for the
// tasks to be done, as a wait group does.
func drains(c *checker, args []ssa.Value) bool {
	if len(args) != 3 {
		return false
	}
	made, ok := c.res.Root(c.res.Path(args[0])).(*ssa.Call)
	if !ok || len(made.Call.Args) == 0 {
		return false
	}
	size := made.Call.Args[0]
	if x, ok := size.(*ssa.Const); ok {
		n, ok := args[2].(*ssa.Const)
		return ok && x.Value != nil && n.Value != nil && x.Int64() > 1 && x.Int64() == n.Int64()
	}
	return c.res.Path(size) != "" && c.res.Path(size) == c.res.Path(args[2])
}
