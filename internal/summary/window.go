package summary

import (
	"go/constant"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/ir"
	"github.com/concvet/concvet/internal/knowledge"
)

// Windowed reports whether a channel hands out no more items at a time than a
// limit that the package sets, before they are acknowledged.
func (r *Result) Windowed(ch ssa.Value) bool {
	in := r.in
	v := in.paths.Root(in.paths.Of(ch))
	call, ok := ir.MadeBy(v).(*ssa.Call)
	if !ok {
		return false
	}
	c, t := in.targetOf(call.Common())
	if t == nil || t.row == nil || t.row.Window == nil {
		return false
	}
	w := t.row.Window
	if e, ok := v.(*ssa.Extract); ok && e.Index != w.Result {
		return false
	}
	if w.Unless != knowledge.NoParam {
		x, ok := argument(c, t, w.Unless).(*ssa.Const)
		if ok && x.Value != nil && x.Value.Kind() == constant.Bool && constant.BoolVal(x.Value) {
			return false
		}
	}
	of := argument(c, t, w.Param)
	if of == nil {
		return false
	}
	path := in.paths.Of(of)
	key := in.fieldKey(path)
	for _, l := range in.limitCalls() {
		if l.none {
			continue
		}
		if _, lt := in.targetOf(l.call.Common()); lt != nil {
			if n, ok := in.sizeOf(l.call.Common(), lt); ok && n <= 0 {
				continue
			}
		}
		if l.path == path && ir.Outermost(l.fn) == ir.Outermost(call.Parent()) || key != "" && (l.key == key || in.keptIn(l.path, key)) {
			return true
		}
	}
	return false
}

// keptIn reports whether what is at a path is put into the field with a key.
func (in *inference) keptIn(path effect.Path, key string) bool {
	v := in.paths.Root(path)
	_, sel := path.Split()
	return v != nil && sel == "" && slices.Contains(in.storedIn(v, 0), key)
}
