package unboundedqueue

import (
	"fmt"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/loop"
	"github.com/concvet/concvet/internal/report"
)

const (
	// hugeForOne is the capacity from which on a channel for one connection or
	// request is worth a word.
	hugeForOne = 4096
	// hugeAnywhere is that of any other channel.
	hugeAnywhere = 100_000
)

// channel reports a channel that is made with room for more than anybody would
// let pile up.
func (c *checker) channel(mc *ssa.MakeChan) {
	size, ok := mc.Size.(*ssa.Const)
	if !ok || size.Value == nil {
		return
	}
	n := size.Int64()
	if n < hugeForOne {
		return
	}
	ch, ok := types.Unalias(mc.Type()).Underlying().(*types.Chan)
	if !ok {
		return
	}
	bytes := int64(8)
	if _, generic := types.Unalias(ch.Elem()).(*types.TypeParam); !generic {
		bytes = c.pass.TypesSizes.Sizeof(ch.Elem())
	}
	if bytes == 0 {
		return // tokens take no memory
	}
	each, where := c.perUnit(mc.Parent(), mc, 0)
	if where != nil && where.Parent() != mc.Parent() && replaces(mc) {
		each = "" // the one before is gone
	}
	if each == "" && n < hugeAnywhere {
		return
	}
	start, end := report.Range(c.pass.Files, mc.Pos())
	f := report.Finding{Pos: start, End: end, Slug: Huge, Tier: report.Default, Resource: fmt.Sprint(n)}
	room := fmt.Sprintf("the channel has room for %d values of %d bytes (a capacity counts elements, not bytes), %s", n, bytes, inBytes(n*bytes))
	if each != "" {
		f.Message = fmt.Sprintf("%s for every %s", room, each)
		if where != nil && where.Pos().IsValid() {
			f.Frames = append(f.Frames, report.Frame{Pos: report.Place(c.pass.Fset, where.Pos()), Text: "once for every " + each})
			f.Related = append(f.Related, analysis.RelatedInformation{Pos: where.Pos(), Message: "once for every " + each})
		}
	} else {
		f.Message = fmt.Sprintf("%s: before a sender notices that the receiver is slow, that many values wait, and the last of them for as long as all others take", room)
	}
	f.Fixes, f.Unsafe = c.capacityFix(mc, each != "")
	c.report.Add(f)
}

// replaces reports whether a channel takes the place of another one in a field of
// the method's object.
func replaces(mc *ssa.MakeChan) bool {
	fn := mc.Parent()
	if fn.Signature.Recv() == nil {
		return false
	}
	for _, r := range *mc.Referrers() {
		s, ok := r.(*ssa.Store)
		if !ok {
			continue
		}
		if fa, ok := s.Addr.(*ssa.FieldAddr); ok && fa.X == ssa.Value(fn.Params[0]) {
			return true
		}
	}
	return false
}

func inBytes(n int64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%d KiB", n/(1<<10))
}

// perUnit says for what an instruction runs once: a connection, a request, a
// message; "" if it is not known to. It looks at the loops around it, at what
// the function is given, and at its callers in the package.
func (c *checker) perUnit(fn *ssa.Function, instr ssa.Instruction, depth int) (each string, where ssa.Instruction) {
	for l := c.loopsOf(fn).Around(instr.Block()); l != nil; l = l.Outer {
		feeds := l.FeedsOf(instr)
		if len(feeds) > 0 && feeds[0].Kind.Endless() {
			return c.each(load{feed: feeds[0]}), feeds[0].At
		}
	}
	if s := c.res.Delivers(fn); s != effect.NoSource {
		return c.each(load{once: s}), nil
	}
	params := fn.Params
	if fn.Signature.Recv() != nil {
		params = params[1:]
	}
	if slices.ContainsFunc(params, func(p *ssa.Parameter) bool { return loop.Connection(p.Type()) }) {
		return "connection", nil
	}
	if depth >= 2 {
		return "", nil
	}
	for _, call := range c.callersOf(fn) {
		if each, where := c.perUnit(call.Parent(), call, depth+1); each != "" {
			return each, where
		}
	}
	return "", nil
}

// callersOf lists the calls of a function in the package.
func (c *checker) callersOf(fn *ssa.Function) []ssa.CallInstruction {
	if c.callers == nil {
		c.callers = make(map[*ssa.Function][]ssa.CallInstruction)
		for _, f := range c.res.Funcs() {
			if c.res.InTest(f) {
				continue
			}
			for _, b := range f.Blocks {
				for _, instr := range b.Instrs {
					call, ok := instr.(ssa.CallInstruction)
					if !ok {
						continue
					}
					if callee := call.Common().StaticCallee(); callee != nil {
						c.callers[callee] = append(c.callers[callee], call)
					}
				}
			}
		}
	}
	return c.callers[fn]
}
