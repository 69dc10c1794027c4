package summary

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/ir"
)

// finds reports whether a send stands where len has just said that its channel
// is empty, or not full.
func (f *function) finds(at ssa.Instruction, path effect.Path) bool {
	return path != "" && slices.ContainsFunc(ir.Conditions(at.Block()), func(c ir.Condition) bool {
		op, ok := c.Value.(*ssa.BinOp)
		if !ok || !c.Holds || op.Op != token.EQL && op.Op != token.LSS {
			return false
		}
		return f.isLen(op.X, path, 1)
	})
}

// counted reports whether a receive takes one of the values that len has counted
// in its channel: it does not wait, unless somebody else takes them first.
//
//	for n := len(ch); n > 0; n-- {
//		all = append(all, <-ch)
func (f *function) counted(at ssa.Instruction, path effect.Path) bool {
	if path == "" {
		return false
	}
	// A range over a number tests before its first round and after each.
	for b := at.Block(); b != nil; b = b.Idom() {
		if len(b.Preds) > 0 && !slices.ContainsFunc(b.Preds, func(p *ssa.BasicBlock) bool { return !f.saysMore(p, b, path) }) {
			return true
		}
	}
	return false
}

// saysMore reports whether a block goes on to b only if len says that something
// is left in a channel.
func (f *function) saysMore(p, b *ssa.BasicBlock, path effect.Path) bool {
	branch, ok := p.Instrs[len(p.Instrs)-1].(*ssa.If)
	if !ok || p.Succs[0] == p.Succs[1] {
		return false
	}
	op, ok := branch.Cond.(*ssa.BinOp)
	if !ok {
		return false
	}
	holds := p.Succs[0] == b
	switch {
	case f.isLen(op.X, path, 0):
		return holds && (op.Op == token.GTR || op.Op == token.GEQ || op.Op == token.NEQ) ||
			!holds && (op.Op == token.LSS || op.Op == token.LEQ || op.Op == token.EQL)
	case f.isLen(op.Y, path, 0):
		return holds && (op.Op == token.LSS || op.Op == token.NEQ) || !holds && (op.Op == token.GEQ || op.Op == token.EQL)
	}
	return false
}

// isLen reports whether a value is the length of a channel, or what a loop has
// left of it.
func (f *function) isLen(v ssa.Value, path effect.Path, depth int) bool {
	switch x := v.(type) {
	case *ssa.Call:
		b, ok := x.Call.Value.(*ssa.Builtin)
		return ok && b.Name() == "len" && f.in.paths.Of(x.Call.Args[0]) == path
	case *ssa.Phi:
		return depth == 0 && slices.ContainsFunc(x.Edges, func(e ssa.Value) bool { return f.isLen(e, path, 1) })
	}
	return false
}

// without is the parameter that is nil wherever control comes to an instruction,
// "" if there is none: that of the transaction in
//
//	if tx == nil {
//		_, err := db.ExecContext(ctx, query)
func (f *function) without(at ssa.Instruction) effect.Path {
	for _, c := range ir.Conditions(at.Block()) {
		op, ok := c.Value.(*ssa.BinOp)
		if !ok || !(op.Op == token.EQL && c.Holds || op.Op == token.NEQ && !c.Holds) {
			continue
		}
		if k, ok := op.Y.(*ssa.Const); !ok || !k.IsNil() {
			continue
		}
		path := f.in.paths.Export(f.in.paths.Of(op.X), f.fn)
		if _, ok := path.Param(); ok {
			return path
		}
	}
	return ""
}

// nowAndThen reports whether an instruction in a loop runs in some rounds
// only, as the rest of a division says.
func nowAndThen(at ssa.Instruction) bool {
	return slices.ContainsFunc(ir.Conditions(at.Block()), func(c ir.Condition) bool {
		op, ok := c.Value.(*ssa.BinOp)
		if !ok || !c.Holds || op.Op != token.EQL {
			return false
		}
		rest, ok := op.X.(*ssa.BinOp)
		return ok && rest.Op == token.REM
	})
}

// onlyAnswer reports whether a send gives the one answer that somebody waits for:
// the channel comes out of a map or a slice, all channels of that are made with
// room, and right after the send it is taken out, or the slice given up.
//
//	if ch := s.waiting[id]; ch != nil {
//		ch <- struct{}{}
//		delete(s.waiting, id)
//	}
func (f *function) onlyAnswer(x *ssa.Send) bool {
	switch ch := x.Chan.(type) {
	case *ssa.Lookup:
		path := f.in.paths.Of(ch.X)
		if path == "" || !f.in.roomy[f.in.fieldKey(path)+"[]"] {
			return false
		}
		for _, instr := range x.Block().Instrs {
			call, ok := instr.(*ssa.Call)
			if !ok {
				continue
			}
			if b, ok := call.Call.Value.(*ssa.Builtin); ok && b.Name() == "delete" && f.in.paths.Of(call.Call.Args[0]) == path {
				return true
			}
		}
	case *ssa.UnOp:
		elem, ok := ch.X.(*ssa.IndexAddr)
		if !ok {
			return false
		}
		path := f.in.paths.Of(elem.X)
		if path == "" || !f.in.roomy[f.in.fieldKey(path)+"[]"] {
			return false
		}
		// for _, ch := range s.waiting { ch <- x }; s.waiting = nil
		for _, b := range f.fn.Blocks {
			for _, instr := range b.Instrs {
				if s, ok := instr.(*ssa.Store); ok && f.in.paths.Of(s.Addr) == path {
					if c, isConst := s.Val.(*ssa.Const); isConst && c.IsNil() {
						return true
					}
				}
			}
		}
	}
	return false
}
