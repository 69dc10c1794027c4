package loop

import (
	"cmp"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/ir"
	"github.com/concvet/concvet/internal/summary"
)

// A Kind says what decides how often a loop runs.
type Kind uint8

// The kinds, from the most bounded to the least.
const (
	Unknown Kind = iota
	Const        // a number that stands in the source: a counter, an array, a literal
	Count        // a number from elsewhere: for i := 0; i < n; i++
	Ticker       // a timer: so often a second, whatever the load
	Signal       // a channel of values without content, of errors, or of ends
	Map          // the entries of a map
	Slice        // the elements of a slice
	Iter         // an iterator function
	Accept       // connections that peers open
	Consume      // messages, packets or lines that a call hands out
	Chan         // values received from a channel
)

var kindNames = [...]string{"unknown", "const", "count", "ticker", "signal", "map", "slice", "iter", "accept", "consume", "chan"}

func (k Kind) String() string { return kindNames[k] }

// Endless reports whether the load decides, without an end: there is no list
// whose length is known when the loop begins.
func (k Kind) Endless() bool { return k >= Accept }

// A Feed is one thing that makes a loop run once more.
type Feed struct {
	Kind  Kind
	Value ssa.Value       // the slice, map or channel, or the receiver of the call; nil for a counter
	Trips int64           // Const: how often
	At    ssa.Instruction // where the element is taken
	Case  int             // the case of the select At that takes it, -1 if At is none
	Named bool            // only the name of the call At says so: what it returns has to matter
}

// Of finds the loops of fn and what feeds each.
func Of(fn *ssa.Function, res *summary.Result) Loops {
	loops := natural(fn)
	for _, l := range loops {
		l.findFeeds(loops, res)
	}
	return loops
}

// FeedsOf are the feeds of the loop that matter at an instruction in it: in a
// case of a select only what that case receives.
func (l *Loop) FeedsOf(instr ssa.Instruction) []Feed {
	for _, f := range l.Feeds {
		if sel, ok := f.At.(*ssa.Select); ok {
			for i := range sel.States {
				if !ir.InCase(instr.Block(), sel, i) {
					continue
				}
				for _, g := range l.Feeds {
					if g.At == f.At && g.Case == i {
						return []Feed{g}
					}
				}
				return nil // a send
			}
		}
	}
	return l.Feeds
}

func (l *Loop) findFeeds(loops Loops, res *summary.Result) {
	for _, b := range l.Head.Parent().Blocks {
		if !l.blocks[b] {
			continue
		}
		if f, ok := l.exit(b, res); ok {
			l.Feeds = append(l.Feeds, f)
		}
		if loops.Around(b) != l {
			continue // an inner loop's
		}
		for _, instr := range b.Instrs {
			switch x := instr.(type) {
			case *ssa.UnOp:
				if x.Op == token.ARROW {
					l.Feeds = append(l.Feeds, channelFeed(x.X, x, -1))
				}
			case *ssa.Select:
				drained := l.drains(x)
				for i, st := range x.States {
					if st.Dir != types.RecvOnly {
						continue
					}
					f := channelFeed(st.Chan, x, i)
					if drained {
						f.Kind = min(f.Kind, Count)
					}
					l.Feeds = append(l.Feeds, f)
				}
			case *ssa.Next:
				r, ok := x.Iter.(*ssa.Range)
				if !ok {
					continue
				}
				kind := Map
				if x.IsString {
					kind = Slice
				}
				l.Feeds = append(l.Feeds, Feed{Kind: kind, Value: r.X, At: x, Case: -1})
			case *ssa.Call:
				if f, ok := l.callFeed(x, res); ok {
					l.Feeds = append(l.Feeds, f)
				}
			}
		}
	}
	slices.SortStableFunc(l.Feeds, func(a, b Feed) int { return cmp.Compare(b.Kind, a.Kind) })
	// A timer decides how often it looks for something more.
	if slices.ContainsFunc(l.Feeds, func(f Feed) bool { return f.Kind == Ticker }) {
		l.Feeds = slices.DeleteFunc(l.Feeds, func(f Feed) bool { return f.Named })
	}
	// A counter or a list decides alone: what is received in each round is not
	// what makes it run.
	for _, f := range l.Feeds {
		if f.Kind == Const || f.Kind == Count || f.Kind == Map || f.Kind == Slice {
			l.Feeds = []Feed{f}
			return
		}
	}
}

