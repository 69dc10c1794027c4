package unboundedqueue

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/concvet/concvet/internal/ir"
	"github.com/concvet/concvet/internal/report"
)

// A queue is a slice or list, in a field or a package variable, and what the
// package does with it. It is looked at in the syntax: whoever compares its
// length need not do anything that SSA is built for.
type queue struct {
	v    *types.Var
	list bool       // a container/list
	heap bool       // used with container/heap
	each bool       // a map of slices: one for each key
	typ  *queueType // of such a type, nil for a slice or list itself

	grows   []use // something is added at the end
	pops    []use // the first element is taken
	drains  []use // all are taken
	returns []use // what was taken, and could not be handled, is put back
	limited bool  // somebody compares the length with a limit
	keyed   bool  // each key is in it once, or it is a cache
}

// A use is one statement.
type use struct {
	fn  *ast.FuncDecl
	pos token.Pos
	n   ast.Node
}

// queues reports slices and lists that one function adds to and another takes
// from, whose length nobody compares with a limit.
func (c *checker) queues() {
	s := &queueScan{
		c: c, info: c.pass.TypesInfo,
		byVar: make(map[*types.Var]*queue), held: make(map[*types.Var]*queue), sizes: make(map[*types.Func]*types.Var),
		counts: make(map[*types.Func]bool), asked: make(map[*types.TypeName]bool),
		values: make(map[*ast.FuncDecl]map[types.Object]ast.Expr),
	}
	s.collect()
	c.kept = s
	for _, q := range s.order {
		s.judge(q)
	}
}

type queueScan struct {
	c     *checker
	info  *types.Info
	byVar map[*types.Var]*queue
	held  map[*types.Var]*queue // those of a type
	order []*queue
	sizes map[*types.Func]*types.Var // methods that return the length
	decl  *ast.FuncDecl

	decls  []*ast.FuncDecl
	ranges []ranging
	counts map[*types.Func]bool                        // methods that return a number which their object keeps
	asked  map[*types.TypeName]bool                    // types whose numbers somebody compares with a limit
	values map[*ast.FuncDecl]map[types.Object]ast.Expr // memo of assigned
}

// A ranging is one range loop.
type ranging struct {
	fn   *ast.FuncDecl
	stmt *ast.RangeStmt
}

// of returns the queue that an expression names, nil if it can be none.
func (s *queueScan) of(e ast.Expr) *queue {
	switch e := ast.Unparen(e).(type) {
	case *ast.StarExpr:
		return s.of(e.X)
	case *ast.IndexExpr: // one for each key
		return s.inMap(e.X)
	}
	v := s.holder(e)
	if v == nil {
		return nil
	}
	if q, ok := s.byVar[v]; ok {
		return q
	}
	var q *queue
	switch t := types.Unalias(v.Type()).Underlying().(type) {
	case *types.Slice:
		q = &queue{v: v}
	case *types.Pointer:
		if isList(t.Elem()) {
			q = &queue{v: v, list: true}
		} else if _, ok := types.Unalias(t.Elem()).Underlying().(*types.Slice); ok {
			q = &queue{v: v}
		}
	case *types.Struct:
		if isList(v.Type()) {
			q = &queue{v: v, list: true}
		}
	}
	s.byVar[v] = q
	if q != nil {
		s.order = append(s.order, q)
	}
	return q
}

func isList(t types.Type) bool { return ir.IsNamed(t, "container/list", "List") }

func (s *queueScan) collect() {
	var decls []*ast.FuncDecl
	for _, f := range s.c.pass.Files {
		if s.c.report.InTest(f.Pos()) {
			continue
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
				decls = append(decls, fn)
			}
		}
	}
	for _, fn := range decls {
		s.noteSize(fn)
	}
	s.decls = decls
	for _, fn := range decls {
		s.decl = fn
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				s.assign(n)
			case *ast.CallExpr:
				s.call(n)
			case *ast.BinaryExpr:
				s.compare(n)
			case *ast.RangeStmt:
				s.ranges = append(s.ranges, ranging{fn, n})
			}
			return true
		})
	}
}

// noteSize notes a method that returns nothing but the length of a queue.
func (s *queueScan) noteSize(fn *ast.FuncDecl) {
	obj, _ := s.info.Defs[fn.Name].(*types.Func)
	for _, stmt := range fn.Body.List {
		ret, ok := stmt.(*ast.ReturnStmt)
		if !ok || len(ret.Results) != 1 || obj == nil {
			continue
		}
		if q := s.length(ret.Results[0]); q != nil {
			s.sizes[obj] = q.v
		} else if s.ownNumber(fn, ret.Results[0]) {
			s.counts[obj] = true
		}
	}
}

