package blockinloop

import (
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/directive"
	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/report"
	"github.com/concvet/concvet/internal/summary"
)

// A mark is what a //concvet:latency directive speaks of: a function, or the
// bodies of some of its loops.
type mark struct {
	loops [][2]token.Pos // empty for the whole function
}

// covers reports whether a position is marked.
func (m *mark) covers(pos token.Pos) bool {
	if m == nil {
		return false
	}
	if len(m.loops) == 0 {
		return true
	}
	for _, l := range m.loops {
		if l[0] <= pos && pos < l[1] {
			return true
		}
	}
	return false
}

// marked returns what of fn a directive marks, nil if there is none.
func (c *checker) marked(fn *ssa.Function) *mark {
	if len(c.dirs.All) == 0 || fn.Syntax() == nil {
		return nil
	}
	if decl, ok := fn.Syntax().(*ast.FuncDecl); ok && c.dirs.OnFunc(decl, directive.Latency) != nil {
		return &mark{}
	}
	m := &mark{}
	ast.Inspect(fn.Syntax(), func(n ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok && n != fn.Syntax() {
			return false
		}
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			if c.dirs.OnLine(n.Pos(), directive.Latency) != nil {
				m.loops = append(m.loops, [2]token.Pos{n.Pos(), n.End()})
			}
		}
		return true
	})
	if len(m.loops) == 0 {
		return nil
	}
	return m
}

// judgeLatency says whether an effect may keep a function waiting that must not
// wait at all.
func (c *checker) judgeLatency(e summary.SiteEffect) *verdict {
	if short(e.Effect) || e.Bound.Kind == effect.EscapeBound && e.Bound.Dur > 0 && e.Bound.Dur <= maxWait {
		return nil
	}
	switch e.Kind {
	case effect.None, effect.Spawn, effect.Enqueue, effect.IO, effect.Turn:
		return nil
	case effect.ChanSend:
		if e.Field != "" && c.res.Roomy(e.Field) || c.res.MadeWithRoom(e.On) {
			return nil
		}
	case effect.Lock:
		v := &verdict{}
		if !c.judgeLock(nil, v, e) {
			return nil // held for a few instructions only
		}
		v.slug, v.tier = Latency, report.Default
		return v
	}
	return &verdict{slug: Latency, tier: report.Default}
}
