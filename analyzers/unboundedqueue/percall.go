package unboundedqueue

import (
	"fmt"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/loop"
	"github.com/concvet/concvet/internal/report"
	"github.com/concvet/concvet/internal/summary"
)

// perCall judges a goroutine that a method starts for what it is called with, and
// that first of all waits for the end of the object: none of them is gone before.
func (c *checker) perCall(site *summary.Site, e summary.SiteEffect) {
	start, ok := site.Instr.(*ssa.Go)
	fn := site.Instr.Parent()
	if !ok || fn.Signature.Recv() == nil || len(fn.Params) < 2 || onceName(fn.Name()) || len(c.res.Joins(site)) > 0 {
		return
	}
	body := c.res.Callee(start).Body
	if body == nil || len(body.Blocks) == 0 {
		return
	}
	end := c.awaitsEnd(body, fn)
	if end == nil || c.lasts(fn) || !c.derives(start, func(v ssa.Value) bool { return ownArgument(fn, v) }) {
		return
	}
	name := c.name(end.X)
	at, to := report.Range(c.pass.Files, site.Pos)
	c.report.Add(report.Finding{
		Pos: at, End: to, Slug: GoPerItem, Tier: report.Default, Resource: GoPerItem + " call",
		Message: fmt.Sprintf("a goroutine is started at every call of %s and stays until %s ends, whatever becomes of what it was called for: there are as many as there were calls; keep a list, and let one goroutine go through it", fn.Name(), name),
		Frames: []report.Frame{
			{Pos: e.Frames[0].Pos, Text: e.Frames[0].Call},
			{Pos: report.Place(c.pass.Fset, end.Pos()), Text: "waits for " + name},
		},
	})
}

// awaitsEnd is the receive that a goroutine begins with, if it is from a channel
// of the object of fn that tells its end.
func (c *checker) awaitsEnd(body, fn *ssa.Function) *ssa.UnOp {
	for _, instr := range body.Blocks[0].Instrs {
		switch x := instr.(type) {
		case *ssa.UnOp:
			if x.Op != token.ARROW {
				continue
			}
			ch, ok := types.Unalias(x.X.Type()).Underlying().(*types.Chan)
			if !ok {
				return nil
			}
			st, ok := types.Unalias(ch.Elem()).Underlying().(*types.Struct)
			if !ok || st.NumFields() != 0 {
				return nil
			}
			path := c.res.Path(x.X)
			root, isParam := c.res.Root(path).(*ssa.Parameter)
			if !isParam || root != fn.Params[0] && !(root.Parent() == body && len(body.Params) > 0 && root == body.Params[0] && body.Signature.Recv() != nil) {
				return nil
			}
			if !endName(path.Last()) {
				return nil
			}
			return x
		case *ssa.Call, *ssa.Select, *ssa.Send:
			return nil
		}
	}
	return nil
}

func endName(name string) bool {
	return contains(name, []string{"stop", "quit", "done", "exit", "clos", "shutdown", "dying"})
}

// onceName reports whether a method is likely to be called once in the life of
// its object.
func onceName(name string) bool {
	if lifecycleName(name) {
		return true
	}
	name = strings.ToLower(name)
	for _, word := range []string{"run", "serve", "listen", "set", "loop", "connect", "attach", "with", "wait", "join", "launch", "begin", "main"} {
		if strings.HasPrefix(name, word) {
			return true
		}
	}
	return false
}

// lasts reports whether a function goes on for as long as its object, or keeps
// what it is given as the only one of its kind.
func (c *checker) lasts(fn *ssa.Function) bool {
	for _, l := range c.loopsOf(fn) {
		if len(l.Feeds) == 0 || l.Feeds[0].Kind.Endless() || l.Feeds[0].Kind == loop.Ticker || l.Feeds[0].Kind == loop.Signal {
			return true
		}
	}
	for _, site := range c.res.Sites(fn) {
		if _, isGo := site.Instr.(*ssa.Go); isGo {
			continue
		}
		for _, e := range site.Effects {
			if effect.WorkOf(e.Kind)&(1<<effect.ChanRecv|1<<effect.Select|1<<effect.GroupWait|1<<effect.Cond) != 0 {
				return true
			}
		}
	}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			s, ok := instr.(*ssa.Store)
			if !ok {
				continue
			}
			if _, isField := s.Addr.(*ssa.FieldAddr); isField && c.res.Root(c.res.Path(s.Addr)) == ssa.Value(fn.Params[0]) {
				return true
			}
		}
	}
	return false
}

// ownArgument reports whether v is what fn is called with, its object aside.
func ownArgument(fn *ssa.Function, v ssa.Value) bool {
	p, ok := v.(*ssa.Parameter)
	return ok && p.Parent() == fn && p != fn.Params[0]
}
