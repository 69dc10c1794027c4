package loop

import "golang.org/x/tools/go/ssa"

// maxRemade bounds how many values a channel is followed back through.
const maxRemade = 40

// Remakes reports whether a call of the loop returns the channel of a source, or
// what it comes from: a loop that connects again has nothing to serve meanwhile.
func (s *Source) Remakes(instr ssa.Instruction) bool {
	call, ok := instr.(*ssa.Call)
	if !ok || s.Chan == nil {
		return false
	}
	seen := make(map[ssa.Value]bool)
	var from func(v ssa.Value) bool
	from = func(v ssa.Value) bool {
		if v == ssa.Value(call) {
			return true
		}
		if v == nil || seen[v] || len(seen) > maxRemade {
			return false
		}
		seen[v] = true
		switch v := v.(type) {
		case *ssa.Extract:
			return from(v.Tuple)
		case *ssa.Phi:
			for _, e := range v.Edges {
				if from(e) {
					return true
				}
			}
		case *ssa.UnOp:
			return from(v.X)
		case *ssa.FieldAddr:
			return from(v.X)
		case *ssa.Field:
			return from(v.X)
		case *ssa.ChangeType:
			return from(v.X)
		case *ssa.Alloc:
			for _, r := range *v.Referrers() {
				if st, ok := r.(*ssa.Store); ok && st.Addr == ssa.Value(v) && from(st.Val) {
					return true
				}
			}
		case *ssa.Call:
			for _, a := range v.Call.Args {
				if from(a) {
					return true
				}
			}
			return v.Call.IsInvoke() && from(v.Call.Value)
		}
		return false
	}
	return from(s.Chan)
}
