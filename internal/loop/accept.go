package loop

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/ir"
	"github.com/concvet/concvet/internal/summary"
)

// accepts reports whether a call waits for a new connection.
func accepts(x *ssa.Call) bool {
	var name string
	var sig *types.Signature
	if x.Call.IsInvoke() {
		name, sig = x.Call.Method.Name(), x.Call.Signature()
	} else if f := x.Call.StaticCallee(); f != nil && f.Signature.Recv() != nil {
		name, sig = f.Name(), f.Signature
	}
	switch name {
	case "Accept", "AcceptTCP", "AcceptUnix", "AcceptConn":
	default:
		if f := x.Call.StaticCallee(); f == nil || !acceptsFor(f) {
			return false
		}
		sig = x.Call.Signature()
	}
	if sig.Results().Len() != 2 {
		return false
	}
	conn := sig.Results().At(0).Type()
	for _, method := range []string{"Close", "RemoteAddr"} {
		obj, _, _ := types.LookupFieldOrMethod(conn, true, nil, method)
		if _, ok := obj.(*types.Func); !ok {
			return false
		}
	}
	return true
}

// acceptsFor reports whether a function accepts a connection for its caller.
func acceptsFor(f *ssa.Function) bool {
	if f.Signature.Results().Len() != 2 {
		return false
	}
	for _, b := range f.Blocks {
		for _, instr := range b.Instrs {
			if call, ok := instr.(*ssa.Call); ok && call.Call.StaticCallee() != f && strings.HasPrefix(calledName(call), "Accept") && accepts(call) {
				return true
			}
		}
	}
	return false
}

// isAccept reports whether a function is the Accept of a listener: whoever serves
// it calls that in a loop.
func isAccept(fn *ssa.Function) bool {
	sig := fn.Signature
	if fn.Name() != "Accept" || sig.Recv() == nil || sig.Params().Len() != 0 || sig.Results().Len() != 2 {
		return false
	}
	return ir.IsNamed(sig.Results().At(0).Type(), "net", "Conn")
}

// acceptOf is the loop around the Accept of a listener that accepts from another
// one.
func acceptOf(res *summary.Result, fn *ssa.Function, loops Loops) []*Event {
	all := &Loop{Head: fn.Blocks[0], blocks: make(map[*ssa.BasicBlock]bool)}
	l := &Event{Fn: fn, Foreign: true, loop: all, loops: loops, own: make(map[ssa.Instruction]bool), received: make(map[ssa.Value]bool)}
	for _, b := range fn.Blocks {
		all.blocks[b] = true
		for _, instr := range b.Instrs {
			if call, ok := instr.(*ssa.Call); ok && accepts(call) {
				l.look(res, call)
			}
		}
	}
	if l.Accepted == nil {
		return nil
	}
	return []*Event{l}
}
