package summary

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/ir"
	"github.com/concvet/concvet/internal/knowledge"
	"github.com/concvet/concvet/internal/region"
)

// A Call is a call, or a func-typed value, with what is known of the callee.
type Call struct {
	Name    string
	Body    *ssa.Function // of this package, nil for any other
	Lit     bool
	Args    []ssa.Value // the receiver first, if HasRecv
	HasRecv bool
	Sum     *effect.Summary
	Row     bool           // a table answers
	Value   ssa.Value      // the value that is called, if nothing else is known
	Method  *types.Func    // the interface method that is called
	Signals []effect.Path  // what the call ends waits on
	Size    int64          // how many tasks it lets run at once
	Sized   bool           // Size is a constant
	Pkg     *types.Package // of the callee

	target *target
	callee ir.Callee
}

// Call resolves the callee of a call.
func (r *Result) Call(common *ssa.CallCommon) *Call {
	c, t := r.in.targetOf(common)
	out := r.call(c, t)
	if common.IsInvoke() {
		out.Method = common.Method
	}
	out.Size, out.Sized = r.in.sizeOf(common, t)
	return out
}

// Func resolves a func-typed value.
func (r *Result) Func(v ssa.Value) *Call {
	c := ir.FuncOf(v, r.in.paths)
	return r.call(c, r.in.target(c))
}

// Method resolves a method of the type of a value that is converted to an
// interface; nil if it is not of this package.
func (r *Result) Method(recv ssa.Value, name string) *Call {
	obj, _, _ := types.LookupFieldOrMethod(recv.Type(), true, r.in.pass.Pkg, name)
	fn, ok := obj.(*types.Func)
	if !ok || fn.Pkg() != r.in.pass.Pkg {
		return nil
	}
	body := r.in.pkg.SSA.Prog.FuncValue(fn.Origin())
	if body == nil || len(body.Blocks) == 0 {
		return nil
	}
	c := ir.Callee{Func: fn.Origin(), Body: body, Args: []ssa.Value{recv}}
	return r.call(c, r.in.target(c))
}

func (r *Result) call(c ir.Callee, t *target) *Call {
	out := &Call{Body: c.Body, Args: c.Args, Value: c.Value, target: t, callee: c}
	if c.Func != nil {
		out.Name, out.Pkg = r.in.shortName(c.Func), c.Func.Pkg()
	}
	if t == nil {
		if c.Func != nil {
			if sig, ok := c.Func.Type().(*types.Signature); ok {
				out.HasRecv = sig.Recv() != nil
			}
		}
		return out
	}
	out.Name, out.Sum, out.Lit, out.HasRecv, out.Row = t.name, t.sum, t.lit, t.hasRecv(), t.row != nil
	if t.body != nil {
		out.Body = t.body
	}
	if t.row != nil {
		out.Body = nil
		for _, p := range t.row.Signals {
			out.Signals = append(out.Signals, effect.ParamPath(p))
		}
	}
	return out
}

// NoWait reports whether a call makes an option under which a pool refuses
// tasks instead of waiting.
func (c *Call) NoWait() bool { return c.target != nil && c.target.row != nil && c.target.row.NoWait }

// Makes reports whether a call makes a pool, which its row tells by a size.
func (c *Call) Makes() bool {
	return c.target != nil && c.target.row != nil && c.target.row.Size >= 0 && len(c.target.row.Limits) == 0
}

// Local translates a path of the callee's summary to the caller, fn.
func (r *Result) Local(call ssa.Value, c *Call, p effect.Path, fn *ssa.Function) effect.Path {
	return r.in.given(call, p, c.callee, c.HasRecv, fn)
}

// Frames is the witness of an effect of a call that stands at instr.
func (r *Result) Frames(instr ssa.Instruction, c *Call, frames []effect.Frame) []effect.Frame {
	if c.target == nil {
		return nil
	}
	if c.Row && len(frames) == 0 {
		return []effect.Frame{{Pos: r.in.pos(position(instr)), Call: c.Name}}
	}
	f := &function{in: r.in}
	return f.through(instr, c.target, frames)
}

