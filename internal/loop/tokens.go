package loop

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/summary"
)

// Puts reports whether the loop itself sends to a channel without content, by
// its path or its field: a receive from it gives a token back, and finds it
// there.
func (l *Event) Puts(res *summary.Result, path effect.Path, field string) bool {
	return l.tokens(res, path, field, types.SendOnly)
}

// Takes reports whether the loop itself receives from a channel without content:
// a send to it gives a token back, and finds room.
func (l *Event) Takes(res *summary.Result, path effect.Path, field string) bool {
	return l.tokens(res, path, field, types.RecvOnly)
}

func (l *Event) tokens(res *summary.Result, path effect.Path, field string, dir types.ChanDir) bool {
	same := func(ch ssa.Value) bool {
		if !empty(ch.Type()) {
			return false
		}
		for _, v := range edges(ch, 0) {
			p := res.Path(v)
			if p != "" && p == path || field != "" && res.Field(p) == field {
				return true
			}
		}
		return false
	}
	for b := range l.loop.blocks {
		for _, instr := range b.Instrs {
			switch x := instr.(type) {
			case *ssa.Send:
				if dir == types.SendOnly && same(x.Chan) {
					return true
				}
			case *ssa.UnOp:
				if dir == types.RecvOnly && x.Op == token.ARROW && same(x.X) {
					return true
				}
			case *ssa.Select:
				for _, st := range x.States {
					if st.Dir == dir && same(st.Chan) {
						return true
					}
				}
			}
		}
	}
	return false
}

// edges lists what a value may be, as far as the function chooses it.
func edges(v ssa.Value, depth int) []ssa.Value {
	switch x := v.(type) {
	case *ssa.ChangeType:
		return edges(x.X, depth+1)
	case *ssa.Phi:
		if depth > 4 {
			return nil
		}
		var out []ssa.Value
		for _, e := range x.Edges {
			if e != v {
				out = append(out, edges(e, depth+1)...)
			}
		}
		return out
	}
	return []ssa.Value{v}
}
