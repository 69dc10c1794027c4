package summary

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/ir"
	"github.com/concvet/concvet/internal/knowledge"
)

// tasks says which func-typed parameters become tasks of a pool, are sent on a
// channel, or are kept in a field, and which pools get a limit.
func (f *function) tasks(sum *effect.Summary) {
	for _, b := range f.fn.Blocks {
		for _, instr := range b.Instrs {
			switch x := instr.(type) {
			case ssa.CallInstruction:
				f.callTasks(sum, x)
			case *ssa.MakeClosure:
				f.wrapperTasks(sum, x)
			}
		}
	}
	for _, p := range f.fn.Params {
		if !isFunc(p.Type()) {
			continue
		}
		i, ok := f.in.paths.Export(f.in.paths.Of(p), f.fn).Param()
		if !ok {
			continue
		}
		for _, s := range ir.Sinks(p) {
			f.sinkTask(sum, i, s)
		}
	}
	for path := range f.limited {
		if out := f.in.paths.Export(path, f.fn); out != "" {
			sum.Limits = append(sum.Limits, out)
		}
		sum.Limits = append(sum.Limits, f.resultsAt(path)...)
	}
}

// callTasks adds the parameters that a callee makes a task of.
func (f *function) callTasks(sum *effect.Summary, call ssa.CallInstruction) {
	c, t := f.targetOf(call.Common())
	if t == nil || t.sum == nil {
		return
	}
	hasRecv := t.hasRecv()
	if t.row != nil && t.row.Apart != nil {
		f.in.setsApart(c, t)
	}
	for _, task := range t.sum.Tasks {
		i := task.Param
		if hasRecv {
			i++
		}
		if i < 0 || i >= len(c.Args) {
			continue
		}
		if task.How == effect.Callback {
			f.in.callbacks = append(f.in.callbacks, handed{c.Args[i], string(task.Pool)})
			for _, j := range f.params(c.Args[i]) {
				sum.Tasks = append(sum.Tasks, effect.Task{Param: j, Pool: task.Pool, How: effect.Callback})
			}
			continue
		}
		pool := f.in.paths.Export(f.in.paths.Import(task.Pool, c.Args, hasRecv, f.fn), f.fn)
		if pool == "" {
			continue
		}
		blocks := task.Blocks
		if blocks == effect.IfLimited && f.limited[f.in.paths.Import(task.Pool, c.Args, hasRecv, f.fn)] {
			blocks = effect.Always
		}
		if _, isGo := call.(*ssa.Go); isGo {
			blocks = effect.Never
		}
		for _, j := range f.params(c.Args[i]) {
			sum.Tasks = append(sum.Tasks, effect.Task{Param: j, Pool: pool, How: task.How, Blocks: blocks})
		}
	}
}

// wrapperTasks adds the parameters that a literal calls which is sent or stored.
func (f *function) wrapperTasks(sum *effect.Summary, x *ssa.MakeClosure) {
	params := f.params(x)
	if len(params) == 0 {
		return
	}
	for _, s := range ir.Sinks(x) {
		for _, i := range params {
			f.sinkTask(sum, i, s)
		}
	}
}

// params lists the parameters of this function that a func-typed value is, or
// that the literal which it is calls.
func (f *function) params(v ssa.Value) []int {
	if i, ok := f.in.paths.Export(f.in.paths.Of(v), f.fn).Param(); ok && isFunc(v.Type()) {
		if _, sel := f.in.paths.Of(v).Split(); sel == "" {
			return []int{i}
		}
	}
	g := ir.FuncOf(v, f.in.paths)
	node := f.in.infos[g.Body]
	if g.Body == nil || g.Func != nil || node == nil {
		return nil
	}
	var out []int
	for _, oc := range node.outer {
		if oc.param.Parent() != f.fn {
			continue
		}
		i := slices.Index(f.fn.Params, oc.param)
		if f.fn.Signature.Recv() != nil {
			i--
		}
		out = append(out, i)
	}
	return out
}

