package summary

import (
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
)

// nameOf is what a person calls the value at a local path.
func (f *function) nameOf(path effect.Path) string {
	root, sel := path.Split()
	name := ""
	switch v := f.in.paths.Root(path).(type) {
	case nil:
		name = root[strings.LastIndexByte(root, '.')+1:]
	case *ssa.Parameter:
		name = v.Name()
	case *ssa.Alloc:
		name = v.Comment
		if n := f.in.scan.names[resultName{v.Pos(), 0}]; n != "" {
			name = n
		} else if name == "complit" || name == "new" {
			name = ""
		}
	case *ssa.FreeVar:
		name = v.Name()
	default:
		name = f.variableName(v)
	}
	if strings.ContainsAny(sel, "[") {
		sel = cleanIndex(sel)
	}
	if name == "" {
		return strings.TrimPrefix(sel, ".")
	}
	return name + sel
}

// variable is the path of the variable that v is put in, if it is one that
// lives across literals.
func (f *function) variable(v ssa.Value) effect.Path {
	for _, r := range *v.Referrers() {
		if s, ok := r.(*ssa.Store); ok && s.Val == v {
			if p := f.in.paths.Of(s.Addr); p != f.in.paths.Of(v) {
				return p
			}
		}
	}
	return ""
}

// cleanIndex leaves out what stands in brackets, unless it is a constant.
func cleanIndex(sel string) string {
	var out strings.Builder
	for len(sel) > 0 {
		i := strings.IndexByte(sel, '[')
		if i < 0 {
			out.WriteString(sel)
			break
		}
		j := strings.IndexByte(sel[i:], ']')
		if j < 0 {
			break
		}
		inner := sel[i+1 : i+j]
		out.WriteString(sel[:i])
		if strings.Contains(inner, ":") {
			out.WriteString("[…]")
		} else {
			out.WriteString("[" + inner + "]")
		}
		sel = sel[i+j+1:]
	}
	return out.String()
}

// variableName is the name of the variable that v is assigned to, if there is one.
func (f *function) variableName(v ssa.Value) string {
	if v == nil || v.Referrers() == nil {
		return ""
	}
	switch x := v.(type) {
	case *ssa.MakeChan:
		if name := f.in.scan.names[resultName{x.Pos(), 0}]; name != "" {
			return name
		}
	case *ssa.Call:
		if name := f.in.scan.names[resultName{x.Pos(), 0}]; name != "" {
			return name
		}
	case *ssa.Extract:
		if name := f.in.scan.names[resultName{x.Tuple.Pos(), x.Index}]; name != "" {
			return name
		}
	}
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if a, ok := r.Addr.(*ssa.Alloc); ok && r.Val == v && a.Comment != "" {
				return a.Comment
			}
		case *ssa.Phi:
			if r.Comment != "" {
				return r.Comment
			}
		}
	}
	return ""
}

func lastName(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// parameterName is the name of a parameter, "" if its author gave it none.
func parameterName(p *ssa.Parameter) string {
	obj := p.Object()
	if obj == nil || obj.Name() == "_" {
		return ""
	}
	return obj.Name()
}