func receiver(call *ssa.Call) ssa.Value {
	common := call.Common()
	if common.IsInvoke() {
		return common.Value
	}
	if common.Signature().Recv() != nil && len(common.Args) > 0 {
		return common.Args[0]
	}
	return nil
}

// exit takes the condition apart with which block b leaves the loop: a counter
// that is compared with a number or with a length.
func (l *Loop) exit(b *ssa.BasicBlock, res *summary.Result) (Feed, bool) {
	if len(b.Instrs) == 0 {
		return Feed{}, false
	}
	cond, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok || l.blocks[b.Succs[0]] == l.blocks[b.Succs[1]] {
		return Feed{}, false
	}
	if n := ir.Counted(cond.Cond); n > 0 {
		return Feed{Kind: Const, Trips: n, At: cond, Case: -1}, true
	}
	compare, ok := cond.Cond.(*ssa.BinOp)
	if !ok {
		return Feed{}, false
	}
	var limit ssa.Value
	switch compare.Op {
	case token.LSS, token.LEQ, token.NEQ:
		limit = compare.Y
	case token.GTR, token.GEQ:
		limit = compare.X
		if l.counts(compare.X) {
			limit = compare.Y // from a number down to zero
		}
	}
	counter := compare.X
	if limit == compare.X {
		counter = compare.Y
	}
	if limit == nil || !l.counts(counter) {
		return Feed{}, false
	}
	if of := lengthOf(limit); of != nil {
		if n, ok := atMost(of, res, nil, 0); ok {
			return Feed{Kind: Const, Trips: n, Value: of, At: cond, Case: -1}, true
		}
		if chunk(of) {
			return Feed{Kind: Count, Value: of, At: cond, Case: -1}, true
		}
		return Feed{Kind: Slice, Value: of, At: cond, Case: -1}, true
	}
	if _, isConst := limit.(*ssa.Const); isConst {
		// Down to zero: where it begins decides.
		if of := lengthOf(l.start(counter)); of != nil {
			return Feed{Kind: Slice, Value: of, At: cond, Case: -1}, true
		}
	}
	return Feed{Kind: Count, Value: limit, At: cond, Case: -1}, true
}

// counts reports whether v is a counter of the loop: it changes by a constant
// in each round.
func (l *Loop) counts(v ssa.Value) bool { return l.counter(v) != nil || l.counterVar(v) }

// counterVar reports whether v is the value of a counter that lives in memory,
// since a literal in the loop captures it.
func (l *Loop) counterVar(v ssa.Value) bool {
	load, ok := v.(*ssa.UnOp)
	if !ok || load.Op != token.MUL || !isInteger(v.Type()) {
		return false
	}
	switch load.X.(type) {
	case *ssa.Alloc, *ssa.Phi:
	default:
		return false
	}
	for b := range l.blocks {
		for _, instr := range b.Instrs {
			s, ok := instr.(*ssa.Store)
			if !ok {
				continue
			}
			step, ok := s.Val.(*ssa.BinOp)
			if !ok || step.Op != token.ADD && step.Op != token.SUB {
				continue
			}
			old, ok := step.X.(*ssa.UnOp)
			if _, isConst := step.Y.(*ssa.Const); ok && isConst && old.X == s.Addr && types.Identical(s.Addr.Type(), load.X.Type()) {
				return true
			}
		}
	}
	return false
}

func isInteger(t types.Type) bool {
	b, ok := types.Unalias(t).Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}

func (l *Loop) counter(v ssa.Value) *ssa.Phi {
	if add, ok := v.(*ssa.BinOp); ok && (add.Op == token.ADD || add.Op == token.SUB) {
		v = add.X
	}
	phi, ok := v.(*ssa.Phi)
	if !ok || phi.Block() != l.Head {
		return nil
	}
	if !isInteger(phi.Type()) {
		return nil
	}
	for i, e := range phi.Edges {
		if !l.blocks[phi.Block().Preds[i]] {
			continue
		}
		step, ok := e.(*ssa.BinOp)
		if !ok || step.Op != token.ADD && step.Op != token.SUB {
			return nil
		}
		if _, isConst := step.Y.(*ssa.Const); !isConst {
			return nil
		}
	}
	return phi
}