// sinkTask adds a parameter that is sent or stored.
func (f *function) sinkTask(sum *effect.Summary, i int, s ir.Sink) {
	task := effect.Task{Param: i}
	if s.Chan != nil {
		task.How = effect.OnChan
		task.Pool = f.in.paths.Of(s.Chan)
		if s.Waits {
			task.Blocks = effect.Always
		}
	} else {
		if fa, ok := s.Field.(*ssa.FieldAddr); ok {
			if row := loopField(fa); row != nil {
				sum.Tasks = append(sum.Tasks, effect.Task{Param: i, Pool: effect.Path(row.ID()), How: effect.Callback})
				return
			}
		}
		task.How = effect.Kept
		task.Pool = f.in.paths.Of(s.Field)
	}
	if task.Pool = f.in.paths.Export(task.Pool, f.fn); task.Pool != "" {
		sum.Tasks = append(sum.Tasks, task)
	}
}

// resultsAt lists the results, or fields of a result that is made here, which
// the value at path is.
func (f *function) resultsAt(path effect.Path) []effect.Path {
	var out []effect.Path
	for _, b := range f.fn.Blocks {
		if len(b.Instrs) == 0 {
			continue
		}
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok {
			continue
		}
		for i, r := range ret.Results {
			p := f.in.paths.Of(r)
			if p == "" {
				continue
			}
			if p == path {
				out = append(out, effect.ResultPath(i))
			} else if rest, ok := beneath(path, p); ok {
				out = append(out, effect.ResultPath(i)+effect.Path(rest))
			}
		}
	}
	return out
}

// beneath reports whether path leads through owner, and by which fields.
func beneath(path, owner effect.Path) (rest string, ok bool) {
	if len(path) > len(owner) && path[:len(owner)] == owner && (path[len(owner)] == '.' || path[len(owner)] == '[') {
		return string(path[len(owner):]), true
	}
	return "", false
}

// rowTasks is what a row says of tasks.
func rowTasks(row *knowledge.Row, s *effect.Summary) {
	blocks := effect.Never
	for _, e := range row.Effects {
		if e.Kind == effect.Submit {
			blocks = effect.Always
			if e.Limited {
				blocks = effect.IfLimited
			}
		}
	}
	for _, t := range row.Tasks {
		out := effect.Task{Param: t.Param, Blocks: blocks}
		if t.Result >= 0 {
			out.Pool = effect.ResultPath(t.Result)
		} else {
			out.Pool = effect.ParamPath(t.Pool)
		}
		s.Tasks = append(s.Tasks, out)
	}
	if row.Loop != nil && row.Loop.Param >= 0 {
		s.Tasks = append(s.Tasks, effect.Task{Param: row.Loop.Param, Pool: effect.Path(row.ID()), How: effect.Callback})
	}
	for _, p := range row.Limits {
		s.Limits = append(s.Limits, effect.ParamPath(p))
	}
}

// given is a path of a callee's summary at a call, also if it is rooted in a
// result.
func (in *inference) given(call ssa.Value, p effect.Path, c ir.Callee, hasRecv bool, fn *ssa.Function) effect.Path {
	i, ok := p.Result()
	if !ok {
		return in.paths.Import(p, c.Args, hasRecv, fn)
	}
	x, isCall := call.(*ssa.Call)
	if !isCall {
		return ""
	}
	v := resultValue(x, i)
	if v == nil {
		return ""
	}
	_, sel := p.Split()
	return in.paths.Of(v) + effect.Path(sel)
}

// unlimits reports whether the limit that a call gives is none: a negative
// constant.
func (f *function) unlimits(call *ssa.Call, t *target) bool {
	n, ok := f.in.sizeOf(call.Common(), t)
	return ok && n < 0
}

// sizeOf is the constant number of tasks that a call lets run at once.
func (in *inference) sizeOf(common *ssa.CallCommon, t *target) (int64, bool) {
	if t == nil || t.row == nil || t.row.Size == knowledge.NoParam {
		return 0, false
	}
	i := t.row.Size
	if t.hasRecv() && !common.IsInvoke() {
		i++
	}
	if i < 0 || i >= len(common.Args) {
		return 0, false
	}
	c, ok := common.Args[i].(*ssa.Const)
	if !ok || c.Value == nil {
		return 0, false
	}
	return c.Int64(), true
}

func isFunc(t types.Type) bool {
	_, ok := types.Unalias(t).Underlying().(*types.Signature)
	return ok
}
