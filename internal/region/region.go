// Package region computes what is held at an instruction: which locks,
// transactions, connections, open rows and slots are certainly held, on every
// path that leads there.
//
// It is a forward must-analysis over the blocks of one function: what is held
// after a join is what is held on all its edges. A region ends at a release on
// the path, a deferred release at the exit, a hand-over to somebody else, and on
// the branch where the acquire has failed. The package knows no API and no
// summary: the caller says by events what each instruction acquires and releases.
package region

import (
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/flow"
)

// A Thing is something held.
type Thing struct {
	Class effect.Class
	Path  effect.Path // its identity, in local form
	Pool  effect.Path // where it was taken from, if known

	Site ssa.Instruction // the acquire, nil for a parameter and for what a caller holds
	Pos  token.Pos       // where it was taken
	Name string          // what a person calls it
	By   string          // the call that took it: "Lock", "BeginTx"

	// Failed is the error that is non-nil, or the bool that is false, when the
	// acquire failed; nil if it cannot fail.
	Failed ssa.Value
	OK     bool // Failed is a bool
	Try    bool // not held before the branch on Failed

	// Outer reports that a caller holds it: the function is a literal, or has
	// a parameter of this type.
	Outer bool

	// Var is the variable it is kept in, if that is assigned several times, so
	// that the path of a later use is that of the variable.
	Var effect.Path

	// Value is the value that stands for it, nil for a lock.
	Value ssa.Value
}

func (t *Thing) key() key { return key{t.Class, t.Path} }

type key struct {
	class effect.Class
	path  effect.Path
}

// A Verb says what an event does.
type Verb uint8

const (
	Acquire   Verb = iota
	Release        // of Path; a lock that is not held becomes free for the rest of the function
	Drop           // of Path, if it is held: it is somebody else's now
	DropField      // of every lock whose path ends in the field Path names
	DropSlot       // of every slot whose path ends in the field Path names
	DropSite       // of all that the instruction Site acquired
)

// An Event is what an instruction does to what is held.
type Event struct {
	Verb  Verb
	Thing *Thing       // Acquire
	Class effect.Class // Release: NoClass for any
	Path  effect.Path
	Site  ssa.Instruction // DropSite
}

// A Region is the result for one function.
type Region struct {
	at    map[ssa.Instruction]point
	exits []Exit
}

type point struct {
	held []*Thing
	free []effect.Path
}

// An Exit is what is held at a return statement, after the deferred calls.
type Exit struct {
	Return *ssa.Return
	Held   []*Thing
	Free   []effect.Path
}

// Held returns what is held just before instr. For a deferred call it is what
// is held when it runs.
func (r *Region) Held(instr ssa.Instruction) []*Thing { return r.at[instr].held }

// Free returns the locks of the caller that the function has unlocked at instr.
func (r *Region) Free(instr ssa.Instruction) []effect.Path { return r.at[instr].free }

// Exits returns what is held at each return.
func (r *Region) Exits() []Exit { return r.exits }

type entry struct {
	thing   *Thing
	pending bool // a try whose outcome has not been looked at
}

type state struct {
	held   []entry
	free   []effect.Path
	defers []*ssa.Defer
}

func (s state) clone() state {
	return state{slices.Clone(s.held), slices.Clone(s.free), slices.Clone(s.defers)}
}

// Events says what an instruction does, in order. For a [*ssa.Defer] it says
// what the deferred call does when it runs.
type Events func(ssa.Instruction) []Event

// While says of which thing a condition tells that it is still held: it is not
// where the condition is false. It returns the empty path for any other value.
type While func(cond ssa.Value) effect.Path

// Compute analyses fn. The things of entry are held when it starts.
func Compute(fn *ssa.Function, entryHeld []*Thing, events Events, while While) *Region {
	r := &Region{at: make(map[ssa.Instruction]point)}
	a := &analysis{events: events, while: while}
	var start state
	for _, t := range entryHeld {
		start.held = append(start.held, entry{thing: t})
	}
	in, reached, ok := flow.Forward(fn, start, flow.Problem[state]{
		Clone: state.clone,
		Transfer: func(b *ssa.BasicBlock, s *state) {
			for _, instr := range b.Instrs {
				a.step(s, instr, nil)
			}
		},
		Edge:  func(b *ssa.BasicBlock, i int, s *state) { a.branch(s, b, i) },
		Merge: merge,
	})
	if !ok {
		return r
	}
	for i, b := range fn.Blocks {
		if !reached[i] {
			continue
		}
		s := in[i].clone()
		for _, instr := range b.Instrs {
			a.step(&s, instr, r)
		}
	}
	return r
}

