package summary

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/ir"
)

// A QueueOp says what a method does to the queue that its object is.
type QueueOp uint8

// What a method may do.
const (
	NoQueueOp QueueOp = iota
	Adds              // it adds its argument to the end, without asking how long the queue is
	Takes             // it takes the first element
)

// What the effects of such methods are called.
const (
	addsSlice = "append"
	addsList  = "PushBack"
	takesOne  = "take"
)

// queueOps finds methods that add to a slice or list of their receiver and take
// from it, without a lock, a limit or a key: a type that leaves all of that to
// whoever uses it, in this package or in another one.
type queueOps struct {
	adds, takes map[*types.Func]queueUse
	taken       map[*types.Var]bool
	limited     map[*types.Var]bool
	careful     map[*types.Func]bool // compares, or looks up a key
	locks       map[*types.Func]bool
}

type queueUse struct {
	field *types.Var
	pos   token.Pos
	api   string
}

func newQueueOps() *queueOps {
	return &queueOps{
		adds: make(map[*types.Func]queueUse), takes: make(map[*types.Func]queueUse),
		taken: make(map[*types.Var]bool), limited: make(map[*types.Var]bool), careful: make(map[*types.Func]bool), locks: make(map[*types.Func]bool),
	}
}

// noteQueue looks at one node of the body of fn.
func (s *scan) noteQueue(fn *types.Func, n ast.Node) {
	recv := fn.Signature().Recv()
	if recv == nil {
		return
	}
	q := s.queues
	switch n := n.(type) {
	case *ast.AssignStmt:
		if n.Tok != token.ASSIGN || len(n.Lhs) != len(n.Rhs) {
			return
		}
		for i, l := range n.Lhs {
			switch rhs := ast.Unparen(n.Rhs[i]).(type) {
			case *ast.CallExpr:
				if id, ok := ast.Unparen(rhs.Fun).(*ast.Ident); !ok || id.Name != "append" || len(rhs.Args) < 2 {
					continue
				}
				if f := s.own(l, recv); f != nil && s.own(rhs.Args[0], recv) == f {
					q.adds[fn] = queueUse{f, n.Pos(), addsSlice}
				}
			case *ast.SliceExpr:
				if rhs.Low == nil || isLiteral(rhs.Low, "0") {
					continue
				}
				if f := s.own(l, recv); f != nil && s.own(rhs.X, recv) == f {
					q.takes[fn] = queueUse{f, n.Pos(), takesOne}
					q.taken[f] = true
				}
			}
		}
	case *ast.IndexExpr:
		if t := s.info.TypeOf(n.X); t != nil {
			if _, ok := types.Unalias(t).Underlying().(*types.Map); ok {
				q.careful[fn] = true
			}
		}
	case *ast.BinaryExpr:
		switch n.Op {
		case token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL, token.NEQ:
		default:
			return
		}
		for _, sides := range [2][2]ast.Expr{{n.X, n.Y}, {n.Y, n.X}} {
			if isLiteral(sides[1], "0") || isLiteral(sides[1], "1") {
				continue
			}
			if f := s.lengthOf(sides[0], recv); f != nil {
				q.limited[f] = true
			}
			if n.Op != token.EQL && n.Op != token.NEQ {
				q.careful[fn] = true
			}
		}
	case *ast.CallExpr:
		sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr)
		if !ok {
			return
		}
		switch sel.Sel.Name {
		case "Lock", "RLock":
			q.locks[fn] = true
		case "PushBack", "Remove":
			f := s.own(sel.X, recv)
			if f == nil || !isListType(f.Type()) {
				return
			}
			if sel.Sel.Name == "PushBack" {
				q.adds[fn] = queueUse{f, n.Pos(), addsList}
			} else {
				q.takes[fn] = queueUse{f, n.Pos(), takesOne}
				q.taken[f] = true
			}
		case "MoveToFront", "MoveToBack":
			if f := s.own(sel.X, recv); f != nil {
				q.limited[f] = true // a cache
			}
		}
	}
}

