package pool

import (
	"cmp"
	"go/token"
	"go/types"
	"slices"

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
	joint map[string]string // fields and variables that hold one channel
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
	u := &channels{makes: make(map[string][]*ssa.MakeChan), byMem: make(map[aliasKey]map[effect.Path]bool), joint: make(map[string]string)}
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
					if isChan(x.X.Type()) {
						add(fn, x, x.X).Escapes = true
					}
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
							leaves(add(fn, x, r), r)
						}
					}
				case ssa.CallInstruction:
					m.callUses(fn, x, add)
				case *ssa.MapUpdate:
					if isChan(x.Value.Type()) {
						add(fn, x, x.Value).Escapes = true
					}
				case *ssa.MakeInterface:
					if isChan(x.X.Type()) {
						add(fn, x, x.X).Escapes = true
					}
				case *ssa.Store:
					if isChan(x.Val.Type()) {
						m.storeChan(fn, x, add)
					}
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

// storeChan notes that a field or variable holds a channel that has another name,
// too.
func (m *Model) storeChan(fn *ssa.Function, x *ssa.Store, add func(*ssa.Function, ssa.Instruction, ssa.Value) *Use) {
	to, from := m.place(m.res.Path(x.Addr)), m.place(m.res.Path(x.Val))
	if c, ok := x.Val.(*ssa.Const); ok && c.IsNil() {
		return
	}
	if _, element := x.Addr.(*ssa.IndexAddr); element || to == "" {
		add(fn, x, x.Val).Escapes = true
		return
	}
	m.uses.join(to, from)
	for p := range m.aliases(m.res.Path(x.Val), fn) {
		m.uses.join(to, m.place(p)) // what callers hand to a constructor
	}
}

// place is the field that a path ends in, or else the path.
func (m *Model) place(p effect.Path) string {
	if key := m.res.Field(p); key != "" {
		return key
	}
	return string(p)
}

// join says that two names may be those of one channel.
func (u *channels) join(a, b string) {
	if a == "" || b == "" {
		return
	}
	if a, b := u.find(a), u.find(b); a != b {
		u.joint[a] = b
	}
}

// find is what stands for all the names of one channel.
func (u *channels) find(s string) string {
	for range 64 {
		next, ok := u.joint[s]
		if !ok {
			break
		}
		s = next
	}
	return s
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
			leaves(add(fn, x, a), a)
		}
	}
}

// leaves notes that a channel goes where it cannot be seen: what has only the
// sending side of it sends.
func leaves(u *Use, ch ssa.Value) {
	if t := types.Unalias(ch.Type()).Underlying().(*types.Chan); t.Dir() == types.SendOnly {
		u.Send = true
		return
	}
	u.Escapes = true
}

func isFunc(t types.Type) bool {
	_, ok := types.Unalias(t).Underlying().(*types.Signature)
	return ok
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
	names := make(map[string]bool)
	for p := range m.aliases(a, in) {
		names[m.uses.find(m.place(p))] = true
	}
	for p := range m.aliases(b, bin) {
		if names[m.uses.find(m.place(p))] {
			return true
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
	names := make(map[string]bool)
	for p := range m.aliases(path, fn) {
		if mc, ok := m.res.Root(p).(*ssa.MakeChan); ok {
			out = append(out, mc)
		}
		if key := m.res.Field(p); key != "" {
			names[u.find(key)] = true
		}
	}
	for key, list := range u.makes {
		if names[u.find(key)] {
			out = append(out, list...)
		}
	}
	slices.SortFunc(out, func(a, b *ssa.MakeChan) int { return cmp.Compare(a.Pos(), b.Pos()) })
	return slices.Compact(out)
}
