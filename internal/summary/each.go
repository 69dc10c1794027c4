package summary

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/ir"
	"github.com/concvet/concvet/internal/region"
)

// perElement is the parameter, counted from 1, over whose elements the loop goes
// in which an instruction starts goroutines without a bound, 0 if there is none.
// That they are waited for does not make them fewer.
func (f *function) perElement(at ssa.CallInstruction, r *region.Region) (list int, group bool) {
	if f.in.dependency {
		return 0, false
	}
	p := f.overElements(at)
	if p == nil {
		return 0, false
	}
	for _, s := range f.node.sites {
		if s.Instr != ssa.Instruction(at) {
			continue
		}
		for _, e := range s.Effects {
			if e.Kind != effect.Spawn || e.Bound.Kind != effect.Unbounded || e.On != "" && f.limited[e.On] {
				continue
			}
			if slices.ContainsFunc(r.Held(at), func(t *region.Thing) bool { return t.Class == effect.Slot }) {
				continue
			}
			i := slices.Index(f.fn.Params, p)
			if f.fn.Signature.Recv() == nil {
				i++
			}
			row := table().Row(e.API)
			return i, row != nil && row.Grows == "group"
		}
	}
	return 0, false
}

// overElements is the slice parameter over whose elements the loop around an
// instruction goes.
func (f *function) overElements(at ssa.Instruction) *ssa.Parameter {
	if !f.repeats(at) {
		return nil
	}
	for b := at.Block(); b != nil; b = b.Idom() {
		if len(b.Instrs) == 0 || !f.node.cycles[b] {
			continue
		}
		branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok {
			continue
		}
		compare, ok := branch.Cond.(*ssa.BinOp)
		if !ok || compare.Op != token.LSS {
			continue
		}
		length, ok := compare.Y.(*ssa.Call)
		if !ok || len(length.Call.Args) != 1 {
			continue
		}
		if built, ok := length.Call.Value.(*ssa.Builtin); !ok || built.Name() != "len" {
			continue
		}
		p, ok := length.Call.Args[0].(*ssa.Parameter)
		if !ok || p.Parent() != f.fn {
			return nil
		}
		if _, ok := types.Unalias(p.Type()).Underlying().(*types.Slice); !ok {
			return nil
		}
		return p
	}
	return nil
}

// An Each is a call that hands a list and a function to one of another package,
// which starts the function in a goroutine for every element.
type Each struct {
	List   ssa.Value
	Does   effect.Work
	Group  bool // they belong to a group that could have a limit
	Frames []effect.Frame
}

// EachOf says what a call starts for every element of a list that it hands over,
// nil if that is not known.
func (r *Result) EachOf(call ssa.CallInstruction) *Each {
	c, t := r.in.targetOf(call.Common())
	if t == nil || t.sum == nil || c.Body != nil || t.row != nil {
		return nil
	}
	recv := 0
	if t.hasRecv() {
		recv = 1
	}
	for _, pc := range t.sum.Calls {
		list, i := pc.List-1+recv, pc.Param+recv
		if pc.List == 0 || list >= len(c.Args) || i < 0 || i >= len(c.Args) {
			continue
		}
		f := &function{in: r.in, node: r.in.infos[call.Parent()], fn: call.Parent()}
		g := ir.FuncOf(c.Args[i], r.in.paths)
		return &Each{List: c.Args[list], Does: f.work(call, g, r.in.target(g)), Group: pc.Group, Frames: f.through(call, t, pc.Frames)}
	}
	return nil
}
