package summary

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/ir"
)

// An outerCall says that a literal calls a parameter of a function around it:
//
//	func (s *Store) withTx(f func(*sql.Tx) error) error {
//		return s.retry(func() error { return s.once(f) })
//	}
//
// The function around it calls its parameter, then, wherever it runs the literal.
type outerCall struct {
	param  *ssa.Parameter
	args   []int // by argument of the call: the parameter of the literal that it is, -1 if none
	held   []outerHeld
	free   []effect.Path
	frames []effect.Frame
}

// outerHeld is what a literal holds while it calls the parameter.
type outerHeld struct {
	effect.Held
	own int // parameter of the literal that carries it, -1 if none
}

// outerSite is a call of an outer parameter whose region is not known yet.
type outerSite struct {
	instr ssa.CallInstruction
	param *ssa.Parameter
	held  []effect.Held // by the callee that the parameter is handed to
	args  []ssa.Value   // of the parameter's call, if it is called here
}

// outerParam returns the parameter of a function around this one that v is.
func (f *function) outerParam(v ssa.Value) *ssa.Parameter {
	path := f.in.paths.Of(v)
	if _, sel := path.Split(); sel != "" {
		return nil
	}
	p, _ := f.in.paths.Root(path).(*ssa.Parameter)
	if p == nil || p.Parent() == f.fn {
		return nil
	}
	return p
}

// finishOuter fills in what is held at the calls of outer parameters.
func (f *function) finishOuter(heldAt func(ssa.Instruction) []outerHeld, freeAt func(ssa.Instruction) []effect.Path) {
	for _, s := range f.outer {
		oc := outerCall{param: s.param, free: freeAt(s.instr), frames: []effect.Frame{{Pos: f.in.pos(position(s.instr)), Call: "parameter " + s.param.Name()}}}
		for _, a := range s.args {
			own := -1
			if p, ok := a.(*ssa.Parameter); ok {
				own = slices.Index(f.fn.Params, p)
			}
			oc.args = append(oc.args, own)
		}
		for _, h := range s.held {
			oc.held = append(oc.held, outerHeld{h, -1})
		}
		for _, h := range heldAt(s.instr) {
			if h.own >= 0 {
				h.Arg = slices.Index(oc.args, h.own)
			}
			oc.held = append(oc.held, h)
		}
		f.node.outer = append(f.node.outer, oc)
	}
}

// adopt takes over the outer calls of a literal that instr runs. The callee that
// runs it, if it is handed to one, holds what pc says.
func (f *function) adopt(instr ssa.CallInstruction, lit *ssa.Function, c ir.Callee, pc *effect.ParamCall, hasRecv bool) {
	node := f.in.infos[lit]
	if node == nil {
		return
	}
	for _, oc := range node.outer {
		var held []effect.Held
		for _, h := range oc.held {
			if pc != nil && h.own >= 0 {
				for _, ph := range pc.Held {
					if ph.Arg == h.own {
						h.Path = f.in.paths.Import(ph.Path, c.Args, hasRecv, f.fn)
					}
				}
			}
			held = append(held, h.Held)
		}
		free := slices.Clone(oc.free)
		if pc != nil {
			for _, ph := range pc.Held {
				if ph.Arg >= 0 {
					if slices.ContainsFunc(oc.held, func(h outerHeld) bool { return h.own == ph.Arg }) {
						continue // above
					}
					// Only the callee knows that its argument holds something.
					ph.Arg = slices.Index(oc.args, ph.Arg)
				}
				ph.Path = f.in.paths.Import(ph.Path, c.Args, hasRecv, f.fn)
				held = append(held, ph)
			}
			for _, p := range pc.Free {
				free = append(free, f.in.paths.Import(p, c.Args, hasRecv, f.fn))
			}
		}
		if oc.param.Parent() != f.fn {
			next := outerCall{param: oc.param, free: free, frames: oc.frames}
			for _, h := range held {
				next.held = append(next.held, outerHeld{h, -1})
			}
			f.node.outer = append(f.node.outer, next)
			continue
		}
		i := slices.Index(f.fn.Params, oc.param)
		if f.fn.Signature.Recv() != nil {
			i--
		}
		for k := range held {
			held[k].Path = f.in.paths.Export(held[k].Path, f.fn)
		}
		held = slices.DeleteFunc(held, func(h effect.Held) bool { return h.Path == "" && !h.Class.Pinned() })
		f.calls = append(f.calls, effect.ParamCall{Param: i, Held: held, Free: f.exportList(free), Frames: oc.frames})
		f.callers = append(f.callers, instr)
	}
}