// length returns the queue whose length an expression is, or begins with.
func (s *queueScan) length(e ast.Expr) *queue {
	switch e := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		if e.Op == token.ADD || e.Op == token.SUB || e.Op == token.MUL || e.Op == token.QUO {
			if q := s.length(e.X); q != nil {
				return q
			}
			return s.length(e.Y)
		}
	case *ast.CallExpr:
		if tv, ok := s.info.Types[e.Fun]; ok && tv.IsType() && len(e.Args) == 1 {
			return s.length(e.Args[0])
		}
		switch fun := ast.Unparen(e.Fun).(type) {
		case *ast.Ident:
			if b, ok := s.info.Uses[fun].(*types.Builtin); ok && b.Name() == "len" {
				return s.of(e.Args[0])
			}
		case *ast.SelectorExpr:
			if fn, ok := s.info.Uses[fun.Sel].(*types.Func); ok {
				if v := s.sizes[fn.Origin()]; v != nil {
					if q := s.byVar[v]; q != nil {
						return q
					}
					return s.held[v]
				}
				if q := s.of(fun.X); q != nil && fun.Sel.Name == "Len" {
					return q
				}
				return s.typedLength(fun)
			}
		}
	case *ast.Ident:
		// n := len(q)
		if v, ok := s.info.ObjectOf(e).(*types.Var); ok && s.decl != nil {
			if value := s.assigned(v); value != nil {
				if _, isIdent := value.(*ast.Ident); !isIdent {
					return s.length(value)
				}
			}
		}
	}
	return nil
}

// defined is the value that the variable which an expression names is defined
// with, nil for any other expression.
func (s *queueScan) defined(e ast.Expr) ast.Expr {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return nil
	}
	v, ok := s.info.ObjectOf(id).(*types.Var)
	if !ok {
		return nil
	}
	return s.assigned(v)
}

// assigned is the value that a variable of the current function is defined with.
func (s *queueScan) assigned(v *types.Var) ast.Expr {
	if v.IsField() || s.decl == nil || v.Pos() < s.decl.Pos() || v.Pos() > s.decl.End() {
		return nil
	}
	defined, ok := s.values[s.decl]
	if !ok {
		defined = make(map[types.Object]ast.Expr)
		s.values[s.decl] = defined
		ast.Inspect(s.decl.Body, func(n ast.Node) bool {
			a, ok := n.(*ast.AssignStmt)
			if !ok || a.Tok != token.DEFINE || len(a.Lhs) != len(a.Rhs) && !isLookup(a) {
				return true
			}
			for i, l := range a.Lhs[:len(a.Rhs)] {
				if id, ok := l.(*ast.Ident); ok && s.info.Defs[id] != nil {
					defined[s.info.Defs[id]] = a.Rhs[i]
				}
			}
			return true
		})
	}
	return defined[v]
}

// assign looks for "q = append(q, x)", "q = q[1:]" and "q = nil".
func (s *queueScan) assign(a *ast.AssignStmt) {
	if len(a.Lhs) != len(a.Rhs) {
		return
	}
	for i, lhs := range a.Lhs {
		q := s.of(lhs)
		if q == nil || q.list {
			continue
		}
		u := use{s.decl, a.Pos(), a}
		switch rhs := ast.Unparen(a.Rhs[i]).(type) {
		case *ast.Ident:
			if rhs.Name == "nil" {
				q.drains = append(q.drains, u)
			} else if v, ok := s.info.ObjectOf(rhs).(*types.Var); ok {
				s.fromLocal(q, u, v)
			}
		case *ast.CompositeLit:
			q.drains = append(q.drains, u)
		case *ast.SliceExpr:
			s.reslice(q, u, rhs)
		case *ast.CallExpr:
			s.assignCall(q, u, rhs)
		}
	}
}

// fromLocal follows one step: "rest := q[1:]; ...; q = rest".
func (s *queueScan) fromLocal(q *queue, u use, v *types.Var) {
	switch value := s.assigned(v).(type) {
	case *ast.SliceExpr:
		s.reslice(q, u, value)
	case *ast.CallExpr:
		s.assignCall(q, u, value)
	}
}

func (s *queueScan) reslice(q *queue, u use, e *ast.SliceExpr) {
	switch {
	case e.Low != nil && !isZero(e.Low):
		if s.trims(q, e.Low) {
			q.drains = append(q.drains, u)
			return
		}
		q.pops = append(q.pops, u)
	case e.High != nil && isZero(e.High):
		q.drains = append(q.drains, u)
	}
}

