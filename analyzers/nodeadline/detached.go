package nodeadline

import (
	"go/token"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/ir"
)

// detached reports whether a context was taken off its parent for a reason that a
// deadline would spoil: what is given up has to be put in order whatever happens,
// and a generated client has interceptors, one of which may set a deadline.
func (c *checker) detached(v *verdict) bool {
	frames := v.effect.Frames
	if len(frames) > 1 && cleansUp(frames[0].Call[strings.LastIndexByte(frames[0].Call, '.')+1:]) {
		return true
	}
	if !c.withoutCancel(v) {
		return false
	}
	if cleansUp(ir.Outermost(v.fn).Name()) {
		return true
	}
	api := v.effect.API
	return v.effect.Kind == effect.Net && strings.HasPrefix(api, "(") && !strings.HasPrefix(api, "(*") && strings.Contains(api, "Client).")
}

// cleansUp reports whether a function puts in order what is given up, by its name.
func cleansUp(name string) bool {
	return begins(name, "close", "cleanup", "cleanUp", "stop", "rollback", "release", "unlock", "teardown", "dispose")
}

// withoutCancel reports whether the context that never ends is one that was taken
// off its parent.
func (c *checker) withoutCancel(v *verdict) bool {
	if v.ends.Pos == token.NoPos {
		return false
	}
	for fn := v.fn; fn != nil; fn = fn.Parent() {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				call, ok := instr.(*ssa.Call)
				if !ok || call.Pos() != v.ends.Pos {
					continue
				}
				callee := call.Call.StaticCallee()
				return callee != nil && callee.String() == "context.WithoutCancel"
			}
		}
	}
	return false
}