// own is the field of the receiver that an expression names, nil if it is none.
func (s *scan) own(e ast.Expr, recv *types.Var) *types.Var {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	id, ok := ast.Unparen(sel.X).(*ast.Ident)
	if !ok || s.info.Uses[id] != types.Object(recv) {
		return nil
	}
	f, ok := s.info.Uses[sel.Sel].(*types.Var)
	if !ok || !f.IsField() {
		return nil
	}
	return f.Origin()
}

// lengthOf is the field whose length an expression begins with.
func (s *scan) lengthOf(e ast.Expr, recv *types.Var) *types.Var {
	switch e := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		if f := s.lengthOf(e.X, recv); f != nil {
			return f
		}
		return s.lengthOf(e.Y, recv)
	case *ast.CallExpr:
		switch fun := ast.Unparen(e.Fun).(type) {
		case *ast.Ident:
			if fun.Name == "len" && len(e.Args) == 1 {
				return s.own(e.Args[0], recv)
			}
		case *ast.SelectorExpr:
			if fun.Sel.Name == "Len" {
				return s.own(fun.X, recv)
			}
		}
	}
	return nil
}

func isLiteral(e ast.Expr, text string) bool {
	lit, ok := ast.Unparen(e).(*ast.BasicLit)
	return ok && lit.Value == text
}

func isListType(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	return ir.IsNamed(t, "container/list", "List")
}

// op is what a method of this package does to the queue that its object is.
func (q *queueOps) op(fn *types.Func) (QueueOp, queueUse) {
	if u, ok := q.adds[fn]; ok && q.taken[u.field] && !q.limited[u.field] && !q.careful[fn] && !q.locks[fn] {
		return Adds, u
	}
	if u, ok := q.takes[fn]; ok && !q.limited[u.field] && !q.locks[fn] {
		return Takes, u
	}
	return NoQueueOp, queueUse{}
}

// queueEffect is what a method says in its fact of the queue that its object is.
func (in *inference) queueEffect(fn *types.Func) (effect.Effect, bool) {
	if in.dependency {
		return effect.Effect{}, false
	}
	op, u := in.scan.queues.op(fn)
	if op == NoQueueOp {
		return effect.Effect{}, false
	}
	return effect.Effect{Kind: effect.Enqueue, API: u.api, On: "recv", Frames: []effect.Frame{{Pos: in.pos(u.pos), Call: u.api}}}, true
}

// exportQueues exports what methods do to queues of which nothing else is known.
func (in *inference) exportQueues(done map[*types.Func]bool) {
	for fn := range in.scan.decls {
		if done[fn] || !exportable(fn) || isTestFile(in.pass.Fset, fn.Pos()) || table().Func(fn) != nil {
			continue
		}
		if e, ok := in.queueEffect(fn); ok {
			in.pass.ExportObjectFact(fn, &Fact{Text: (&effect.Summary{Effects: []effect.Effect{e}}).Encode()})
		}
	}
}

// QueueOp says what a method does to the queue that its object is, which leaves
// locks and limits to whoever uses it: list tells a list from a slice, and at
// where a value is added.
func (r *Result) QueueOp(fn *types.Func) (op QueueOp, list bool, at effect.Frame) {
	fn = fn.Origin()
	if fn.Signature().Recv() == nil || fn.Pkg() == nil || r.in.scan == nil {
		return NoQueueOp, false, at
	}
	if fn.Pkg() == r.in.pass.Pkg {
		op, u := r.in.scan.queues.op(fn)
		if op == Adds {
			at = effect.Frame{Pos: r.in.pos(u.pos), Call: u.api}
		}
		return op, u.api == addsList, at
	}
	if !r.in.sameModule(fn.Pkg().Path()) {
		return NoQueueOp, false, at
	}
	sum, err := imported(r.in.pass, fn)
	if err != nil || sum == nil {
		return NoQueueOp, false, at
	}
	for _, e := range sum.Effects {
		if e.Kind != effect.Enqueue || e.On != "recv" {
			continue
		}
		switch e.API {
		case addsSlice, addsList:
			if len(e.Frames) > 0 {
				at = effect.Frame{Pos: fn.Pkg().Path() + "/" + e.Frames[0].Pos, Call: e.Frames[0].Call}
			}
			return Adds, e.API == addsList, at
		case takesOne:
			return Takes, false, at
		}
	}
	return NoQueueOp, false, at
}