func isZero(e ast.Expr) bool {
	lit, ok := ast.Unparen(e).(*ast.BasicLit)
	return ok && lit.Value == "0"
}

func (s *queueScan) assignCall(q *queue, u use, call *ast.CallExpr) {
	name := ""
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		name = fun.Name
	case *ast.SelectorExpr:
		name = fun.Sel.Name
	}
	switch {
	case name == "make":
		q.drains = append(q.drains, u)
	case name == "Delete" && len(call.Args) == 3 && isZero(call.Args[1]):
		q.pops = append(q.pops, u)
	case name == "append" && len(call.Args) >= 2:
		if s.putsBack(q, call) {
			q.returns = append(q.returns, u)
			return
		}
		if s.of(call.Args[0]) == q {
			if !s.waiter(call.Args[1:], call.Ellipsis.IsValid()) {
				q.grows = append(q.grows, u)
			}
			q.keyed = q.keyed || s.deduplicates()
			return
		}
		// q = append(q[:0], q[1:]...): what is left after the first is taken
		if sl, ok := ast.Unparen(call.Args[0]).(*ast.SliceExpr); ok && s.of(sl.X) == q && sl.High != nil {
			if isZero(sl.High) {
				q.pops = append(q.pops, u)
			}
			return
		}
	}
}

// waiter reports whether what is added is something that its owner waits on: a
// channel, or a request with one. There are no more of them than callers.
func (s *queueScan) waiter(args []ast.Expr, list bool) bool {
	for _, a := range args {
		t := s.info.TypeOf(a)
		if t == nil {
			continue
		}
		if sl, ok := types.Unalias(t).Underlying().(*types.Slice); ok && list {
			t = sl.Elem()
		}
		if hasChannel(t) {
			return true
		}
	}
	return false
}

func hasChannel(t types.Type) bool {
	t = types.Unalias(t)
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	switch u := t.Underlying().(type) {
	case *types.Chan:
		return true
	case *types.Struct:
		for f := range u.Fields() {
			if _, ok := types.Unalias(f.Type()).Underlying().(*types.Chan); ok {
				return true
			}
		}
	}
	return false
}

// call looks for the operations of a list, and for copies that move a slice up.
func (s *queueScan) call(call *ast.CallExpr) {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		id, isIdent := ast.Unparen(call.Fun).(*ast.Ident)
		if isIdent && id.Name == "delete" && len(call.Args) == 2 {
			if q := s.inMap(call.Args[0]); q != nil {
				q.drains = append(q.drains, use{s.decl, call.Pos(), call})
			}
			return
		}
		if isIdent && id.Name == "copy" && len(call.Args) == 2 {
			if from, ok := ast.Unparen(call.Args[1]).(*ast.SliceExpr); ok && from.Low != nil {
				if q := s.of(call.Args[0]); q != nil && s.of(from.X) == q && s.shortens(q) {
					q.pops = append(q.pops, use{s.decl, call.Pos(), call})
				}
			}
		}
		return
	}
	if s.heapCall(sel, call) {
		return
	}
	q := s.of(sel.X)
	if q == nil || !q.list {
		s.typed(sel, call)
		return
	}
	u := use{s.decl, call.Pos(), call}
	switch sel.Sel.Name {
	case "PushBack", "PushFront":
		if !s.waiter(call.Args, false) {
			q.grows = append(q.grows, u)
		}
		q.keyed = q.keyed || s.deduplicates()
	case "Remove":
		q.pops = append(q.pops, u)
	case "MoveToFront", "MoveToBack":
		q.keyed = true // a cache
	case "Init":
		q.drains = append(q.drains, u)
	}
}

// shortens reports whether the current function cuts the end off a queue: one
// that moves its elements up and does not only turns it.
func (s *queueScan) shortens(q *queue) bool {
	found := false
	ast.Inspect(s.decl.Body, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok || len(a.Lhs) != len(a.Rhs) {
			return !found
		}
		for i, l := range a.Lhs {
			sl, ok := ast.Unparen(a.Rhs[i]).(*ast.SliceExpr)
			found = found || ok && sl.High != nil && s.of(l) == q && s.of(sl.X) == q
		}
		return !found
	})
	return found
}

