package pool

import (
	"go/types"

	"go/constant"
	"go/token"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
)

// A Verdict says how sure it is that a send of a worker on its own channel finds
// no room in the end.
type Verdict uint8

const (
	Fine   Verdict = iota // there is room by construction, or somebody else receives
	Unsure                // it depends on how many items there are
	Stuck
)

// smallRoom is a capacity that a loop which adds one item an event fills by
// chance: with more room its own receive comes first almost surely.
const smallRoom = 8

// Judge says whether a send on the channel that a worker drains gets stuck.
func (m *Model) Judge(c *Cycle) Verdict {
	t, op := c.Task, c.Op
	if t.Loop == nil {
		return Stuck // the package of the loop has looked
	}
	if sel, ok := t.Loop.Recv.(*ssa.Select); ok && !sel.Blocking && t.Body == t.Loop.Fn && !m.ownCase(t.Loop, op) {
		return Fine // it has just found the channel empty
	}
	field := m.res.Field(t.Pool)
	if m.res.Slots(field) || m.asksRoom(op, t) {
		return Fine
	}
	uses := m.Uses(t.Pool, t.In)
	makes := m.Makes(t.Pool, t.In)
	own := make(map[ssa.Instruction]bool)
	loops := make(map[ssa.Instruction]bool)
	for _, l := range m.Loops {
		if !m.same(l.Chan, l.Fn, t.Pool, t.In) {
			continue
		}
		feeds := l.Runs || t.Loop == l
		for _, o := range m.Ops(l.Task) {
			if o.Verb == Send && m.is(o.Path, l.Chan) {
				feeds = true
				own[o.Instr] = true
			}
		}
		if feeds {
			loops[l.Recv] = true
		}
	}
	fills, others := false, false
	for _, u := range uses {
		switch {
		case u.Escapes:
			return Fine // whoever gets it may receive
		case u.Close:
		case u.Send:
			if own[u.Instr] && m.onlyTask(u.Fn, t, make(map[*ssa.Function]bool)) || paired(u, uses) {
				continue
			}
			if fill(u, makes) {
				fills = true
			} else {
				others = true
			}
		case !loops[u.Instr]:
			return Fine // somebody else makes room
		}
	}
	if m.shown(t.Pool) {
		return Unsure // other packages may receive, too
	}
	if t.Body != t.Loop.Fn {
		if sized(makes) && !op.many {
			return Fine
		}
		if sized(makes) {
			return Unsure
		}
		return Stuck // a function that was sent sends the next one
	}
	feed := t.Loop.Case >= 0 && !m.ownCase(t.Loop, op)
	switch {
	case fills && !op.many && emptyElem(makes):
		return Fine // slots, as many as there is room for: one goes back
	case sized(makes):
		if op.many {
			return Unsure
		}
		return Fine
	case op.many:
		return Stuck
	case fills && !feed:
		if others {
			return Unsure
		}
		return Fine // an item goes back to where it was taken from
	case !others && !feed && !unbuffered(makes):
		if len(makes) > 0 {
			return Fine
		}
		return Unsure
	case !others && feed && room(makes) >= smallRoom:
		return Unsure
	}
	return Stuck
}

// emptyElem reports whether what a channel carries has no content.
func emptyElem(makes []*ssa.MakeChan) bool {
	for _, mc := range makes {
		ch, ok := types.Unalias(mc.Type()).Underlying().(*types.Chan)
		if !ok {
			return false
		}
		if st, ok := types.Unalias(ch.Elem()).Underlying().(*types.Struct); !ok || st.NumFields() > 0 {
			return false
		}
	}
	return len(makes) > 0
}

// shown reports whether a channel is in an exported field of an exported type.
func (m *Model) shown(path effect.Path) bool {
	key := m.res.Field(path)
	typ, field, ok := strings.Cut(strings.TrimPrefix(key, "("), ").")
	return ok && token.IsExported(field) && token.IsExported(typ[strings.LastIndexByte(typ, '.')+1:])
}

// ownCase reports whether an operation stands behind the case of the loop's
// select that receives from its channel.
func (m *Model) ownCase(l *Loop, op *Op) bool {
	sel, ok := l.Recv.(*ssa.Select)
	if !ok {
		return true
	}
	at := op.Instr
	if calls := op.Calls(); len(calls) > 0 {
		at = calls[0]
	}
	for _, b := range chosen(sel, l.Case) {
		if b.Dominates(at.Block()) {
			return true
		}
	}
	return false
}

