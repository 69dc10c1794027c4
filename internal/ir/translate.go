package ir

import (
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
)

// Export turns a local path into one that the callers of fn understand. Roots
// of the functions around a literal stay as they are; every other local root
// makes the path unknown.
func (p *Paths) Export(path effect.Path, fn *ssa.Function) effect.Path {
	if path == "" || strings.HasPrefix(string(path), "g:") {
		return path
	}
	root := p.Root(path)
	if root == nil {
		return path
	}
	_, sel := path.Split()
	if param, ok := root.(*ssa.Parameter); ok && param.Parent() == fn {
		for i, q := range fn.Params {
			if q == param {
				if fn.Signature.Recv() != nil {
					i--
				}
				return effect.ParamPath(i) + effect.Path(sel)
			}
		}
	}
	for f := fn.Parent(); f != nil; f = f.Parent() {
		if root.Parent() == f {
			return path
		}
	}
	return ""
}

// Import translates a path of a callee's summary to a local path at a call
// with the given arguments (the receiver first when hasRecv). caller is the
// function that the call stands in.
func (p *Paths) Import(path effect.Path, args []ssa.Value, hasRecv bool, caller *ssa.Function) effect.Path {
	if path == "" || strings.HasPrefix(string(path), "g:") {
		return path
	}
	if i, ok := path.Param(); ok {
		if hasRecv {
			i++
		}
		if i < 0 || i >= len(args) {
			return ""
		}
		base := p.Of(args[i])
		_, sel := path.Split()
		if base == "" || len(base)+len(sel) > effect.MaxPath {
			return ""
		}
		return p.follow(base+effect.Path(sel), 0)
	}
	root := p.Root(path)
	if root == nil {
		return ""
	}
	for f := caller; f != nil; f = f.Parent() {
		if root.Parent() == f {
			return path
		}
	}
	return ""
}