// deduplicates reports whether the current function looks a key up in a map and
// adds it there, so that nothing is added twice.
func (s *queueScan) deduplicates() bool {
	read, written := make(map[types.Object]bool), make(map[types.Object]bool)
	object := func(e ast.Expr) types.Object {
		ix, ok := ast.Unparen(e).(*ast.IndexExpr)
		if !ok {
			return nil
		}
		t := s.info.TypeOf(ix.X)
		if t == nil {
			return nil
		}
		if _, ok := types.Unalias(t).Underlying().(*types.Map); !ok {
			return nil
		}
		switch x := ast.Unparen(ix.X).(type) {
		case *ast.SelectorExpr:
			return s.info.ObjectOf(x.Sel)
		case *ast.Ident:
			return s.info.ObjectOf(x)
		}
		return nil
	}
	ast.Inspect(s.decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				if o := object(l); o != nil {
					written[o] = true
				}
			}
			for _, r := range n.Rhs {
				if o := object(r); o != nil {
					read[o] = true
				}
			}
		case *ast.IfStmt:
			ast.Inspect(n.Cond, func(n ast.Node) bool {
				if e, ok := n.(ast.Expr); ok {
					if o := object(e); o != nil {
						read[o] = true
					}
				}
				return true
			})
		}
		return true
	})
	for o := range read {
		if written[o] {
			return true
		}
	}
	return false
}

func (s *queueScan) judge(q *queue) {
	if q.each && len(q.pops) == 0 && !s.backlog(q) {
		return // grouped by key
	}
	if q.limited || q.keyed || len(q.grows) == 0 || len(q.pops)+len(q.drains) == 0 {
		return
	}
	if s.freeList(q) || s.countedOutside(q) {
		return
	}
	taken := q.pops
	if len(taken) == 0 {
		taken = q.drains
	}
	taken = slices.DeleteFunc(slices.Clone(taken), func(u use) bool {
		return stops(u.fn.Name.Name) || slices.ContainsFunc(q.grows, func(g use) bool { return g.fn == u.fn })
	})
	if len(taken) == 0 || !s.shared(q) {
		return
	}
	tier := report.Default
	if len(q.pops) == 0 && len(q.returns) == 0 && !q.each && !s.slowly(q) {
		tier = report.Audit // a batch
	}
	if q.heap && !s.worked(taken) {
		tier = report.Audit // perhaps a few of them only
	}
	if spills(q.grows[0].fn) || s.documented(q) || inFlight(q.v.Name()) || s.pacedByDisk(q) {
		tier = report.Audit
	}
	slug, what := SliceQueue, "slice"
	switch {
	case q.typ != nil:
		what = q.typ.name
		if q.typ.list {
			slug = ListQueue
		}
	case q.list:
		slug, what = ListQueue, "list"
	case q.heap:
		what = "heap"
	case q.each:
		what = "slice in"
	}
	for i, g := range q.grows {
		if i >= maxGrows {
			break
		}
		if s.first(q, g) || s.counted(g.fn) || s.admitted(g.fn, taken) || lifecycleName(g.fn.Name.Name) && g.fn.Recv == nil {
			continue
		}
		start, end := g.pos, g.n.End()
		by := funcName(taken[0].fn)
		f := report.Finding{
			Pos: start, End: end, Slug: slug, Tier: tier, Resource: q.v.Name(),
			Message: fmt.Sprintf("the %s %s is a queue without a limit: %s adds to it, %s takes from it, and nobody compares its length with a limit; when what takes from it is slow or stuck, it grows until memory ends",
				what, q.v.Name(), funcName(g.fn), by),
		}
		text := "taken from " + q.v.Name()
		f.Frames = append(f.Frames, report.Frame{Pos: report.Place(s.c.pass.Fset, g.pos), Text: "added to " + q.v.Name()}, report.Frame{Pos: report.Place(s.c.pass.Fset, taken[0].pos), Text: text})
		f.Related = append(f.Related, analysis.RelatedInformation{Pos: taken[0].pos, Message: text})
		if q.typ != nil {
			f.Frames = append(f.Frames, q.typ.frame())
		}
		if len(q.returns) > 0 {
			back := "put back into " + q.v.Name()
			f.Frames = append(f.Frames, report.Frame{Pos: report.Place(s.c.pass.Fset, q.returns[0].pos), Text: back})
			f.Related = append(f.Related, analysis.RelatedInformation{Pos: q.returns[0].pos, Message: back})
		}
		s.c.report.Add(f)
	}
}

// maxGrows is at how many places one queue is reported.
const maxGrows = 2

func funcName(fn *ast.FuncDecl) string {
	if fn.Recv == nil || len(fn.Recv.List) == 0 {
		return fn.Name.Name
	}
	t, star := fn.Recv.List[0].Type, ""
	if s, ok := t.(*ast.StarExpr); ok {
		t, star = s.X, "*"
	}
	switch x := t.(type) {
	case *ast.IndexExpr:
		t = x.X
	case *ast.IndexListExpr:
		t = x.X
	}
	return "(" + star + types.ExprString(t) + ")." + fn.Name.Name
}
