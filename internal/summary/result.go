package summary

import (
	"cmp"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/ir"
	"github.com/concvet/concvet/internal/region"
)

// Result answers for the functions of one package. It is computed for the
// package whose pass gave it, and not safe for concurrent use: analyzers get it
// by [Use].
type Result struct {
	mu sync.Mutex // held by the analyzer that uses it

	in      *inference
	last    *function // memo of work
	regions map[*ssa.Function]*region.Region
	entries map[*ssa.Function][]*region.Thing
	takes   map[*ssa.Function][]Taken // locks taken in the body, each once
	calls   map[*ssa.Function][]*ssa.Function
	reach   map[*ssa.Function]*Reach // memo of Reach

	callbacks map[*ssa.Function]*Callback  // memo of Callback
	holders   map[string][]*Holder         // memo of Holder
	may       map[*ssa.Function][]*MayCall // memo of MayCalls
	limits    map[effect.Path]bool         // pools with a limit, by path and by field
	puts      map[*types.Var]int           // memo of Puts
}

// Failures lists what could not be analysed because of a bug of ours or of
// go/ssa, one line each.
func (r *Result) Failures() []string { return r.in.failures }

// Funcs lists the functions of the package that may have an effect, in source
// order, each before its literals.
func (r *Result) Funcs() []*ssa.Function { return r.in.funcs }

// Sites lists the instructions of fn that may keep its goroutine waiting.
func (r *Result) Sites(fn *ssa.Function) []*Site {
	if node := r.in.infos[fn]; node != nil {
		return node.sites
	}
	return nil
}

// Field names the struct field that a local path ends in, "" if it ends
// elsewhere. The name is the same in every function of the package.
func (r *Result) Field(path effect.Path) string { return r.in.fieldKey(path) }

// TypeOf returns the type of the value at a local path, nil if it is not known.
func (r *Result) TypeOf(path effect.Path) types.Type {
	t, _ := r.in.typeOf(path)
	return t
}

// Binding is what a variable of a literal is in the function around it, nil if it
// is not in sight.
func (r *Result) Binding(v *ssa.FreeVar) ssa.Value { return r.in.paths.Binding(v) }

// Root returns the value that a local path is rooted in, nil for a package variable.
func (r *Result) Root(path effect.Path) ssa.Value { return r.in.paths.Root(path) }

// Region returns what is held in fn, given what is held wherever it is called
// as a literal.
func (r *Result) Region(fn *ssa.Function) *region.Region {
	r.computeRegions()
	return r.regions[fn]
}

// Entry returns what callers hold when the literal fn runs.
func (r *Result) Entry(fn *ssa.Function) []*region.Thing {
	r.computeRegions()
	return r.entries[fn]
}

// maxRounds bounds how often the regions of literals are computed again because
// what is held where they are called has changed.
const maxRounds = 4

// computeRegions computes every region. What is held where a literal is called
// is known only when the region of its caller is, so literals are computed
// again until nothing changes.
func (r *Result) computeRegions() {
	if r.regions != nil {
		return
	}
	r.regions = make(map[*ssa.Function]*region.Region)
	r.entries = make(map[*ssa.Function][]*region.Thing)
	calls := make(map[*ssa.Function]map[ssa.Instruction][]*region.Thing) // literal → what is held at each call
	work := r.in.funcs
	for range maxRounds {
		for _, fn := range work {
			r.computeRegion(fn, calls)
		}
		work = nil
		for _, fn := range r.in.funcs {
			if held := commonHeld(calls[fn]); !sameHeld(held, r.entries[fn]) {
				r.entries[fn] = held
				work = append(work, fn)
			}
		}
	}
}

