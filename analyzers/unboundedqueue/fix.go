package unboundedqueue

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/astutil"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/fix"
	"github.com/concvet/concvet/internal/loop"
	"github.com/concvet/concvet/internal/region"
)

// The numbers that fixes write, to begin with. The pages derive them; the
// comments beside them in the fixed code say how, so that whoever knows the real
// figures can put them in.
const (
	// workers = cores × (1 + wait / compute)
	workers     = 64
	workersText = "8 cores × (1 + 70 ms of waiting / 10 ms of work)"

	// queue = wait budget × rate
	queued     = 1000
	queuedText = "0.5 s of waiting × 2,000 a second"

	// the same for one connection or request
	queuedForOne     = 250
	queuedForOneText = "0.25 s of waiting × 1,000 a second"
)

// waiting is what a goroutine does that may depend on the loop that starts it: if
// that has to wait for a slot, they may wait for each other.
const waiting = effect.Work(1<<effect.ChanSend|1<<effect.ChanRecv|1<<effect.Select|1<<effect.Cond|1<<effect.GroupWait|1<<effect.Submit) |
	effect.Opaque | effect.Forever

// A remedy is a fix of one finding under way.
type remedy struct {
	c    *checker
	f    found
	file *fix.File
	path []ast.Node // around the site, innermost first, up to the function

	edits  []analysis.TextEdit
	title  string
	change string // what else changes, for a reader to judge; "" for a safe fix
}

// fixes suggests how the number gets a limit: with what the standard library has,
// or, second, with a pool of the runtime module. Everything that is not
// understood is left to the reader.
func (c *checker) fixes(f found) (out []analysis.SuggestedFix, changes map[string]string) {
	defer func() {
		if recover() != nil {
			out, changes = nil, nil // the finding is worth more than a fix of it
		}
	}()
	r := &remedy{c: c, f: f}
	var err error
	if r.file, err = fix.Open(c.pass, f.site.Pos); err != nil || len(f.effect.Frames) > 1 || f.load.once != effect.NoSource {
		return nil, nil
	}
	path, _ := astutil.PathEnclosingInterval(r.file.Syntax, f.site.Pos, f.site.Pos)
	for i, n := range path {
		switch n := n.(type) {
		case *ast.FuncDecl:
			r.path = path[:i+1]
		case *ast.FuncLit:
			if i > 0 && path[i-1] == n.Body {
				r.path = path[:i+1]
			}
		}
		if r.path != nil {
			break
		}
	}
	if r.path == nil || r.locked() || r.answers() {
		return nil, nil
	}
	ok := false
	switch f.slug {
	case NoLimit:
		ok = r.setLimit()
	case LateAcquire:
		ok = r.acquireFirst()
	case GoPerItem:
		ok = r.tokens()
	}
	if !ok {
		return nil, nil
	}
	out, changes = r.done()
	second := &remedy{c: c, f: f, file: r.file, path: r.path}
	if f.slug != GoPerItem || len(out) == 0 || !second.workpool() {
		return out, changes
	}
	alternative, change := second.done()
	all := make(map[string]string)
	maps.Copy(all, changes)
	maps.Copy(all, change)
	return append(out, alternative...), all
}

// done is the suggestion.
func (r *remedy) done() ([]analysis.SuggestedFix, map[string]string) {
	edits, ok := r.file.Clean(r.edits)
	if !ok {
		return nil, nil
	}
	out := []analysis.SuggestedFix{{Message: r.title, TextEdits: edits}}
	if r.change == "" {
		return out, nil
	}
	return out, map[string]string{r.title: r.change}
}

// locked reports whether a lock or a connection is held where the fix would wait.
func (r *remedy) locked() bool {
	reg := r.c.res.Region(r.f.site.Instr.Parent())
	return reg == nil || slices.ContainsFunc(reg.Held(r.f.site.Instr), func(t *region.Thing) bool { return t.Class != effect.Slot })
}

// judge says what a reader has to look at, if anything: whether what now waits
// is in the way of others, or of the goroutines that it waits for.
func (r *remedy) judge() {
	switch {
	case r.inSelect():
		r.change = "the loop waits while all slots are taken, and serves its other cases as little"
	case r.f.effect.Does&waiting != 0:
		r.change = "the loop waits while all slots are taken: the goroutines must not wait for the loop"
	}
}

// inSelect reports whether the loop has more to do than to start the goroutine.
func (r *remedy) inSelect() bool {
	for _, n := range r.path {
		if _, ok := n.(*ast.CommClause); ok {
			return true
		}
	}
	return false
}

// outerLoop is the outermost loop around the site, with its label if it has one.
func (r *remedy) outerLoop() ast.Stmt {
	var out ast.Stmt
	for i, n := range r.path {
		switch n := n.(type) {
		case *ast.ForStmt:
			out = n
		case *ast.RangeStmt:
			out = n
		default:
			continue
		}
		if i+1 < len(r.path) {
			if l, ok := r.path[i+1].(*ast.LabeledStmt); ok {
				out = l
			}
		}
	}
	return out
}

// goStmt is the go statement of the site.
func (r *remedy) goStmt() *ast.GoStmt {
	for _, n := range r.path {
		if g, ok := n.(*ast.GoStmt); ok {
			return g
		}
	}
	return nil
}

// plain reports whether a statement stands in a list of statements and has its
// lines for itself, so that others can come before it.
func (r *remedy) plain(s ast.Stmt) bool {
	if !r.file.OwnLines(s) {
		return false
	}
	for i, n := range r.path {
		if n != ast.Node(s) || i+1 == len(r.path) {
			continue
		}
		switch r.path[i+1].(type) {
		case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
			return true
		}
	}
	return false
}

// free reports whether a name is not used in the function around the site, nor
// means anything there.
func (r *remedy) free(name string) bool {
	fn := r.path[len(r.path)-1]
	used := false
	ast.Inspect(fn, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Name == name {
			used = true
		}
		return !used
	})
	if used {
		return false
	}
	_, obj := r.c.pass.Pkg.Scope().Innermost(fn.Pos()).LookupParent(name, token.NoPos)
	return obj == nil
}

// object is the variable that an expression names, nil if it is none.
func (r *remedy) object(e ast.Expr) types.Object {
	if id, ok := ast.Unparen(e).(*ast.Ident); ok {
		return r.c.pass.TypesInfo.ObjectOf(id)
	}
	return nil
}

// list reports whether the finding is about the elements of a list.
func (r *remedy) list() bool {
	k := r.f.load.feed.Kind
	return k == loop.Slice || k == loop.Map
}

func limitComment() string { return fmt.Sprintf("// %s", workersText) }
