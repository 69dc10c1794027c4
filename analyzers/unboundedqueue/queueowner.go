package unboundedqueue

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/ir"
)

// ownNumber reports whether an expression is a number that the receiver of fn has
// in a field.
func (s *queueScan) ownNumber(fn *ast.FuncDecl, e ast.Expr) bool {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok || fn.Recv == nil {
		return false
	}
	v, ok := s.info.ObjectOf(sel.Sel).(*types.Var)
	if !ok || !v.IsField() {
		return false
	}
	b, ok := types.Unalias(v.Type()).Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}

// countOf is the type whose number a call gives that an expression is, or begins
// with, nil for any other expression.
func (s *queueScan) countOf(e ast.Expr) *types.TypeName {
	switch e := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		if e.Op == token.ADD {
			if t := s.countOf(e.X); t != nil {
				return t
			}
			return s.countOf(e.Y)
		}
	case *ast.CallExpr:
		sel, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr)
		if !ok {
			return nil
		}
		fn, ok := s.info.Uses[sel.Sel].(*types.Func)
		if ok && s.counts[fn.Origin()] {
			return ir.Receiver(fn.Signature())
		}
	}
	return nil
}

// owner is the type whose method first adds to a queue.
func (s *queueScan) owner(q *queue) *types.TypeName {
	fn, ok := s.info.Defs[q.grows[0].fn.Name].(*types.Func)
	if !ok {
		return nil
	}
	return ir.Receiver(fn.Signature())
}

// countedOutside reports whether somebody compares a number that the owner of a
// queue keeps, of its elements or their size, with a limit before he adds.
func (s *queueScan) countedOutside(q *queue) bool {
	t := s.owner(q)
	return t != nil && s.asked[t]
}

// documented reports whether the owner of a queue says, by its name, or that of
// what adds to it, or their comments, that it takes whatever comes: that has been
// decided.
func (s *queueScan) documented(q *queue) bool {
	fn := q.grows[0].fn
	texts := []string{funcName(fn), fn.Doc.Text()}
	if t := s.owner(q); t != nil {
		texts = append(texts, s.comment(t))
	}
	for _, text := range texts {
		text = strings.ToLower(strings.Join(strings.Fields(text), " "))
		for _, word := range []string{"unbounded", "unlimited", "infinite", "non-blocking", "nonblocking", "never block", "without blocking", "not block"} {
			if strings.Contains(text, word) {
				return true
			}
		}
	}
	return false
}

// comment is what the declaration of a type says before it.
func (s *queueScan) comment(t *types.TypeName) string {
	for _, f := range s.c.pass.Files {
		if t.Pos() < f.FileStart || t.Pos() > f.FileEnd {
			continue
		}
		for _, d := range f.Decls {
			gen, ok := d.(*ast.GenDecl)
			if !ok || t.Pos() < gen.Pos() || t.Pos() > gen.End() {
				continue
			}
			for _, spec := range gen.Specs {
				if ts, ok := spec.(*ast.TypeSpec); ok && ts.Name.Pos() == t.Pos() {
					return ts.Doc.Text() + gen.Doc.Text()
				}
			}
		}
	}
	return ""
}

// inFlight reports whether a queue is named after what has been sent and waits for
// its answer: who answers, or the connection, decides how much that is.
func inFlight(name string) bool {
	return name == "sent" || strings.HasSuffix(name, "Sent") || contains(name, []string{"inflight", "unacked", "outstanding", "unanswered"})
}

// pacedByDisk reports whether what adds to a queue, of its own accord, has written a
// file before, so that it cannot add faster than that.
func (s *queueScan) pacedByDisk(q *queue) bool {
	paced := false
	for _, grow := range q.grows {
		if grow.fn.Recv == nil {
			continue // where it is made
		}
		if !s.writesBefore(grow) {
			return false
		}
		paced = true
	}
	return paced
}

// writesBefore reports whether the method around a use, which is told nothing, writes
// a file before it comes there.
func (s *queueScan) writesBefore(u use) bool {
	obj := s.info.Defs[u.fn.Name]
	for _, fn := range s.c.res.Funcs() {
		if fn.Object() == nil || fn.Object() != obj || fn.Signature.Params().Len() > 0 {
			continue
		}
		for _, site := range s.c.res.Sites(fn) {
			if _, isGo := site.Instr.(*ssa.Go); isGo || site.Pos > u.pos {
				continue
			}
			for _, e := range site.Effects {
				if e.Kind == effect.Fsync || e.Kind == effect.File {
					return true
				}
			}
		}
	}
	return false
}