// chosen lists the blocks that run where case i of a select was chosen.
func chosen(sel *ssa.Select, i int) []*ssa.BasicBlock {
	var out []*ssa.BasicBlock
	if sel.Referrers() == nil {
		return nil
	}
	if len(sel.States) == 1 && sel.Blocking {
		return []*ssa.BasicBlock{sel.Block()}
	}
	for _, r := range *sel.Referrers() {
		idx, ok := r.(*ssa.Extract)
		if !ok || idx.Index != 0 || idx.Referrers() == nil {
			continue
		}
		for _, rr := range *idx.Referrers() {
			cmp, ok := rr.(*ssa.BinOp)
			if !ok || cmp.Referrers() == nil {
				continue
			}
			k, ok := cmp.Y.(*ssa.Const)
			if !ok || k.Value == nil || k.Int64() != int64(i) {
				continue
			}
			for _, x := range *cmp.Referrers() {
				if br, ok := x.(*ssa.If); ok {
					out = append(out, br.Block().Succs[0])
				}
			}
		}
	}
	return out
}

// paired reports whether a send gives back what the same function has received
// before.
func paired(u *Use, uses []*Use) bool {
	for _, r := range uses {
		if r.Send || r.Close || r.Escapes || r.Fn != u.Fn || r.Path != u.Path || r.Instr == u.Instr {
			continue
		}
		if r.Instr.Block() == u.Instr.Block() && index(r.Instr) < index(u.Instr) || r.Instr.Block() != u.Instr.Block() && r.Instr.Block().Dominates(u.Instr.Block()) {
			return true
		}
	}
	return false
}

// fill reports whether a send stands in the function that makes the channel.
func fill(u *Use, makes []*ssa.MakeChan) bool {
	for _, mc := range makes {
		if mc.Parent() == u.Fn {
			return true
		}
	}
	return false
}

// asksRoom reports whether the function that sends looks at the length of the
// channel first.
func (m *Model) asksRoom(op *Op, t *Task) bool {
	var path effect.Path
	switch x := op.Instr.(type) {
	case *ssa.Send:
		path = m.res.Path(x.Chan)
	default:
		return false
	}
	for _, b := range op.Fn().Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(*ssa.Call)
			if !ok {
				continue
			}
			if bi, ok := call.Call.Value.(*ssa.Builtin); ok && bi.Name() == "len" && m.res.Path(call.Call.Args[0]) == path {
				return true
			}
		}
	}
	return false
}

// sized reports whether a channel is made as large as something else is.
func sized(makes []*ssa.MakeChan) bool {
	for _, mc := range makes {
		if ofLength(mc.Size, 0) {
			return true
		}
	}
	return false
}

func ofLength(v ssa.Value, depth int) bool {
	if depth > 6 {
		return false
	}
	switch x := v.(type) {
	case *ssa.Call:
		b, ok := x.Call.Value.(*ssa.Builtin)
		if !ok {
			return false
		}
		if b.Name() == "len" {
			return true
		}
		for _, a := range x.Call.Args { // max, min
			if ofLength(a, depth+1) {
				return true
			}
		}
	case *ssa.BinOp:
		return ofLength(x.X, depth+1) || ofLength(x.Y, depth+1)
	case *ssa.Convert:
		return ofLength(x.X, depth+1)
	case *ssa.Phi:
		for _, e := range x.Edges {
			if ofLength(e, depth+1) {
				return true
			}
		}
	}
	return false
}

func unbuffered(makes []*ssa.MakeChan) bool {
	for _, mc := range makes {
		if n, ok := constSize(mc); ok && n == 0 {
			return true
		}
	}
	return false
}

// room is the constant capacity of a channel, 0 if it is none.
func room(makes []*ssa.MakeChan) int64 {
	var n int64
	for _, mc := range makes {
		k, ok := constSize(mc)
		if !ok {
			return 0
		}
		n = max(n, k)
	}
	return n
}

func constSize(mc *ssa.MakeChan) (int64, bool) {
	c, ok := mc.Size.(*ssa.Const)
	if !ok || c.Value == nil || c.Value.Kind() != constant.Int {
		return 0, false
	}
	return c.Int64(), true
}

// Room is the constant capacity of the channel of a task; ok is false if it is
// not known.
func (m *Model) Room(t *Task) (n int64, ok bool) {
	makes := m.Makes(t.Pool, t.In)
	if len(makes) == 0 {
		return 0, false
	}
	for i, mc := range makes {
		k, isConst := constSize(mc)
		if !isConst || i > 0 && k != n {
			return 0, false
		}
		n = k
	}
	return n, true
}
