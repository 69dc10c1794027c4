package summary

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// Buffered reports whether every channel of a type that the package makes has a
// buffer.
func (r *Result) Buffered(t types.Type) bool {
	ch, ok := types.Unalias(t).Underlying().(*types.Chan)
	if !ok {
		return false
	}
	found := false
	for _, mc := range r.in.makes {
		if made, ok := types.Unalias(mc.Type()).Underlying().(*types.Chan); ok && types.Identical(made.Elem(), ch.Elem()) {
			if constCapacity(mc) <= 0 {
				return false
			}
			found = true
		}
	}
	for _, room := range r.in.initialRoom(ch) {
		if room <= 0 {
			return false
		}
		found = true
	}
	return found
}

// initialRoom lists the capacities of the channels with certain elements that are
// made where a package variable is declared, which is in no function: 0 for one
// that is not constant.
func (in *inference) initialRoom(ch *types.Chan) []int64 {
	var out []int64
	for _, f := range in.pass.Files {
		for _, d := range f.Decls {
			decl, ok := d.(*ast.GenDecl)
			if !ok || decl.Tok != token.VAR {
				continue
			}
			for _, spec := range decl.Specs {
				for _, v := range spec.(*ast.ValueSpec).Values {
					call, ok := ast.Unparen(v).(*ast.CallExpr)
					if !ok || len(call.Args) == 0 {
						continue
					}
					made, ok := types.Unalias(in.pass.TypesInfo.TypeOf(call)).Underlying().(*types.Chan)
					if id, isName := ast.Unparen(call.Fun).(*ast.Ident); !ok || !isName || id.Name != "make" || !types.Identical(made.Elem(), ch.Elem()) {
						continue
					}
					room := int64(0)
					if len(call.Args) > 1 {
						if c := in.pass.TypesInfo.Types[call.Args[1]].Value; c != nil {
							room, _ = constant.Int64Val(constant.ToInt(c))
						}
					}
					out = append(out, room)
				}
			}
		}
	}
	return out
}
