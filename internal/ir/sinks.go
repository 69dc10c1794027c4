package ir

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A Sink is a place that a func-typed value is put in, where another goroutine
// or a later call may find it: itself, or in a struct, a slice or a map.
type Sink struct {
	Instr ssa.Instruction // the send, the store or the map update
	Chan  ssa.Value       // the channel it is sent on
	Waits bool            // the send may wait
	Field ssa.Value       // the address of the field, or the map, it is stored in
}

// maxSinkSteps bounds how many values one value is followed through.
const maxSinkSteps = 64

// Sinks lists where a value goes. Only its own function is looked at.
func Sinks(v ssa.Value) []Sink {
	var out []Sink
	seen := map[ssa.Value]bool{}
	work := []ssa.Value{v}
	push := func(v ssa.Value) {
		if v != nil && !seen[v] && len(seen) < maxSinkSteps {
			seen[v] = true
			work = append(work, v)
		}
	}
	seen[v] = true
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		if v.Referrers() == nil {
			continue
		}
		for _, r := range *v.Referrers() {
			switch r := r.(type) {
			case *ssa.Send:
				if r.X == v {
					out = append(out, Sink{Instr: r, Chan: r.Chan, Waits: true})
				}
			case *ssa.Select:
				for _, st := range r.States {
					if st.Dir == types.SendOnly && st.Send == v {
						out = append(out, Sink{Instr: r, Chan: st.Chan, Waits: r.Blocking})
					}
				}
			case *ssa.MapUpdate:
				if r.Value == v {
					out = append(out, Sink{Instr: r, Field: r.Map})
				}
			case *ssa.Store:
				if r.Val != v {
					continue
				}
				out = append(out, stored(r, push)...)
			case *ssa.Call:
				if b, ok := r.Call.Value.(*ssa.Builtin); ok && b.Name() == "append" {
					push(r)
				}
			case *ssa.Phi:
				push(r)
			case *ssa.ChangeType:
				push(r)
			case *ssa.MakeInterface:
				push(r)
			case *ssa.Slice:
				if r.X == v {
					push(r)
				}
			case *ssa.UnOp:
				if _, ok := v.(*ssa.Alloc); ok {
					push(r) // the struct that the value is in
				}
			}
		}
	}
	return out
}

// stored follows a value that is stored: a field of a struct made here goes
// where the struct goes, one of another is a sink.
func stored(s *ssa.Store, push func(ssa.Value)) []Sink {
	switch addr := s.Addr.(type) {
	case *ssa.FieldAddr:
		if a, ok := addr.X.(*ssa.Alloc); ok {
			push(a)
		}
		return []Sink{{Instr: s, Field: addr}}
	case *ssa.IndexAddr:
		switch x := addr.X.(type) {
		case *ssa.Alloc:
			push(x) // an array literal, or the arguments of append
		case *ssa.UnOp:
			return []Sink{{Instr: s, Field: x}}
		}
	case *ssa.Global:
		return []Sink{{Instr: s, Field: addr}}
	case *ssa.Alloc:
		push(addr)
	}
	return nil
}

// SinksOf lists where the value v goes in fn, also if v is a declared function,
// which has no uses of its own.
func SinksOf(v ssa.Value, at ssa.Instruction) []Sink {
	switch x := at.(type) {
	case *ssa.Send:
		if x.X == v {
			return []Sink{{Instr: x, Chan: x.Chan, Waits: true}}
		}
	case *ssa.Select:
		for _, st := range x.States {
			if st.Dir == types.SendOnly && st.Send == v {
				return []Sink{{Instr: x, Chan: st.Chan, Waits: x.Blocking}}
			}
		}
	case *ssa.MapUpdate:
		if x.Value == v {
			return []Sink{{Instr: x, Field: x.Map}}
		}
	case *ssa.Store:
		if x.Val == v {
			var next []ssa.Value
			out := stored(x, func(v ssa.Value) { next = append(next, v) })
			for _, n := range next {
				out = append(out, Sinks(n)...)
			}
			return out
		}
	case *ssa.ChangeType:
		return Sinks(x)
	}
	return nil
}
