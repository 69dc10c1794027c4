package summary

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
)

// Source says how the load arrives by a call, if it hands out connections or
// messages: itself, or by way of a function that returns what it was handed.
func (r *Result) Source(call ssa.CallInstruction) effect.Source {
	_, t := r.in.targetOf(call.Common())
	if t == nil || t.sum == nil {
		return effect.NoSource
	}
	if t.row != nil {
		return t.row.Source
	}
	if t.sig == nil || !handsOut(t.sig) {
		return effect.NoSource
	}
	for _, e := range t.sum.Effects {
		if len(e.Frames) > maxSourceFrames || e.API == "" {
			continue
		}
		if row := table().Row(e.API); row != nil && row.Source != effect.NoSource {
			return row.Source
		}
	}
	return effect.NoSource
}

// maxSourceFrames is how far away the call may be that hands out a message: a
// longer way is rather a function that serves a connection of its own.
const maxSourceFrames = 2

// handsOut reports whether a function returns more than whether it worked.
func handsOut(sig *types.Signature) bool {
	for v := range sig.Results().Variables() {
		if b, ok := types.Unalias(v.Type()).Underlying().(*types.Basic); ok && b.Kind() == types.Bool || isError(v.Type()) {
			continue
		}
		return true
	}
	return false
}
