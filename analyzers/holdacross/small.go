package holdacross

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/ir"
	"github.com/concvet/concvet/internal/summary"
)

// resolves reports whether an operation takes an address apart that is nearly
// always one already: that of a listener, of a setting.
func resolves(api string) bool { return strings.HasPrefix(api, "net.Resolve") }

// fitsBuffer reports whether an answer to a request is so small that it stays in
// the buffer of the server, which writes it when the handler has returned: what
// the call is given is of a fixed size.
//
//	jsonError(w, http.StatusBadRequest, "invalid id")
func (c *checker) fitsBuffer(at ssa.Instruction, e summary.SiteEffect) bool {
	call, ok := at.(ssa.CallInstruction)
	if !ok || e.On == "" || !ir.IsNamed(c.res.TypeOf(e.On), "net/http", "ResponseWriter") {
		return false
	}
	for _, a := range call.Common().Args {
		if !fixedSize(a) {
			return false
		}
	}
	return true
}

// fixedSize reports whether a value is a constant, of a type of a fixed size, or
// nothing that is written: a logger, a request, a context.
func fixedSize(v ssa.Value) bool {
	switch x := v.(type) {
	case *ssa.Const:
		return true
	case *ssa.Convert: // []byte("ok")
		return fixedSize(x.X)
	case *ssa.MakeInterface:
		return fixedType(x.X.Type(), 0)
	}
	switch t := types.Unalias(v.Type()).Underlying().(type) {
	case *types.Pointer:
		return true
	case *types.Interface:
		return t.NumMethods() > 0
	}
	return fixedType(v.Type(), 0)
}

// maxNesting is how deep the fields of a small type are nested.
const maxNesting = 4

func fixedType(t types.Type, depth int) bool {
	if depth > maxNesting {
		return false
	}
	if named, ok := types.Unalias(t).(*types.Named); ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "time" {
		return true
	}
	switch u := types.Unalias(t).Underlying().(type) {
	case *types.Basic:
		return u.Info()&types.IsString == 0
	case *types.Pointer:
		return fixedType(u.Elem(), depth+1)
	case *types.Array:
		return u.Len() < 64 && fixedType(u.Elem(), depth+1)
	case *types.Struct:
		for f := range u.Fields() {
			if !fixedType(f.Type(), depth+1) {
				return false
			}
		}
		return true
	}
	return false
}
