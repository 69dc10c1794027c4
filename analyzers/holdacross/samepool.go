package holdacross

import (
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/ir"
)

// onePool reports whether two fields of one object are the same pool: whoever
// makes such an object puts the same one into both, and nobody changes that.
//
//	return &checkout{db: db, prices: &prices{db: db}}
func (c *checker) onePool(a, b effect.Path) bool {
	rootA, selA := a.Split()
	rootB, selB := b.Split()
	if a == "" || b == "" || rootA != rootB || selA == "" || selB == "" || strings.ContainsAny(selA+selB, "[") {
		return false
	}
	param, ok := c.res.Root(a).(*ssa.Parameter)
	if !ok {
		return false
	}
	typ := deref(param.Type())
	if _, ok := typ.Underlying().(*types.Struct); !ok {
		return false
	}
	ta, tb := c.res.TypeOf(a), c.res.TypeOf(b)
	if ta == nil || tb == nil || !types.Identical(ta, tb) {
		return false
	}
	found := false
	for _, fn := range c.res.Funcs() {
		if c.res.InTest(fn) {
			continue
		}
		for _, block := range fn.Blocks {
			for _, instr := range block.Instrs {
				x, ok := instr.(*ssa.Alloc)
				if !ok || !types.Identical(deref(x.Type()), typ) {
					continue
				}
				p, q := c.setTo(x, selA, 0), c.setTo(x, selB, 0)
				if p == "" && q == "" {
					continue // a variable
				}
				if p != q {
					return false
				}
				found = true
			}
		}
	}
	return found && !c.assigned(typ, selA, selB)
}

// assigned reports whether the package assigns to one of the fields that a
// selector of a struct leads through: it may be another one later.
func (c *checker) assigned(typ types.Type, sels ...string) bool {
	fields := make(map[types.Object]bool)
	for _, sel := range sels {
		t := typ
		for name := range strings.SplitSeq(strings.TrimPrefix(sel, "."), ".") {
			obj, _, _ := types.LookupFieldOrMethod(t, true, c.pass.Pkg, name)
			if obj == nil {
				return true
			}
			fields[obj], t = true, deref(obj.Type())
		}
	}
	found := false
	for _, file := range c.pass.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			if a, ok := n.(*ast.AssignStmt); ok {
				for _, l := range a.Lhs {
					sel, ok := ast.Unparen(l).(*ast.SelectorExpr)
					found = found || ok && fields[c.pass.TypesInfo.Uses[sel.Sel]]
				}
			}
			return !found
		})
	}
	return found
}

// setTo is the path of what a fresh object has at a selector, "" if that is not
// known.
func (c *checker) setTo(obj *ssa.Alloc, sel string, depth int) effect.Path {
	if obj.Referrers() == nil || depth > 3 {
		return ""
	}
	name, rest := strings.TrimPrefix(sel, "."), ""
	if i := strings.IndexByte(name, '.'); i >= 0 {
		name, rest = name[:i], name[i:]
	}
	var val ssa.Value
	for _, r := range *obj.Referrers() {
		fa, ok := r.(*ssa.FieldAddr)
		if !ok || fa.Referrers() == nil {
			continue
		}
		if f := ir.FieldVar(fa.X.Type(), fa.Field); f == nil || f.Name() != name {
			continue
		}
		for _, u := range *fa.Referrers() {
			if s, ok := u.(*ssa.Store); ok && s.Addr == ssa.Value(fa) {
				if val != nil {
					return ""
				}
				val = s.Val
			}
		}
	}
	if val == nil {
		return ""
	}
	if inner, ok := val.(*ssa.Alloc); ok && rest != "" {
		return c.setTo(inner, rest, depth+1)
	}
	return c.res.Import(effect.ParamPath(0)+effect.Path(rest), []ssa.Value{val}, false, obj.Parent())
}

func deref(t types.Type) types.Type {
	if p, ok := types.Unalias(t).Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	return types.Unalias(t)
}
