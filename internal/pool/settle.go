package pool

import (
	"go/token"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/ir"
)

// fields is what the package shows of its struct fields.
type fields struct {
	// moved are those that something else than the function which makes the
	// struct stores to; puts is how many stores were seen.
	moved map[string]bool
	puts  map[string]int

	// twin is another field of the same struct that holds the same value in
	// every struct of the package.
	twin map[string]string

	// limited are those that nothing is put into but what has a limit.
	limited map[string]bool
}

// collectFields looks at every store to a field.
func (m *Model) collectFields() *fields {
	if m.fields != nil {
		return m.fields
	}
	f := &fields{moved: make(map[string]bool), puts: make(map[string]int), twin: make(map[string]string), limited: make(map[string]bool)}
	m.fields = f
	paths := make(map[string]effect.Path)
	values := make(map[string]map[*ssa.Alloc]effect.Path) // of the channels
	for _, fn := range m.res.Funcs() {
		if m.res.InTest(fn) {
			continue
		}
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				s, ok := instr.(*ssa.Store)
				if !ok {
					continue
				}
				addr, ok := s.Addr.(*ssa.FieldAddr)
				if !ok {
					continue
				}
				path := m.res.Path(addr)
				key := m.res.Field(path)
				if key == "" {
					continue
				}
				if c, ok := s.Val.(*ssa.Const); !ok || !c.IsNil() {
					f.puts[key]++
					paths[key] = path
					before, seen := f.limited[key]
					f.limited[key] = (before || !seen) && m.res.Limited(m.res.Path(s.Val))
				}
				owner := effect.Path(owner(path))
				made, ok := m.res.Root(owner).(*ssa.Alloc)
				if _, sel := owner.Split(); !ok || sel != "" || !within(fn, made.Parent()) {
					f.moved[key] = true
					continue
				}
				if !isChan(s.Val.Type()) {
					continue
				}
				if values[key] == nil {
					values[key] = make(map[*ssa.Alloc]effect.Path)
				}
				if _, again := values[key][made]; again {
					f.moved[key] = true
				}
				values[key][made] = m.res.Path(s.Val)
			}
		}
	}
	for key, path := range paths {
		if n, ok := m.res.Puts(path); !ok || n != f.puts[key] {
			f.moved[key], f.limited[key] = true, false
		}
	}
	for a, of := range values {
		for b, others := range values {
			if a < b && !f.moved[a] && !f.moved[b] && structOf(a) == structOf(b) && alike(of, others) && f.twin[a] == "" {
				f.twin[b] = a
			}
		}
	}
	return f
}

// structOf is the type in the name of a field.
func structOf(key string) string { return key[:max(0, strings.LastIndexByte(key, '.'))] }

// alike reports whether two fields get the same value in every struct.
func alike(a, b map[*ssa.Alloc]effect.Path) bool {
	if len(a) != len(b) {
		return false
	}
	for made, p := range a {
		if p == "" || b[made] != p {
			return false
		}
	}
	return true
}

// settle is the path of what the function that makes a struct puts into the field
// that a path leads through: after c := &client{bus: b}, c.bus is b. Of two fields
// that hold the same value one stands for both.
func (m *Model) settle(p effect.Path) effect.Path {
	if p == "" {
		return ""
	}
	for range 4 {
		root, sel := p.Split()
		made, ok := m.res.Root(effect.Path(root)).(*ssa.Alloc)
		if !ok || !strings.HasPrefix(sel, ".") {
			break
		}
		end := strings.IndexAny(sel[1:], ".[") + 1
		if end == 0 {
			end = len(sel)
		}
		field := effect.Path(root + sel[:end])
		if key := m.res.Field(field); key == "" || m.collectFields().moved[key] {
			break
		}
		v := onlyStored(made, sel[1:end], m)
		if v == nil {
			break
		}
		base := m.res.Path(v)
		if base == "" || base == p {
			break
		}
		p = base + effect.Path(sel[end:])
	}
	key := m.res.Field(p)
	if key == "" {
		return p
	}
	if twin := m.collectFields().twin[key]; twin != "" {
		return effect.Path(owner(p)) + effect.Path(twin[strings.LastIndexByte(twin, '.'):])
	}
	return p
}

// onlyStored is the value of a field of a struct where it is stored to once.
func onlyStored(made *ssa.Alloc, name string, m *Model) ssa.Value {
	var out ssa.Value
	want := m.res.Path(made) + effect.Path("."+name)
	for _, b := range made.Parent().Blocks {
		for _, instr := range b.Instrs {
			s, ok := instr.(*ssa.Store)
			if !ok {
				continue
			}
			if _, ok := s.Addr.(*ssa.FieldAddr); !ok || m.res.Path(s.Addr) != want {
				continue
			}
			if out != nil {
				return nil
			}
			out = s.Val
		}
	}
	return out
}

// is reports whether two paths name one thing, in terms of one function.
func (m *Model) is(a, b effect.Path) bool {
	return a == b || a != "" && b != "" && m.settle(a) == m.settle(b)
}

// swap is how to name what a function knows that is kept in a field, where the
// field is called: the struct whose field it is stored in is the one whose field
// is called.
type swap struct{ from, to effect.Path }

// swapOf looks for the place where the function that a call takes out of a field
// was put there; it is empty if there are several, or none in sight.
func (m *Model) swapOf(instr ssa.CallInstruction, body *ssa.Function) swap {
	common := instr.Common()
	load, ok := common.Value.(*ssa.UnOp)
	if common.IsInvoke() || !ok || load.Op != token.MUL {
		return swap{}
	}
	to := m.res.Path(load)
	key := m.res.Field(to)
	if key == "" {
		return swap{}
	}
	out := swap{}
	for _, k := range m.kept {
		if k.how != effect.Kept || m.res.Field(k.path) != key {
			continue
		}
		if out.from != "" && out.from != k.path || k.callee == nil || k.callee.Body != body {
			return swap{}
		}
		out = swap{k.path, to}
	}
	return out
}

// hooks are the functions that the package stores in the field which a call takes
// its callee out of.
func (m *Model) hooks(instr ssa.CallInstruction, to effect.Path) []step {
	key := m.res.Field(to)
	if key == "" || instr.Common().IsInvoke() {
		return nil
	}
	s := step{op: Op{Instr: instr}, instr: instr}
	for _, k := range m.kept {
		if k.how != effect.Kept || k.callee == nil || k.callee.Body == nil || m.res.Field(k.path) != key || m.res.InTest(k.in) {
			continue
		}
		c := *k.callee
		c.Args = append(c.Args[:len(c.Args):len(c.Args)], instr.Common().Args...)
		s.calls = append(s.calls, &c)
		s.swaps = append(s.swaps, swap{k.path, to})
	}
	if len(s.calls) == 0 {
		return nil
	}
	return []step{s}
}

// through names a path of the function that put something into a field where
// the field is called.
func (m *Model) through(p effect.Path, s swap, caller *ssa.Function) effect.Path {
	if s.from == "" || p == "" {
		return p
	}
	v := m.res.Root(p)
	if v == nil || v.Parent() == nil || ir.Outermost(v.Parent()) == ir.Outermost(caller) {
		return p
	}
	return m.translate(p, s.from, s.to)
}