// Place is where an instruction stands, as a witness says it.
func (r *Result) Place(instr ssa.Instruction) string { return r.in.pos(position(instr)) }

// Export turns a local path into one that the callers of fn understand.
func (r *Result) Export(path effect.Path, fn *ssa.Function) effect.Path {
	return r.in.paths.Export(path, fn)
}

// Import turns a path of a callee into a local one of the caller.
func (r *Result) Import(path effect.Path, args []ssa.Value, hasRecv bool, caller *ssa.Function) effect.Path {
	return r.in.paths.Import(path, args, hasRecv, caller)
}

// Limited reports whether the pool or group at a local path, or the one in the
// field that it is in, is given a limit somewhere in the package.
func (r *Result) Limited(path effect.Path) bool {
	if r.limits == nil {
		r.limits = make(map[effect.Path]bool)
		for _, fn := range r.in.funcs {
			for p := range r.in.infos[fn].limited {
				r.limits[p] = true
				if key := r.in.fieldKey(p); key != "" {
					r.limits[effect.Path(key)] = true
				}
			}
		}
	}
	if r.limits[path] {
		return true
	}
	key := r.in.fieldKey(path)
	return key != "" && r.limits[effect.Path(key)]
}

// InLoop reports whether an instruction stands in a loop of its function.
func (r *Result) InLoop(instr ssa.Instruction) bool {
	fn := instr.Parent()
	node := r.in.infos[fn]
	if node == nil {
		return false
	}
	f := &function{in: r.in, node: node, fn: fn}
	return f.repeats(instr)
}

// Stock reports whether a channel in a struct field is filled by its
// constructor, so that a receive takes a slot and a send gives it back.
func (r *Result) Stock(field string) bool { return r.in.slots[field] == receiveTakes }

// Slots reports whether a channel in a struct field is a semaphore.
func (r *Result) Slots(field string) bool { return r.in.slots[field] != noSlot }

// RegionFrom is what is held in fn if the things of entry are held when it
// starts.
func (r *Result) RegionFrom(fn *ssa.Function, entry []*region.Thing) *region.Region {
	node := r.in.infos[fn]
	if node == nil {
		return nil
	}
	f := &function{in: r.in, node: node, fn: fn}
	return f.region(entry)
}

// Events says what an instruction acquires and gives back.
func (r *Result) Events(instr ssa.Instruction) []region.Event {
	node := r.in.infos[instr.Parent()]
	if node == nil {
		return nil
	}
	return node.events[instr]
}

// Name is what a person calls the value at a local path.
func (r *Result) Name(path effect.Path) string {
	f := &function{in: r.in}
	return f.nameOf(path)
}

// LimitedSubmit reports whether the callee waits only where its pool was given a
// limit.
func (c *Call) LimitedSubmit() bool {
	if c.target == nil || c.target.row == nil {
		return false
	}
	for _, e := range c.target.row.Effects {
		if e.Kind == effect.Submit {
			return e.Limited
		}
	}
	return false
}

// VariableName is the name of the variable that a value is assigned to.
func (r *Result) VariableName(v ssa.Value) string {
	f := &function{in: r.in}
	if load, ok := v.(*ssa.UnOp); ok {
		if a, ok := load.X.(*ssa.Alloc); ok {
			return a.Comment
		}
	}
	return f.variableName(v)
}

// Timed reports whether what an effect waits for is given up after a time that
// one of the arguments of its operation says.
func (r *Result) Timed(e effect.Effect) bool {
	row := table().Row(e.API)
	return row != nil && slices.ContainsFunc(row.Effects, func(re knowledge.Effect) bool { return re.Kind == e.Kind && re.Dur != knowledge.NoParam })
}

// Timed reports whether a wait of the callee lasts no longer than one of its
// arguments says.
func (c *Call) Timed(kind effect.Kind) bool {
	if c.target == nil || c.target.row == nil {
		return false
	}
	for _, e := range c.target.row.Effects {
		if e.Kind == kind && e.Dur != knowledge.NoParam {
			return true
		}
	}
	return false
}
