package pool

import (
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
)

// collected finds waits of a function for tasks whose results it has put into a
// slice: in a loop of its own, or in a function that it hands the slice to.
func (m *Model) collected(fn *ssa.Function, tasks []*Task) []step {
	var out []step
	for _, t := range tasks {
		v, ok := t.At.(*ssa.Call)
		if !ok || t.Kind == Channel || t.Kind == Slots {
			continue
		}
		list := collections(v)
		if len(list) == 0 {
			continue
		}
		for _, s := range m.steps0(fn) {
			if s.calls == nil {
				_, sel := s.op.Path.Split()
				if s.op.Verb == Wait && strings.HasPrefix(sel, "[") && list[m.res.Root(s.op.Path)] {
					op := s.op
					op.Path = t.Pool
					out = append(out, step{op: op})
				}
				continue
			}
			if op, ok := m.awaits(s.instr, list); ok {
				op.Path = t.Pool
				out = append(out, step{op: op})
			}
		}
	}
	return out
}

// awaits is the wait of a callee for what is in a slice that it is given.
func (m *Model) awaits(instr ssa.CallInstruction, list map[ssa.Value]bool) (Op, bool) {
	if _, ok := instr.(*ssa.Call); !ok {
		return Op{}, false
	}
	c := m.call(instr)
	if c.Sum == nil {
		return Op{}, false
	}
	for _, e := range c.Sum.Effects {
		i, ok := e.On.Param()
		if !ok || e.Kind != effect.GroupWait || e.Bound.Kind != effect.Unbounded {
			continue
		}
		if c.HasRecv {
			i++
		}
		if _, sel := e.On.Split(); strings.HasPrefix(sel, "[") && i >= 0 && i < len(c.Args) && list[c.Args[i]] {
			return Op{Verb: Wait, Instr: instr, Blocks: effect.Always, Frames: m.res.Frames(instr, c, e.Frames)}, true
		}
	}
	return Op{}, false
}

// collections lists the values that are the slice into which v is put, at some
// time in its function.
func collections(v ssa.Value) map[ssa.Value]bool {
	out := make(map[ssa.Value]bool)
	var work []ssa.Value
	add := func(x ssa.Value) {
		if _, isConst := x.(*ssa.Const); x != nil && !isConst && !out[x] && len(out) < 64 {
			out[x] = true
			work = append(work, x)
		}
	}
	put := []ssa.Value{v}
	for n := 0; n < len(put) && n < 8; n++ {
		if put[n].Referrers() == nil {
			continue
		}
		for _, r := range *put[n].Referrers() {
			switch x := r.(type) {
			case *ssa.ChangeInterface:
				put = append(put, x)
			case *ssa.ChangeType:
				put = append(put, x)
			case *ssa.MakeInterface:
				put = append(put, x)
			case *ssa.Store:
				ix, ok := x.Addr.(*ssa.IndexAddr)
				if !ok || x.Val != put[n] {
					continue
				}
				if a, ok := ix.X.(*ssa.Alloc); ok {
					add(appended(a))
					continue
				}
				add(ix.X)
			}
		}
	}
	for len(work) > 0 {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		switch x := x.(type) {
		case *ssa.Phi:
			for _, e := range x.Edges {
				add(e)
			}
		case *ssa.Slice:
			add(x.X)
		case *ssa.UnOp:
			add(x.X) // a variable that a literal knows, too
		case *ssa.Call:
			if isAppend(x) {
				add(x.Call.Args[0])
			}
		}
		if x.Referrers() == nil {
			continue
		}
		for _, r := range *x.Referrers() {
			switch r := r.(type) {
			case *ssa.Phi:
				add(r)
			case *ssa.Slice:
				add(r)
			case *ssa.UnOp:
				if _, variable := x.(*ssa.Alloc); variable {
					add(r)
				}
			case *ssa.Store:
				if _, variable := r.Addr.(*ssa.Alloc); variable && r.Val == x {
					add(r.Addr)
				}
			case *ssa.Call:
				if isAppend(r) && r.Call.Args[0] == x {
					add(r)
				}
			}
		}
	}
	return out
}

// appended is the result of the append whose further arguments are in an array.
func appended(a *ssa.Alloc) ssa.Value {
	for _, r := range *a.Referrers() {
		s, ok := r.(*ssa.Slice)
		if !ok || s.Referrers() == nil {
			continue
		}
		for _, r := range *s.Referrers() {
			if call, ok := r.(*ssa.Call); ok && isAppend(call) {
				return call
			}
		}
	}
	return nil
}

func isAppend(call *ssa.Call) bool {
	b, ok := call.Call.Value.(*ssa.Builtin)
	return ok && b.Name() == "append"
}
