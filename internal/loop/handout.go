package loop

import (
	"go/token"
	"go/types"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/summary"
)

// callFeed says what a call in the loop hands out, if it does. What is known of
// the callee decides; for all others the name does, and that it returns one
// thing a call: Next, Recv, ReadMessage, fetchJob.
func (l *Loop) callFeed(x *ssa.Call, res *summary.Result) (Feed, bool) {
	f := Feed{Value: receiver(x), At: x, Case: -1}
	if made, ok := f.Value.(ssa.Instruction); ok && l.blocks[made.Block()] {
		if _, isCall := made.(*ssa.Call); isCall {
			return Feed{}, false // read to its end in each round: no stream
		}
	}
	switch res.Source(x) {
	case effect.Conns:
		f.Kind = Accept
		return f, true
	case effect.Items:
		f.Kind = Consume
		return f, true
	}
	item, known := handedOut(x)
	if !known {
		return Feed{}, false
	}
	switch {
	case item == nil && !l.endsEmpty(x):
		return Feed{}, false
	case item == nil:
		f.Kind = Iter // the end of a list, or of what a query found
	case Connection(item):
		f.Kind = Accept
	case l.endsEmpty(x):
		f.Kind = Iter
	default:
		f.Kind = Consume
	}
	f.Named = item != nil
	return f, true
}

// handedOut is the type of the one thing that a call hands out, as its name
// says; nil for an iterator, which only tells that there is another.
func handedOut(x *ssa.Call) (item types.Type, ok bool) {
	sig := x.Call.Signature()
	name := calledName(x)
	if name == "" || sig.Results().Len() == 0 || !handoutName(name) {
		return nil, false
	}
	first := types.Unalias(sig.Results().At(0).Type())
	if b, isBasic := first.Underlying().(*types.Basic); isBasic {
		switch {
		case b.Kind() == types.Bool && sig.Results().Len() == 1:
			return nil, iteratorName(name)
		case b.Info()&types.IsString == 0:
			return nil, false // how much, not what
		}
	}
	switch u := first.Underlying().(type) {
	case *types.Slice:
		if b, isBasic := types.Unalias(u.Elem()).Underlying().(*types.Basic); !isBasic || b.Kind() != types.Byte {
			return nil, false // a list: the loop over it counts
		}
	case *types.Map, *types.Signature, *types.Chan:
		return nil, false
	}
	if named, isNamed := first.(*types.Named); isNamed && named.Obj().Pkg() == nil {
		return nil, false // an error
	}
	return first, true
}

func calledName(x *ssa.Call) string {
	if x.Call.IsInvoke() {
		return x.Call.Method.Name()
	}
	switch v := x.Call.Value.(type) {
	case *ssa.Function:
		return v.Name()
	case *ssa.Parameter:
		return v.Name()
	case *ssa.FreeVar:
		return v.Name()
	case *ssa.UnOp:
		switch a := v.X.(type) {
		case *ssa.FieldAddr:
			if p, ok := types.Unalias(a.X.Type()).Underlying().(*types.Pointer); ok {
				if st, ok := p.Elem().Underlying().(*types.Struct); ok {
					return st.Field(a.Field).Name()
				}
			}
		case *ssa.FreeVar:
			return a.Name()
		}
	}
	return ""
}

// verbs are what functions are called that take one thing from a stream.
var verbs = []string{"next", "recv", "receive", "read", "fetch", "poll", "pop", "dequeue", "pull", "consume", "take", "accept"}

func handoutName(name string) bool {
	first, rest := splitWord(name)
	if first == "get" || first == "must" {
		first, _ = splitWord(rest)
	}
	return slices.Contains(verbs, first)
}

func iteratorName(name string) bool { return name == "Next" || name == "Scan" || name == "next" }

// splitWord takes the first word off a name in camel case.
func splitWord(name string) (first, rest string) {
	for i, r := range name {
		if i > 0 && unicode.IsUpper(r) {
			return strings.ToLower(name[:i]), name[i:]
		}
	}
	return strings.ToLower(name), ""
}

// endsEmpty reports whether the loop ends when a call has returned nothing: nil,
// the empty string, false.
func (l *Loop) endsEmpty(x *ssa.Call) bool {
	values := []ssa.Value{x}
	if tuple, ok := x.Type().(*types.Tuple); ok {
		values = nil
		for i := range tuple.Len() {
			if t := tuple.At(i).Type(); types.Identical(t, types.Universe.Lookup("error").Type()) {
				continue
			}
			values = append(values, results(x, i)...)
		}
	}
	for _, v := range values {
		if v.Referrers() == nil {
			continue
		}
		for _, r := range *v.Referrers() {
			switch r := r.(type) {
			case *ssa.If:
				if l.leaves(r) {
					return true
				}
			case *ssa.BinOp:
				if r.Op != token.EQL && r.Op != token.NEQ {
					continue
				}
				if slices.ContainsFunc(branches(r), l.leaves) {
					return true
				}
			}
		}
	}
	return false
}

// leaves reports whether one way out of a branch leads out of the loop.
func (l *Loop) leaves(x *ssa.If) bool {
	b := x.Block()
	return l.blocks[b.Succs[0]] != l.blocks[b.Succs[1]]
}