// start is the value that a counter has when the loop begins, nil if there are
// several.
func (l *Loop) start(v ssa.Value) ssa.Value {
	phi := l.counter(v)
	if phi == nil {
		return nil
	}
	var start ssa.Value
	for i, e := range phi.Edges {
		if l.blocks[phi.Block().Preds[i]] {
			continue
		}
		if start != nil {
			return nil
		}
		start = e
	}
	if sub, ok := start.(*ssa.BinOp); ok && sub.Op == token.SUB {
		start = sub.X // from len(x)-1
	}
	return start
}

// lengthOf returns x if v is len(x).
func lengthOf(v ssa.Value) ssa.Value {
	call, ok := v.(*ssa.Call)
	if !ok {
		return nil
	}
	if b, ok := call.Call.Value.(*ssa.Builtin); ok && b.Name() == "len" && len(call.Call.Args) == 1 {
		return call.Call.Args[0]
	}
	return nil
}

// fixedLength is the length of an array, or of a slice of a whole one, as a
// literal makes it; 0 if it is not known.
func fixedLength(v ssa.Value) int64 {
	if s, ok := v.(*ssa.Slice); ok {
		if s.Low != nil || s.Max != nil {
			return 0
		}
		if s.High != nil {
			if c, ok := s.High.(*ssa.Const); ok && c.Value != nil && c.Value.Kind() == constant.Int {
				return c.Int64()
			}
			return 0
		}
		v = s.X
	}
	t := types.Unalias(v.Type())
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	if a, ok := t.Underlying().(*types.Array); ok {
		return a.Len()
	}
	return 0
}

// channelFeed says what a receive hands out, by the channel and its elements.
func channelFeed(ch ssa.Value, at ssa.Instruction, i int) Feed {
	return Feed{Kind: channelKind(ch), Value: ch, At: at, Case: i}
}

func channelKind(ch ssa.Value) Kind {
	if timer(ch) {
		return Ticker
	}
	t, ok := types.Unalias(ch.Type()).Underlying().(*types.Chan)
	if !ok {
		return Chan // of a type parameter
	}
	elem := types.Unalias(t.Elem())
	if named, ok := elem.(*types.Named); ok && named.Obj().Pkg() != nil {
		switch named.Obj().Pkg().Path() + "." + named.Obj().Name() {
		case "os.Signal":
			return Signal
		case "time.Time":
			return Ticker // as likely as not, somebody's timer
		}
	}
	if named, ok := elem.(*types.Named); ok && named.Obj().Pkg() == nil && named.Obj().Name() == "error" {
		return Signal
	}
	switch u := elem.Underlying().(type) {
	case *types.Struct:
		if u.NumFields() == 0 {
			return Signal
		}
	case *types.Basic:
		if u.Info()&types.IsBoolean != 0 {
			return Signal
		}
	}
	if Connection(elem) {
		return Accept
	}
	return Chan
}

// timer reports whether a channel is that of a timer: time.After, or the C of a
// Timer or a Ticker.
func timer(ch ssa.Value) bool {
	switch v := ch.(type) {
	case *ssa.Call:
		fn := v.Call.StaticCallee()
		return fn != nil && fn.Pkg != nil && fn.Pkg.Pkg.Path() == "time"
	case *ssa.UnOp:
		fa, ok := v.X.(*ssa.FieldAddr)
		if !ok || v.Op != token.MUL {
			return false
		}
		t := types.Unalias(fa.X.Type())
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = types.Unalias(p.Elem())
		}
		named, ok := t.(*types.Named)
		return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "time"
	}
	return false
}

// Connection reports whether values of type t are connections or streams of a
// peer: they read, write and close, or tell the peer's address. A channel of them is fed by an accept loop.
func Connection(t types.Type) bool {
	if obj, _, _ := types.LookupFieldOrMethod(t, true, nil, "RemoteAddr"); obj != nil {
		return true
	}
	for _, name := range []string{"Read", "Write", "Close"} {
		obj, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
		if _, ok := obj.(*types.Func); !ok {
			return false
		}
	}
	return true
}
