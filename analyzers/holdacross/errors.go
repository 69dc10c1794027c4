package holdacross

import (
	"go/token"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/ir"
)

// complains reports whether an effect is that a peer is told of an error, once
// there is one: a line that finds room in the buffers on the way.
//
//	if err != nil {
//		fmt.Fprintf(conn, "%v\n", err)
//		panic(err)
//	}
func (c *checker) complains(at ssa.Instruction, e effect.Effect) bool {
	return !e.Repeats && writes(e.API) && c.afterError(at, e, 0)
}

// writes reports whether an operation only sends.
func writes(api string) bool {
	name := api[strings.LastIndexByte(api, '.')+1:]
	return strings.HasPrefix(name, "Write") || strings.HasPrefix(name, "Fprint") || name == "Encode" || name == "Flush"
}

func (c *checker) afterError(at ssa.Instruction, e effect.Effect, depth int) bool {
	for _, cond := range ir.Conditions(at.Block()) {
		if b, ok := cond.Value.(*ssa.BinOp); ok && (b.Op == token.NEQ && cond.Holds || b.Op == token.EQL && !cond.Holds) && isError(b.X.Type()) {
			if y, ok := b.Y.(*ssa.Const); ok && y.IsNil() {
				return true
			}
		}
	}
	callee, _ := c.given(at, nil, nil)
	if callee == nil || depth >= maxSwitches {
		return false
	}
	found := false
	for _, site := range c.res.Sites(callee) {
		for _, s := range site.Effects {
			if s.Kind == e.Kind && s.API == e.API {
				if s.Repeats || !c.afterError(site.Instr, e, depth+1) {
					return false
				}
				found = true
			}
		}
	}
	return found
}
