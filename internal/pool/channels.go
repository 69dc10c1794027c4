package pool

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
)

// A Use is a place where the package sends on a channel or receives from it.
type Use struct {
	Instr ssa.Instruction
	Fn    *ssa.Function
	Path  effect.Path // in terms of Fn
	Send  bool
	Close bool

	// Escapes says that the channel goes where it cannot be seen.
	Escapes bool

	aliases map[effect.Path]bool
	key     string
}

type channels struct {
	uses  []*Use
	makes map[string][]*ssa.MakeChan // by field
	byMem map[aliasKey]map[effect.Path]bool
}

type aliasKey struct {
	path effect.Path
	fn   *ssa.Function
}

// collectUses finds every send and receive of the package.
func (m *Model) collectUses() *channels {
	if m.uses != nil {
		return m.uses
	}
	u := &channels{makes: make(map[string][]*ssa.MakeChan), byMem: make(map[aliasKey]map[effect.Path]bool)}
	m.uses = u
	add := func(fn *ssa.Function, instr ssa.Instruction, ch ssa.Value) *Use {
		path := m.res.Path(ch)
		if path == "" {
			return &Use{}
		}
		use := &Use{Instr: instr, Fn: fn, Path: path, key: m.res.Field(path), aliases: m.aliases(path, fn)}
		u.uses = append(u.uses, use)
		return use
	}
	for _, fn := range m.res.Funcs() {
		if m.res.InTest(fn) {
			continue
		}
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				switch x := instr.(type) {
				case *ssa.Send:
					add(fn, x, x.Chan).Send = true
				case *ssa.UnOp:
					if x.Op == token.ARROW {
						add(fn, x, x.X)
					}
				case *ssa.Select:
					for _, st := range x.States {
						add(fn, x, st.Chan).Send = st.Dir == types.SendOnly
					}
				case *ssa.Return:
					for _, r := range x.Results {
						if isChan(r.Type()) {
							add(fn, x, r).Escapes = true
						}
					}
				case ssa.CallInstruction:
					m.callUses(fn, x, add)
				case *ssa.Store:
					if mc, ok := m.res.Root(m.res.Path(x.Val)).(*ssa.MakeChan); ok && isChan(x.Val.Type()) {
						if key := m.res.Field(m.res.Path(x.Addr)); key != "" {
							u.makes[key] = append(u.makes[key], mc)
						}
					}
				}
			}
		}
	}
	return u
}

func (m *Model) callUses(fn *ssa.Function, x ssa.CallInstruction, add func(*ssa.Function, ssa.Instruction, ssa.Value) *Use) {
	common := x.Common()
	if b, ok := common.Value.(*ssa.Builtin); ok {
		if b.Name() == "close" {
			add(fn, x, common.Args[0]).Close = true
		}
		return
	}
	for _, a := range common.Args {
		if isChan(a.Type()) && m.call(x).Body == nil {
			add(fn, x, a).Escapes = true
		}
	}
}

func isChan(t types.Type) bool {
	_, ok := types.Unalias(t).Underlying().(*types.Chan)
	return ok
}

// aliases lists the paths that a channel has in the functions which hand it
// down, its own included.
func (m *Model) aliases(path effect.Path, fn *ssa.Function) map[effect.Path]bool {
	k := aliasKey{path, fn}
	if a, ok := m.uses.byMem[k]; ok {
		return a
	}
	out := map[effect.Path]bool{path: true}
	m.uses.byMem[k] = out
	type at struct {
		path effect.Path
		fn   *ssa.Function
	}
	work := []at{{path, fn}}
	for n := 0; len(work) > 0 && n < 32; n++ {
		w := work[0]
		work = work[1:]
		root, ok := m.res.Root(w.path).(*ssa.Parameter)
		if !ok {
			continue
		}
		if _, sel := w.path.Split(); sel != "" && m.res.Field(w.path) != "" {
			continue // known by its field
		}
		for _, c := range m.callersOf(root.Parent()) {
			p := m.res.Import(m.res.Export(w.path, root.Parent()), c.callee.Args, c.callee.HasRecv, c.instr.Parent())
			if p != "" && !out[p] {
				out[p] = true
				work = append(work, at{p, c.instr.Parent()})
			}
		}
	}
	return out
}

// same reports whether two paths may name one channel, or are the same field of
// some object.
func (m *Model) same(a effect.Path, in *ssa.Function, b effect.Path, bin *ssa.Function) bool {
	if a == b {
		return true
	}
	if key := m.res.Field(a); key != "" && key == m.res.Field(b) {
		return true
	}
	m.collectUses()
	x := m.aliases(a, in)
	for p := range m.aliases(b, bin) {
		if x[p] {
			return true
		}
		if key := m.res.Field(p); key != "" {
			for q := range x {
				if m.res.Field(q) == key {
					return true
				}
			}
		}
	}
	return false
}

// Uses lists where the channel at path, in terms of fn, is used.
func (m *Model) Uses(path effect.Path, fn *ssa.Function) []*Use {
	var out []*Use
	for _, u := range m.collectUses().uses {
		if m.same(u.Path, u.Fn, path, fn) {
			out = append(out, u)
		}
	}
	return out
}

// Makes lists where the channel at path is made, as far as that is in sight.
func (m *Model) Makes(path effect.Path, fn *ssa.Function) []*ssa.MakeChan {
	u := m.collectUses()
	var out []*ssa.MakeChan
	for p := range m.aliases(path, fn) {
		if mc, ok := m.res.Root(p).(*ssa.MakeChan); ok {
			out = append(out, mc)
		}
		if key := m.res.Field(p); key != "" {
			out = append(out, u.makes[key]...)
		}
	}
	return out
}