func (r *Result) computeRegion(fn *ssa.Function, calls map[*ssa.Function]map[ssa.Instruction][]*region.Thing) {
	defer func() {
		if x := recover(); x != nil {
			r.in.failures = append(r.in.failures, failure(r.in.pass.Pkg.Path(), fn, x))
			r.regions[fn] = &region.Region{}
		}
	}()
	node := r.in.infos[fn]
	if node.events == nil {
		node.events = make(map[ssa.Instruction][]event)
	}
	f := &function{in: r.in, node: node, fn: fn}
	reg := f.region(r.entries[fn])
	r.regions[fn] = reg
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok {
				continue
			}
			r.literalEntries(f, call, reg, func(lit *ssa.Function, held []*region.Thing) {
				if calls[lit] == nil {
					calls[lit] = make(map[ssa.Instruction][]*region.Thing)
				}
				calls[lit][call] = held
			})
		}
	}
}

// commonHeld is what is held at all of some calls.
func commonHeld(calls map[ssa.Instruction][]*region.Thing) []*region.Thing {
	var out []*region.Thing
	first := true
	for _, instr := range sortedInstrs(calls) {
		held := calls[instr]
		if first {
			out, first = slices.Clone(held), false
			continue
		}
		out = slices.DeleteFunc(out, func(t *region.Thing) bool { return !holds(held, t) })
	}
	return out
}

func sortedInstrs(calls map[ssa.Instruction][]*region.Thing) []ssa.Instruction {
	out := make([]ssa.Instruction, 0, len(calls))
	for instr := range calls {
		out = append(out, instr)
	}
	slices.SortFunc(out, func(a, b ssa.Instruction) int { return cmp.Compare(a.Pos(), b.Pos()) })
	return out
}

func holds(held []*region.Thing, t *region.Thing) bool {
	return slices.ContainsFunc(held, func(o *region.Thing) bool { return o.Path == t.Path && o.Class == t.Class })
}

// heldAtOneOf is what counts as held in a function that another one calls in
// two places: locks that are held in both, transactions and connections that are
// held in one. A wrapper that begins a transaction unless there is one calls its
// function in two places, and it is the one where it begins that matters.
func heldAtOneOf(a, b []*region.Thing) []*region.Thing {
	var out []*region.Thing
	for _, t := range a {
		if t.Class.Pinned() || holds(b, t) {
			out = append(out, t)
		}
	}
	for _, t := range b {
		if t.Class.Pinned() && !holds(a, t) {
			out = append(out, t)
		}
	}
	return out
}

func sameHeld(a, b []*region.Thing) bool {
	if len(a) != len(b) {
		return false
	}
	for _, t := range a {
		if !slices.ContainsFunc(b, func(o *region.Thing) bool { return o.Path == t.Path && o.Class == t.Class && o.Pool == t.Pool }) {
			return false
		}
	}
	return true
}

// literalEntries tells the literals that a call runs what is held there.
func (r *Result) literalEntries(f *function, call ssa.CallInstruction, reg *region.Region, join func(*ssa.Function, []*region.Thing)) {
	common := call.Common()
	c, t := r.in.targetOf(common)
	_, isGo := call.(*ssa.Go)
	if t != nil && t.lit {
		if isGo {
			join(t.body, nil)
		} else {
			join(t.body, outer(reg.Held(call)))
		}
	}
	hasRecv := t.hasRecv()
	for i, a := range c.Args {
		g := ir.FuncOf(a, r.in.paths)
		if g.Body == nil || g.Func != nil {
			continue
		}
		var held []*region.Thing
		called := false
		if t != nil && t.sum != nil && !isGo {
			for _, pc := range t.sum.Calls {
				j := pc.Param
				if hasRecv {
					j++
				}
				if j != i || pc.Mode == effect.Async {
					continue
				}
				things := outer(reg.Held(call))
				for _, p := range pc.Free {
					free := r.in.paths.Import(p, c.Args, hasRecv, f.fn)
					things = slices.DeleteFunc(things, func(t *region.Thing) bool { return t.Path == free })
				}
				things = append(things, f.calleeHeld(call, c, t, pc, hasRecv)...)
				if called {
					things = heldAtOneOf(held, things)
				}
				held, called = things, true
			}
		}
		if called {
			join(g.Body, held)
		} else {
			join(g.Body, nil)
		}
	}
}

