package summary

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/ir"
)

// spawnBound says what limits the goroutines that an instruction starts: a
// token taken before and given back by the goroutine, a condition on how many
// there are, a throttle. A slot that is held is known only with the region.
func (f *function) spawnBound(at ssa.CallInstruction, c ir.Callee) effect.Bound {
	room := effect.Bound{Kind: effect.RoomBound}
	if f.conditioned(at) || f.tokenBefore(at, c) {
		return room
	}
	return effect.Bound{}
}

// near reports whether a block that dominates an instruction runs as often as
// it does: what stands before the loop does not count.
func (f *function) near(b *ssa.BasicBlock, at ssa.Instruction) bool {
	return !f.repeats(at) || f.node.cycles[b]
}

// conditioned reports whether the instruction runs only under a condition that
// limits how often it does at a time.
func (f *function) conditioned(at ssa.Instruction) bool {
	for _, c := range ir.Conditions(at.Block()) {
		if !f.near(c.Block, at) {
			break
		}
		for _, term := range c.Terms() {
			if f.limiting(term) {
				return true
			}
		}
	}
	return false
}

func (f *function) limiting(c ir.Condition) bool {
	v := c.Value
	if e, ok := v.(*ssa.Extract); ok {
		v, _ = e.Tuple.(ssa.Value)
	}
	switch x := v.(type) {
	case *ssa.Lookup:
		return f.deduplicates(x, c.Holds)
	case *ssa.Call:
		return f.tries(x) || !c.Holds && f.ongoing(x)
	case *ssa.UnOp:
		return x.Op == token.MUL && f.flips(x.X)
	case *ssa.BinOp:
		switch x.Op {
		case token.EQL, token.NEQ:
			for _, side := range []ssa.Value{x.X, x.Y} {
				if l, ok := unwrap(side).(*ssa.Lookup); ok && f.deduplicates(l, c.Holds == (x.Op == token.NEQ)) {
					return true
				}
				if u, ok := unwrap(side).(*ssa.UnOp); ok && u.Op == token.MUL && f.flips(u.X) {
					return true
				}
			}
		case token.LSS, token.LEQ, token.GTR, token.GEQ:
			count, most := x.X, x.Y
			below := x.Op == token.LSS || x.Op == token.LEQ
			if f.limitValue(count) && !f.limitValue(most) || isConst(count) {
				count, most = most, count
				below = !below
			}
			return below == c.Holds && f.limitValue(most) && f.counts(count)
		}
	}
	return false
}

func unwrap(v ssa.Value) ssa.Value {
	for {
		switch x := v.(type) {
		case *ssa.Extract:
			v, _ = x.Tuple.(ssa.Value)
			return v
		case *ssa.Convert:
			v = x.X
		case *ssa.ChangeType:
			v = x.X
		default:
			return v
		}
	}
}

func isConst(v ssa.Value) bool { _, ok := unwrap(v).(*ssa.Const); return ok }

// limitValue reports whether v can be a limit: a number above one, or one that
// somebody has set.
func (f *function) limitValue(v ssa.Value) bool {
	switch x := unwrap(v).(type) {
	case *ssa.Const:
		return x.Value != nil && x.Int64() > 1
	case *ssa.Phi, *ssa.BinOp:
		return false
	case *ssa.Call:
		if b, ok := x.Call.Value.(*ssa.Builtin); ok {
			return b.Name() == "cap"
		}
	}
	return true
}

// counts reports whether v tells how many there are at the moment: a counter
// that outlives the call, or the length of what does.
func (f *function) counts(v ssa.Value) bool {
	switch x := unwrap(v).(type) {
	case *ssa.UnOp:
		return x.Op == token.MUL && f.lasting(x.X)
	case *ssa.Phi:
		return f.repeats(x) // counted in the loop
	case *ssa.BinOp:
		return f.counts(x.X)
	case *ssa.Call:
		if b, ok := x.Call.Value.(*ssa.Builtin); ok {
			return b.Name() == "len" && f.lasting(x.Call.Args[0])
		}
		fn := x.Call.StaticCallee()
		if fn == nil {
			return x.Call.IsInvoke() && countName(x.Call.Method.Name())
		}
		if fn.Pkg != nil && fn.Pkg.Pkg.Path() == "sync/atomic" {
			return true
		}
		return countName(fn.Name())
	}
	return false
}

