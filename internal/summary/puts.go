package summary

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/concvet/concvet/internal/effect"
)

// Puts is how often the package assigns to the struct field that a local path
// ends in, by a struct literal or an assignment, outside of tests. It is false
// for a field that others may assign to, too: one that another package sees, or
// whose address is taken.
//
// Functions that have no effects are not among Funcs, but they may well fill a
// field: this looks at the syntax, once, when somebody asks.
func (r *Result) Puts(path effect.Path) (n int, ok bool) {
	_, owner := r.in.typeOf(path)
	v := fieldNamed(owner, path.Last())
	if v == nil || v.Exported() || v.Pkg() != r.in.pass.Pkg {
		return 0, false
	}
	if r.puts == nil {
		r.puts = r.in.countPuts()
	}
	n = r.puts[v.Origin()]
	return n, n >= 0
}

// countPuts counts the assignments to every field that only this package sees;
// one whose address is taken counts as negative.
func (in *inference) countPuts() map[*types.Var]int {
	puts := make(map[*types.Var]int)
	info := in.pass.TypesInfo
	put := func(e ast.Expr, by int) {
		if sel, ok := ast.Unparen(e).(*ast.SelectorExpr); ok {
			if v, ok := info.Uses[sel.Sel].(*types.Var); ok && v.IsField() {
				puts[v.Origin()] += by
			}
		}
	}
	const taken = -1 << 30
	for _, file := range in.pass.Files {
		if isTestFile(in.pass.Fset, file.Pos()) {
			continue
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for i, lhs := range n.Lhs {
					if len(n.Lhs) == len(n.Rhs) && info.Types[n.Rhs[i]].IsNil() {
						continue
					}
					put(lhs, 1)
				}
			case *ast.RangeStmt:
				if n.Tok == token.ASSIGN {
					put(n.Key, 1)
					put(n.Value, 1)
				}
			case *ast.UnaryExpr:
				if n.Op == token.AND {
					put(n.X, taken)
				}
			case *ast.CompositeLit:
				in.literalPuts(n, puts)
			}
			return true
		})
	}
	return puts
}

func (in *inference) literalPuts(lit *ast.CompositeLit, puts map[*types.Var]int) {
	t := in.pass.TypesInfo.TypeOf(lit)
	if t == nil {
		return
	}
	if p, ok := types.Unalias(t).Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	st, ok := types.Unalias(t).Underlying().(*types.Struct)
	if !ok {
		return
	}
	for i, elt := range lit.Elts {
		var field *types.Var
		value := elt
		if kv, ok := elt.(*ast.KeyValueExpr); ok {
			value = kv.Value
			if id, ok := kv.Key.(*ast.Ident); ok {
				field, _ = in.pass.TypesInfo.Uses[id].(*types.Var)
			}
		} else if i < st.NumFields() {
			field = st.Field(i)
		}
		if field != nil && !in.pass.TypesInfo.Types[value].IsNil() {
			puts[field.Origin()]++
		}
	}
}