// outer marks things as held by a caller.
func outer(things []*region.Thing) []*region.Thing {
	out := make([]*region.Thing, 0, len(things))
	for _, t := range things {
		o := *t
		o.Outer = true
		o.Failed = nil
		out = append(out, &o)
	}
	return out
}

// Taking returns where fn, a literal in it, or a function that one of them calls
// takes the lock at the end of a way through struct fields, and the function that
// does; nil if none does. It looks no further: what is taken many calls away is
// seldom the lock of the same object.
func (r *Result) Taking(fn *ssa.Function, lock string) (*ssa.Function, Taken) {
	if r.takes == nil {
		r.computeTakes()
	}
	family := append([]*ssa.Function{fn}, fn.AnonFuncs...)
	for _, g := range family {
		if t := taken(r.takes[g], lock); t != nil {
			return g, *t
		}
	}
	for _, g := range family {
		for _, callee := range r.calls[g] {
			if t := taken(r.takes[callee], lock); t != nil {
				return callee, *t
			}
		}
	}
	return nil, Taken{}
}

// A Taken is where a lock is taken, and whether only for reading.
type Taken struct {
	Pos  token.Pos
	Read bool
	way  string
}

func taken(list []Taken, lock string) *Taken {
	for i := range list {
		if Meet(list[i].way, lock) {
			return &list[i]
		}
	}
	return nil
}

func (r *Result) computeTakes() {
	r.takes = make(map[*ssa.Function][]Taken)
	r.calls = make(map[*ssa.Function][]*ssa.Function)
	for _, fn := range r.in.funcs {
		var list []Taken
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				for _, e := range r.in.infos[fn].events[instr] {
					if e.Verb == region.Acquire && e.Thing.Class.IsLock() && e.Thing.By != "" {
						way := r.Way(e.Thing.Path)
						if way != "" && !slices.ContainsFunc(list, func(t Taken) bool { return t.way == way }) {
							list = append(list, Taken{position(instr), e.Thing.Class == effect.RLock, way})
						}
					}
				}
				call, ok := instr.(ssa.CallInstruction)
				if !ok {
					continue
				}
				if _, isGo := call.(*ssa.Go); isGo {
					continue
				}
				if _, t := r.in.targetOf(call.Common()); t != nil && t.body != nil {
					r.calls[fn] = append(r.calls[fn], t.body)
				}
			}
		}
		r.takes[fn] = list
	}
}

// Path returns the local path of a value.
func (r *Result) Path(v ssa.Value) effect.Path { return r.in.paths.Of(v) }

// InTest reports whether fn stands in a test file: what a test does with a
// field says nothing of the code outside it.
func (r *Result) InTest(fn *ssa.Function) bool {
	return isTestFile(r.in.pass.Fset, fn.Pos())
}

// FuncOf returns the function of this package that a func-typed value is, nil
// if that is not known.
func (r *Result) FuncOf(v ssa.Value) *ssa.Function { return ir.FuncOf(v, r.in.paths).Body }

// Roomy reports whether the channel in a struct field is always made with room
// for a value, as far as the package shows.
func (r *Result) Roomy(field string) bool { return r.in.roomy[field] }

// MadeWithRoom reports whether every channel with the elements of the one at a
// local path that the package makes has room for a value.
func (r *Result) MadeWithRoom(path effect.Path) bool {
	t, _ := r.in.typeOf(path)
	if t == nil {
		return false
	}
	ch, ok := types.Unalias(t).Underlying().(*types.Chan)
	return ok && r.in.madeWithRoom(ch.Elem())
}

// NameOf is what a person calls the value at a local path, "" if nobody has
// given it a name.
func (r *Result) NameOf(path effect.Path) string {
	f := &function{in: r.in}
	return f.nameOf(path)
}

// Foreign reports whether a frame is in another module.
func (r *Result) Foreign(f effect.Frame) bool {
	m := r.in.pass.Module
	return strings.Contains(f.Pos, "/") && m != nil && m.Path != "" && !strings.HasPrefix(f.Pos, m.Path+"/")
}
