package loop

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// readFrom returns what a call reads the next message of a peer from, nil if
// that is not what it does, or if it reads a file or memory.
func readFrom(x *ssa.Call) ssa.Value {
	var name string
	var recv ssa.Value
	if x.Call.IsInvoke() {
		name, recv = x.Call.Method.Name(), x.Call.Value
	} else if f := x.Call.StaticCallee(); f != nil && f.Signature.Recv() != nil && len(x.Call.Args) > 0 {
		name, recv = f.Name(), x.Call.Args[0]
	}
	switch name {
	case "Read", "ReadString", "ReadBytes", "ReadSlice", "ReadLine", "ReadByte", "ReadMessage", "ReadFrom", "ReadJSON", "Scan", "Decode", "Recv":
	default:
		return nil
	}
	if !peers(recv, 0) {
		return nil
	}
	return recv
}

// peers reports whether what is read from may be a connection to a peer: it is
// one, or a reader with a buffer that nobody has seen to read anything else.
func peers(v ssa.Value, depth int) bool {
	if depth > 4 {
		return false
	}
	switch x := v.(type) {
	case *ssa.MakeInterface:
		return peers(x.X, depth+1)
	case *ssa.ChangeInterface:
		return peers(x.X, depth+1)
	case *ssa.Call:
		if f := x.Call.StaticCallee(); f != nil && f.Pkg != nil && len(x.Call.Args) > 0 {
			switch f.Pkg.Pkg.Path() {
			case "bufio", "encoding/json", "encoding/gob", "net/textproto":
				return peers(x.Call.Args[0], depth+1)
			}
		}
	}
	if obj, _, _ := types.LookupFieldOrMethod(v.Type(), true, nil, "RemoteAddr"); obj != nil {
		return true
	}
	t := types.Unalias(v.Type())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	named, ok := t.(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return false
	}
	switch named.Obj().Pkg().Path() {
	case "bufio", "encoding/json", "encoding/gob", "net/textproto":
		_, made := v.(*ssa.Call)
		return !made
	}
	return false
}