type analysis struct {
	events Events
	while  While
}

// merge only takes things away, and adds to what is free, of which there are
// finitely many.
func merge(old, s *state) bool {
	changed := false
	old.held = slices.DeleteFunc(old.held, func(e entry) bool {
		for _, o := range s.held {
			if o.thing.key() == e.thing.key() && o.pending == e.pending {
				return false
			}
		}
		changed = true
		return true
	})
	for _, p := range s.free {
		if !slices.Contains(old.free, p) {
			old.free = append(old.free, p)
			slices.Sort(old.free)
			changed = true
		}
	}
	old.defers = slices.DeleteFunc(old.defers, func(d *ssa.Defer) bool {
		if slices.Contains(s.defers, d) {
			return false
		}
		changed = true
		return true
	})
	return changed
}

// step applies one instruction. With a non-nil r it records what is held there.
func (a *analysis) step(s *state, instr ssa.Instruction, r *Region) {
	switch x := instr.(type) {
	case *ssa.Defer:
		if !slices.Contains(s.defers, x) {
			s.defers = append(s.defers, x)
		}
		return
	case *ssa.RunDefers:
		for i := len(s.defers) - 1; i >= 0; i-- {
			d := s.defers[i]
			if r != nil {
				r.note(d, s)
			}
			a.apply(s, d)
		}
		s.defers = nil
		return
	case *ssa.Return:
		if r != nil {
			r.exits = append(r.exits, Exit{x, s.things(), slices.Clone(s.free)})
		}
		return
	}
	if r != nil {
		r.note(instr, s)
	}
	a.apply(s, instr)
}

func (a *analysis) apply(s *state, instr ssa.Instruction) {
	for _, e := range a.events(instr) {
		switch e.Verb {
		case Acquire:
			k := e.Thing.key()
			if i := slices.Index(s.free, e.Thing.Path); i >= 0 && e.Thing.Class.IsLock() {
				s.free = slices.Delete(s.free, i, i+1) // back to what the caller holds
				continue
			}
			s.held = slices.DeleteFunc(s.held, func(h entry) bool { return h.thing.key() == k })
			s.held = append(s.held, entry{thing: e.Thing, pending: e.Thing.Try})
		case Release:
			n := len(s.held)
			s.held = slices.DeleteFunc(s.held, func(h entry) bool {
				return gives(h.thing, e.Path) && (e.Class == effect.NoClass || h.thing.Class == e.Class)
			})
			if len(s.held) == n && e.Class.IsLock() && e.Path != "" && !slices.Contains(s.free, e.Path) {
				s.free = append(s.free, e.Path)
				slices.Sort(s.free)
			}
		case Drop:
			s.held = slices.DeleteFunc(s.held, func(h entry) bool { return gives(h.thing, e.Path) })
		case DropSite:
			s.held = slices.DeleteFunc(s.held, func(h entry) bool { return h.thing.Site == e.Site })
		case DropSlot:
			s.held = slices.DeleteFunc(s.held, func(h entry) bool {
				return h.thing.Class == effect.Slot && h.thing.Path.Last() == string(e.Path)
			})
		case DropField:
			s.held = slices.DeleteFunc(s.held, func(h entry) bool {
				return h.thing.Class.IsLock() && h.thing.Path.Last() == string(e.Path)
			})
		}
	}
}

// gives reports whether a release of path gives t back. A connection may be
// released through what it embeds: tx.Tx of a wrapper tx.
func gives(t *Thing, path effect.Path) bool {
	if t.Path == path || t.Var != "" && t.Var == path {
		return true
	}
	return t.Class.Pinned() && strings.HasPrefix(string(path), string(t.Path)+".")
}

func (s *state) things() []*Thing {
	var out []*Thing
	for _, e := range s.held {
		if !e.pending {
			out = append(out, e.thing)
		}
	}
	return out
}

// note records what is held at instr. A deferred call runs at several exits:
// only what is held at all of them counts.
func (r *Region) note(instr ssa.Instruction, s *state) {
	things := s.things()
	old, seen := r.at[instr]
	if !seen {
		if len(things) > 0 || len(s.free) > 0 {
			r.at[instr] = point{things, slices.Clone(s.free)}
		} else if _, ok := instr.(*ssa.Defer); ok {
			r.at[instr] = point{}
		}
		return
	}
	old.held = slices.DeleteFunc(slices.Clone(old.held), func(t *Thing) bool {
		return !slices.ContainsFunc(things, func(o *Thing) bool { return o.key() == t.key() })
	})
	for _, p := range s.free {
		if !slices.Contains(old.free, p) {
			old.free = append(old.free, p)
		}
	}
	r.at[instr] = old
}
