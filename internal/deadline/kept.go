package deadline

import (
	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
)

// kept is when a session of a database ends that a field or variable of the package
// holds: never, unless the package stores one there that was given a context, or
// one of which it is not known. A constructor that is given one is given the pool.
func (p *Package) kept(key any, depth int) Value {
	for _, s := range p.indexed().values[key] {
		if s.test {
			continue
		}
		switch v := p.of(s.value, depth); {
		case v.none || v.End == effect.EndNever:
		case v.End == effect.EndCaller && p.givenSession(s.fn, v.Param):
		default:
			return Value{}
		}
	}
	return Value{End: effect.EndNever}
}

// givenSession reports whether a parameter of a function, the receiver being -1, is
// a session itself, and not the context of one.
func (p *Package) givenSession(fn *ssa.Function, param int) bool {
	if fn == nil {
		return false
	}
	if fn.Signature.Recv() != nil {
		param++
	}
	return param >= 0 && param < len(fn.Params) && p.know.Kept(fn.Params[param].Type())
}