func countName(name string) bool {
	name = strings.ToLower(name)
	for _, word := range []string{"len", "count", "num", "size", "active", "running", "flight", "pending", "goroutine"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}

// lasting reports whether a value belongs to the receiver, to a variable around
// a literal or to the package, rather than to what came in with this call.
func (f *function) lasting(v ssa.Value) bool {
	path := f.in.paths.Of(v)
	switch root := f.in.paths.Root(path).(type) {
	case *ssa.Parameter:
		recv := root.Parent().Signature.Recv()
		return recv != nil && root == root.Parent().Params[0] || root.Parent() != f.fn
	case *ssa.Alloc, *ssa.FreeVar, *ssa.MakeChan, *ssa.MakeMap:
		return true
	case nil:
		return strings.HasPrefix(string(path), "g:")
	}
	return false
}

// deduplicates reports whether a look-up keeps the same key from coming twice:
// where it finds nothing, or where the map is added to.
func (f *function) deduplicates(l *ssa.Lookup, found bool) bool {
	if !f.lasting(l.X) {
		return false
	}
	if !found {
		return true
	}
	path := f.in.paths.Of(l.X)
	for _, b := range f.fn.Blocks {
		for _, instr := range b.Instrs {
			if u, ok := instr.(*ssa.MapUpdate); ok && f.in.paths.Of(u.Map) == path {
				return true
			}
		}
	}
	return false
}

// tries reports whether a call is one that succeeds for one caller only, or as
// often as somebody allows.
func (f *function) tries(call *ssa.Call) bool {
	c, t := f.targetOf(call.Common())
	if t != nil && t.row != nil {
		if t.row.Throttle {
			return true
		}
		for _, l := range t.row.Locks {
			if l.Try {
				return true
			}
		}
	}
	if t != nil && t.sum != nil {
		for _, a := range t.sum.Acquires {
			if a.Class == effect.Slot {
				return true
			}
		}
	}
	if c.Func == nil {
		return false
	}
	name := c.Func.Name()
	if pkg := c.Func.Pkg(); pkg != nil && (pkg.Path() == "sync/atomic" || pkg.Path() == "sync") {
		return strings.HasPrefix(name, "CompareAndSwap") || strings.HasPrefix(name, "Swap") || name == "LoadOrStore"
	}
	return throttles(c.Func)
}

// ongoing reports whether a call asks whether something is under way already.
func (f *function) ongoing(call *ssa.Call) bool {
	name := ""
	if c, _ := f.targetOf(call.Common()); c.Func != nil {
		name = strings.ToLower(c.Func.Name())
	}
	for _, word := range []string{"progress", "running", "busy", "started", "inflight", "ongoing", "already"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}

// throttles reports whether a function holds its caller back, by its name.
func throttles(fn *types.Func) bool {
	name := strings.ToLower(fn.Name())
	if sig, ok := fn.Type().(*types.Signature); ok && sig.Recv() != nil {
		t := types.Unalias(sig.Recv().Type())
		if p, ok := t.(*types.Pointer); ok {
			t = types.Unalias(p.Elem())
		}
		if named, ok := t.(*types.Named); ok {
			name += " " + strings.ToLower(named.Obj().Name())
		}
	}
	for _, word := range []string{"throttl", "limiter", "ratelimit", "semaphore", "backpressure"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return strings.HasPrefix(name, "acquire") || strings.HasPrefix(name, "tryacquire")
}

// flips reports whether a flag or pointer is also set by the function: it says
// that the one goroutine is there.
func (f *function) flips(addr ssa.Value) bool {
	path := f.in.paths.Of(addr)
	if path == "" || !f.lasting(addr) || strings.Contains(addr.Name(), "$") {
		return false // or how far a loop over an iterator is: "jump$1"
	}
	if f.stored == nil {
		f.stored = make(map[effect.Path]bool)
		for _, fn := range append([]*ssa.Function{f.fn}, f.fn.AnonFuncs...) {
			for _, b := range fn.Blocks {
				for _, instr := range b.Instrs {
					if s, ok := instr.(*ssa.Store); ok {
						f.stored[f.in.paths.Of(s.Addr)] = true
					}
				}
			}
		}
	}
	return f.stored[path]
}

// tokenBefore reports whether something is taken before the goroutine starts
// that it gives back: an element of a channel, room in one, a slot of a type
// that has both.
func (f *function) tokenBefore(at ssa.CallInstruction, c ir.Callee) bool {
	if !f.takesBefore(at) {
		return false
	}
	back := f.givesBack(at, c)
	for b := at.Block(); b != nil; b = b.Idom() {
		if !f.near(b, at) {
			break
		}
		for _, instr := range b.Instrs {
			if instr == ssa.Instruction(at) {
				break
			}
			switch x := instr.(type) {
			case *ssa.Send:
				if back.receives[f.identity(x.Chan)] {
					return true
				}
			case *ssa.UnOp:
				if x.Op == token.ARROW && back.sends[f.identity(x.X)] {
					return true
				}
			case *ssa.Select:
				for i, st := range x.States {
					if !x.Blocking && !ir.InCase(at.Block(), x, i) && len(x.States) > 1 {
						continue
					}
					if st.Dir == types.SendOnly && back.receives[f.identity(st.Chan)] || st.Dir == types.RecvOnly && back.sends[f.identity(st.Chan)] {
						return true
					}
				}
			case *ssa.Call:
				if f.holdsBack(x, back) {
					return true
				}
			}
		}
	}
	return false
}

// takesBefore reports whether anything stands before the instruction that can
// take a token: a channel operation or a call.
func (f *function) takesBefore(at ssa.Instruction) bool {
	for b := at.Block(); b != nil && f.near(b, at); b = b.Idom() {
		for _, instr := range b.Instrs {
			if instr == at {
				break
			}
			switch x := instr.(type) {
			case *ssa.Send, *ssa.Select, *ssa.Call:
				return true
			case *ssa.UnOp:
				if x.Op == token.ARROW {
					return true
				}
			}
		}
	}
	return false
}

// holdsBack reports whether a call waits until there is room: a throttle, or the
// counterpart of what the goroutine calls in the end.
func (f *function) holdsBack(call *ssa.Call, back givenBack) bool {
	c, t := f.targetOf(call.Common())
	if t != nil && t.row != nil && t.row.Throttle {
		return true
	}
	if c.Func != nil && throttles(c.Func) {
		return true
	}
	if t == nil || t.sum == nil {
		return false
	}
	for _, e := range t.sum.Effects {
		id := e.Field
		if id == "" {
			id = string(f.in.paths.Import(e.On, c.Args, t.hasRecv(), f.fn))
		}
		if e.Kind == effect.ChanSend && back.receives[id] || e.Kind == effect.ChanRecv && back.sends[id] || e.Kind == effect.Acquire && back.receives[id] {
			return true
		}
	}
	if len(c.Args) == 0 || c.Func == nil || !back.called[f.identity(c.Args[0])] {
		return false
	}
	return slices.ContainsFunc(t.sum.Effects, func(e effect.Effect) bool {
		switch e.Kind {
		case effect.Acquire, effect.ChanSend, effect.ChanRecv, effect.Select, effect.Cond, effect.Submit:
			return true
		}
		return false
	})
}

// identity tells the same channel or object in two functions of the package:
// its field, or else its path.
func (f *function) identity(v ssa.Value) string {
	path := f.in.paths.Of(v)
	if key := f.in.fieldKey(path); key != "" {
		return key
	}
	return string(path)
}

// givenBack is what a goroutine gives back at some point.
type givenBack struct {
	sends, receives map[string]bool // channels
	called          map[string]bool // objects with a method that releases
}

// maxBackDepth is through how many calls a goroutine is followed to where it
// gives back what was taken for it.
const maxBackDepth = 2

// givesBack looks through the body of a goroutine, its literals and the
// functions of the package that it calls.
func (f *function) givesBack(at ssa.CallInstruction, c ir.Callee) givenBack {
	g := givenBack{make(map[string]bool), make(map[string]bool), make(map[string]bool)}
	seen := make(map[*ssa.Function]bool)
	var visit func(fn *ssa.Function, depth int)
	visit = func(fn *ssa.Function, depth int) {
		if fn == nil || seen[fn] || depth > maxBackDepth {
			return
		}
		seen[fn] = true
		for _, lit := range fn.AnonFuncs {
			visit(lit, depth)
		}
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				switch x := instr.(type) {
				case *ssa.Send:
					g.sends[f.identity(x.Chan)] = true
				case *ssa.UnOp:
					if x.Op == token.ARROW {
						g.receives[f.identity(x.X)] = true
					}
				case *ssa.Select:
					for _, st := range x.States {
						if st.Dir == types.SendOnly {
							g.sends[f.identity(st.Chan)] = true
						} else {
							g.receives[f.identity(st.Chan)] = true
						}
					}
				case ssa.CallInstruction:
					callee := ir.CalleeOf(x.Common(), f.in.paths)
					if callee.Func != nil && releaseNames[callee.Func.Name()] && callee.Func.Name() != "Close" && len(callee.Args) > 0 {
						g.called[f.identity(callee.Args[0])] = true
					}
					visit(callee.Body, depth+1)
				}
			}
		}
	}
	visit(c.Body, 0)
	for _, a := range at.Common().Args {
		if isFunc(a.Type()) {
			visit(ir.FuncOf(a, f.in.paths).Body, 0)
		}
	}
	delete(g.sends, "")
	delete(g.receives, "")
	delete(g.called, "")
	return g
}
