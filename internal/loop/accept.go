package loop

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
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
