package summary

import (
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/ir"
)

// loopTasks says for other packages which parameters are called by the loop that
// drains a channel: functions that are sent on it, and handlers that are kept in
// a field beside it. Inside the package the pools are found from the loops; what
// another package sees is the function that takes the parameter.
func (in *inference) loopTasks() {
	if in.dependency || !in.keepsTasks() {
		return
	}
	l := &loopRuns{in: in, called: make(map[*ssa.Function][]effect.Path), received: make(map[string]bool), kept: make(map[string][2]effect.Path)}
	l.collect()
	for _, fn := range in.funcs {
		sum := in.infos[fn].sum
		if sum == nil {
			continue
		}
		for _, t := range sum.Tasks {
			if path := l.pool(fn, t); path != "" {
				t.How, t.Pool = effect.OnLoop, path
				in.infos[fn].onLoop = append(in.infos[fn].onLoop, t)
			}
		}
	}
}

// keepsTasks reports whether any function sends a parameter or keeps it.
func (in *inference) keepsTasks() bool {
	for _, fn := range in.funcs {
		if obj := fn.Object(); obj == nil || !obj.Exported() || in.infos[fn].sum == nil {
			continue
		}
		for _, t := range in.infos[fn].sum.Tasks {
			if t.How == effect.OnChan || t.How == effect.Kept {
				return true
			}
		}
	}
	return false
}

// loopRuns is which functions the loops of the package call.
type loopRuns struct {
	in       *inference
	called   map[*ssa.Function][]effect.Path // functions that are called by their path
	received map[string]bool                 // fields with channels whose functions a loop calls
	kept     map[string][2]effect.Path       // field → its path and that of the channel
}

func (l *loopRuns) collect() {
	in := l.in
	for _, fn := range in.funcs {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				call, ok := instr.(*ssa.Call)
				if !ok {
					continue
				}
				if c := ir.CalleeOf(call.Common(), in.paths); c.Func == nil && c.Value != nil {
					l.called[fn] = append(l.called[fn], in.paths.Of(c.Value))
				}
			}
		}
	}
	for range 3 { // what callees call, in terms of their callers
		next := make(map[*ssa.Function][]effect.Path)
		for _, fn := range in.funcs {
			for _, b := range fn.Blocks {
				for _, instr := range b.Instrs {
					call, ok := instr.(*ssa.Call)
					if !ok {
						continue
					}
					c, t := in.targetOf(call.Common())
					if t == nil || t.body == nil {
						continue
					}
					for _, p := range l.called[t.body] {
						if q := in.paths.Import(in.paths.Export(p, t.body), c.Args, t.hasRecv(), fn); q != "" {
							next[fn] = append(next[fn], q)
						}
					}
				}
			}
		}
		for fn, list := range next {
			for _, p := range list {
				if !contains(l.called[fn], p) && len(l.called[fn]) < 64 {
					l.called[fn] = append(l.called[fn], p)
				}
			}
		}
	}
	foreign := make(map[string]bool) // channels that something else receives from
	for _, fn := range in.funcs {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				for _, ch := range received(instr) {
					l.loop(fn, instr, ch, foreign)
				}
			}
		}
	}
	for key := range foreign {
		delete(l.received, key)
	}
	for field, pair := range l.kept {
		if foreign[in.fieldKey(pair[1])] {
			delete(l.kept, field)
		}
	}
}

func contains(list []effect.Path, p effect.Path) bool {
	for _, q := range list {
		if p == q {
			return true
		}
	}
	return false
}

// received lists the channels that an instruction receives from.
func received(instr ssa.Instruction) []ssa.Value {
	switch x := instr.(type) {
	case *ssa.UnOp:
		if x.Op == token.ARROW {
			return []ssa.Value{x.X}
		}
	case *ssa.Select:
		var out []ssa.Value
		for _, st := range x.States {
			if st.Dir == types.RecvOnly {
				out = append(out, st.Chan)
			}
		}
		return out
	}
	return nil
}

// loop looks at one receive: is it that of a loop which calls functions?
func (l *loopRuns) loop(fn *ssa.Function, instr ssa.Instruction, ch ssa.Value, foreign map[string]bool) {
	in := l.in
	path := in.paths.Of(ch)
	key := in.fieldKey(path)
	if key == "" {
		return
	}
	f := &function{in: in, node: in.infos[fn], fn: fn}
	found := false
	if f.repeats(instr) {
		for _, p := range l.called[fn] {
			root, _ := p.Split()
			if from := ReceivedFrom(in.paths.Root(effect.Path(root))); from != nil && in.paths.Of(from) == path {
				l.received[key], found = true, true
				continue
			}
			if field := in.container(p); field != "" {
				l.kept[in.fieldKey(field)] = [2]effect.Path{field, path}
				found = true
			}
		}
	}
	if !found {
		foreign[key] = true
	}
}

// container is the path of the outermost struct field that leads to a value
// through elements.
func (in *inference) container(path effect.Path) effect.Path {
	s := string(path)
	for i := range len(s) {
		if s[i] == '[' && in.fieldKey(effect.Path(s[:i])) != "" {
			return effect.Path(s[:i])
		}
	}
	return ""
}

// pool is the channel whose loop runs a task that a function keeps or sends, as
// callers of the function know it; "" if none is known to.
func (l *loopRuns) pool(fn *ssa.Function, t effect.Task) effect.Path {
	i, ok := t.Pool.Param()
	if !ok || t.How != effect.OnChan && t.How != effect.Kept {
		return ""
	}
	if fn.Signature.Recv() != nil {
		i++
	}
	if i < 0 || i >= len(fn.Params) {
		return ""
	}
	_, sel := t.Pool.Split()
	local := l.in.paths.Of(fn.Params[i]) + effect.Path(sel)
	if t.How == effect.OnChan {
		if l.received[l.in.fieldKey(local)] {
			return t.Pool
		}
		return ""
	}
	if c := l.in.container(local); c != "" {
		local = c
	}
	pair, ok := l.kept[l.in.fieldKey(local)]
	if !ok {
		return ""
	}
	root, fieldSel := pair[0].Split()
	chanRoot, chanSel := pair[1].Split()
	_, sel = local.Split()
	owner, ok := strings.CutSuffix(sel, fieldSel)
	if root != chanRoot || !ok {
		return ""
	}
	return l.in.paths.Export(l.in.paths.Of(fn.Params[i])+effect.Path(owner+chanSel), fn)
}

// ReceivedFrom returns the channel that a value was received from, nil if it was
// not, or if that is not known.
func ReceivedFrom(v ssa.Value) ssa.Value {
	switch x := v.(type) {
	case *ssa.UnOp:
		if x.Op == token.ARROW {
			return x.X
		}
	case *ssa.Extract:
		switch t := x.Tuple.(type) {
		case *ssa.UnOp:
			if t.Op == token.ARROW {
				return t.X
			}
		case *ssa.Select:
			n := x.Index - 2
			for _, st := range t.States {
				if st.Dir == types.SendOnly {
					continue
				}
				if n == 0 {
					return st.Chan
				}
				n--
			}
		}
	case *ssa.Alloc: // a struct, whose fields are used
		if x.Referrers() == nil {
			return nil
		}
		for _, r := range *x.Referrers() {
			if s, ok := r.(*ssa.Store); ok && s.Addr == ssa.Value(x) {
				if ch := ReceivedFrom(s.Val); ch != nil {
					return ch
				}
			}
		}
	}
	return nil
}
