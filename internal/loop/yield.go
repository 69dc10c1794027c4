package loop

import (
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Yield reports whether fn is the body of a loop over an iterator function.
func Yield(fn *ssa.Function) bool { return fn.Synthetic == "range-over-func yield" }

// YieldFeed says what feeds the loop of which fn is the body, if it is that of a
// loop over an iterator, or a literal that walks a tree of files: the list or map for the iterators of the standard
// library, else the iterator itself.
func YieldFeed(fn *ssa.Function) (Feed, bool) {
	call := YieldCall(fn)
	if call == nil {
		return walkFeed(fn)
	}
	f := Feed{Kind: Iter, Value: call.Call.Value, At: call, Case: -1}
	made, ok := call.Call.Value.(*ssa.Call)
	if !ok || len(made.Call.Args) == 0 {
		return f, true
	}
	switch pkg, _ := staticName(made); pkg {
	case "maps":
		f.Kind, f.Value = Map, made.Call.Args[0]
	case "slices", "strings", "bytes":
		f.Kind, f.Value = Slice, made.Call.Args[0]
	}
	return f, true
}

// walkFeed says that fn is called for every file of a tree, if it is a literal
// that walks one.
func walkFeed(fn *ssa.Function) (Feed, bool) {
	if fn.Parent() == nil {
		return Feed{}, false
	}
	call := callWith(fn)
	if call == nil {
		return Feed{}, false
	}
	switch pkg, name := staticName(call); pkg {
	case "path/filepath", "io/fs":
		return Feed{Kind: Iter, Value: call.Call.Args[len(call.Call.Args)-2], At: call, Case: -1}, name == "Walk" || name == "WalkDir"
	}
	return Feed{}, false
}

// YieldCall is the call of the iterator that gets fn, nil if fn is not the body of
// a loop over one.
func YieldCall(fn *ssa.Function) *ssa.Call {
	if !Yield(fn) || fn.Parent() == nil {
		return nil
	}
	return callWith(fn)
}

// callWith is the call that the function around a literal hands it to.
func callWith(fn *ssa.Function) *ssa.Call {
	for _, b := range fn.Parent().Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(*ssa.Call)
			if !ok {
				continue
			}
			for _, a := range call.Call.Args {
				if t, ok := a.(*ssa.ChangeType); ok {
					a = t.X // a named function type
				}
				if mc, ok := a.(*ssa.MakeClosure); ok {
					a = mc.Fn
				}
				if a == ssa.Value(fn) {
					return call
				}
			}
		}
	}
	return nil
}

func staticName(call *ssa.Call) (pkg, name string) {
	fn := call.Call.StaticCallee()
	if fn == nil {
		return "", ""
	}
	if origin := fn.Origin(); origin != nil {
		fn = origin
	}
	if obj := fn.Object(); obj != nil && obj.Pkg() != nil {
		return obj.Pkg().Path(), obj.Name()
	}
	return "", fn.Name()
}

// chunk reports whether a slice is a piece of a longer one whose length somebody
// has set: x[i:i+n], x[:min(n, len(x))], an element of slices.Chunk(x, n).
func chunk(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.ChangeType:
		return chunk(v.X)
	case *ssa.Slice:
		if v.High == nil {
			return false
		}
		if v.Low == nil || zero(v.Low) {
			return capped(v.High)
		}
		return apart(v.High, v.Low)
	case *ssa.Parameter:
		call := YieldCall(v.Parent())
		if call == nil {
			return false
		}
		made, ok := call.Call.Value.(*ssa.Call)
		return ok && chunks(made)
	case *ssa.UnOp:
		ix, ok := v.X.(*ssa.IndexAddr)
		if !ok || v.Op != token.MUL {
			return false
		}
		made, ok := ix.X.(*ssa.Call)
		return ok && chunks(made)
	}
	return false
}

// chunks reports whether a call cuts a list into pieces of a size that it is
// given.
func chunks(call *ssa.Call) bool {
	_, name := staticName(call)
	name = strings.ToLower(name)
	if !strings.Contains(name, "chunk") && !strings.Contains(name, "batch") && !strings.Contains(name, "partition") {
		return false
	}
	for _, a := range call.Call.Args {
		if isInteger(a.Type()) && lengthOf(a) == nil {
			return true
		}
	}
	return false
}

// apart reports whether high is no more than low and a number that is not a
// length.
func apart(high, low ssa.Value) bool { return apartIn(high, low, make(map[*ssa.Phi]bool)) }

// apartIn is apart; seen are the joins that lead to high, of which one in a loop
// leads to itself.
func apartIn(high, low ssa.Value, seen map[*ssa.Phi]bool) bool {
	switch x := high.(type) {
	case *ssa.BinOp:
		if x.Op != token.ADD {
			return false
		}
		return x.X == low && lengthOf(x.Y) == nil || x.Y == low && lengthOf(x.X) == nil
	case *ssa.Phi: // if end > len(x) { end = len(x) }
		if seen[x] {
			return false
		}
		seen[x] = true
		found := false
		for _, e := range x.Edges {
			switch {
			case lengthOf(e) != nil:
			case apartIn(e, low, seen):
				found = true
			default:
				return false
			}
		}
		return found
	case *ssa.Call:
		for _, a := range minArgs(x) {
			if apartIn(a, low, seen) {
				return true
			}
		}
	}
	return false
}

// capped reports whether a length is at most a number that somebody has set.
func capped(v ssa.Value) bool { return cappedIn(v, make(map[*ssa.Phi]bool)) }

// cappedIn is capped; seen are the joins that lead to v, of which one in a loop
// leads to itself.
func cappedIn(v ssa.Value, seen map[*ssa.Phi]bool) bool {
	switch x := v.(type) {
	case *ssa.Const, *ssa.Parameter:
		return true
	case *ssa.Phi: // n := size; if n > len(x) { n = len(x) }
		if seen[x] {
			return false
		}
		seen[x] = true
		found := false
		for _, e := range x.Edges {
			switch {
			case lengthOf(e) != nil:
			case cappedIn(e, seen):
				found = true
			default:
				return false
			}
		}
		return found
	case *ssa.Call:
		for _, a := range minArgs(x) {
			if cappedIn(a, seen) {
				return true
			}
		}
	case *ssa.UnOp:
		_, field := x.X.(*ssa.FieldAddr)
		_, global := x.X.(*ssa.Global)
		return x.Op == token.MUL && (field || global)
	}
	return false
}

func minArgs(call *ssa.Call) []ssa.Value {
	if b, ok := call.Call.Value.(*ssa.Builtin); ok && b.Name() == "min" {
		return call.Call.Args
	}
	return nil
}

func zero(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value != nil && types.Identical(c.Type().Underlying(), types.Typ[types.Int]) && c.Int64() == 0
}
