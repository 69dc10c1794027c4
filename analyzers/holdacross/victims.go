package holdacross

import (
	"go/token"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/ir"
	"github.com/concvet/concvet/internal/region"
)

// suffers reports whether somebody suffers from what is held: somebody who wants
// the lock for a moment, and who has nothing to do with the wait. Where nobody
// else takes the lock, those who call the function wait for each other, which it
// is there for, unless each of them waits for something of his own.
func (c *checker) suffers(fn *ssa.Function, v *verdict) bool {
	if strings.Contains(string(v.thing.Path), "[") {
		return true // one lock of many, that others choose by the same key
	}
	if c.unknown(v.thing) {
		return true
	}
	if b := v.effect.Bound; v.effect.Kind == effect.Sleep && b.Kind == effect.ConstBound && b.Dur >= maxWait {
		return true // whoever it is
	}
	w := c.waiters(fn, v.thing, v.effect.Effect)
	if c.local(v.thing) && w.victims != nil {
		return slices.ContainsFunc(w.victims, isGoroutine) // the others work on the same call
	}
	if len(w.victims) > 0 {
		return true
	}
	e := v.effect
	exported := token.IsExported(ir.Outermost(fn).Name())
	if waitOf(e.Effect)&(forPeer|forProcess) != 0 && w.same+w.turns == 0 && exported && c.memoises(fn, v.at) && c.keepsByKey(fn) {
		return true // who comes with another key, whatever else the lock is held for
	}
	if w.others+w.same+w.turns > 0 {
		return false
	}
	switch e.Kind {
	case effect.Sleep:
		return (e.Repeats || e.Rounds) && exported // it polls
	case effect.ChanSend, effect.ChanRecv, effect.Select, effect.GroupWait:
		name := strings.ToLower(v.thing.Path.Last())
		return !strings.HasPrefix(name, strings.ToLower(ir.Outermost(fn).Name())) // else its lock, to run once at a time
	case effect.Net, effect.DNS, effect.Exec:
		// Nobody else is there, so that one for each key has been decided above.
		return exported && !c.memoises(fn, v.at)
	}
	return false
}

// unknown reports whether the lock is somebody else's, so that the package does
// not show who takes it: a parameter, a field of another package's struct.
func (c *checker) unknown(t *region.Thing) bool {
	way := c.res.Way(t.Path)
	if way == "" {
		_, ok := c.res.Root(t.Path).(*ssa.Parameter)
		return ok
	}
	return !strings.Contains(way, c.pass.Pkg.Path()+".") && !strings.HasPrefix(way, "(struct at ")
}

// local reports whether a lock is a variable of one function.
func (c *checker) local(t *region.Thing) bool {
	_, sel := t.Path.Split()
	_, ok := c.res.Root(t.Path).(*ssa.Alloc)
	return ok && sel == ""
}

// isGoroutine reports whether a literal is started as a goroutine where it stands.
func isGoroutine(lit *ssa.Function) bool {
	refs := lit.Referrers()
	if lit.Parent() == nil || refs == nil {
		return false
	}
	for _, r := range *refs {
		if mc, ok := r.(*ssa.MakeClosure); ok && mc.Referrers() != nil && len(*mc.Referrers()) == 1 {
			r = (*mc.Referrers())[0]
		}
		if _, ok := r.(*ssa.Go); ok {
			return true
		}
	}
	return false
}

// lockKey names a lock in the whole package: by the way to it, or by the
// variable that it is.
func (c *checker) lockKey(t *region.Thing) string {
	if way := c.res.Way(t.Path); way != "" {
		return way
	}
	return string(t.Path)
}

// Who waits for a lock that is held across a wait. What counts is somebody who
// has nothing to do with that wait: who would wait for the same peer himself, or
// comes only when things start or end, loses little.
type waiters struct {
	victims []*ssa.Function // want the lock for a moment
	others  int             // hold it across other waits
	same    int             // wait for the same
	turns   int             // start and end things
}

// waiters looks for those who wait for the lock t while fn holds it across e.
func (c *checker) waiters(fn *ssa.Function, t *region.Thing, e effect.Effect) waiters {
	var w waiters
	key := c.lockKey(t)
	use := c.usesOf(key)
	if use == nil {
		return w
	}
	self := ir.Outermost(fn)
	seen := map[*ssa.Function]bool{fn: true}
	takers := use.takers
	if t.Outer { // those who hand a function to who takes it
		for _, g := range use.takers {
			by := c.res.Reach(g).Callers
			if slices.Contains(by, self) {
				seen[g] = true
				takers = append(takers[:len(takers):len(takers)], by...)
			}
		}
	}
	for _, g := range takers {
		if seen[g] || ir.Outermost(g) == self && (t.Outer || g.Parent() == nil) {
			continue
		}
		seen[g] = true
		if t.Class == effect.RLock && !t.Outer && !slices.Contains(use.alone, g) || c.keepsLocked(g, key) {
			continue
		}
		under, anywhere := c.waitsUnder(g, key)
		switch kind := waitOf(e); {
		case c.comesOrGoes(g):
			w.turns++
		case (under|anywhere&^(forGoroutine|forTimer))&kind != 0:
			w.same++
		case under != 0:
			w.others++
		default:
			w.victims = append(w.victims, g)
		}
	}
	return w
}

// keepsLocked reports whether a function leaves the lock to its callers: they
// take it, not he.
func (c *checker) keepsLocked(fn *ssa.Function, key string) bool {
	reg := c.res.Region(fn)
	if reg == nil || len(reg.Exits()) == 0 {
		return false
	}
	for _, x := range reg.Exits() {
		if !slices.ContainsFunc(x.Held, func(t *region.Thing) bool { return t.Class.IsLock() && c.lockKey(t) == key }) {
			return false
		}
	}
	return true
}

// A wait is a set of what a function waits for, as far as it matters to those
// who wait behind it.
type wait uint8

const (
	forPeer wait = 1 << iota
	forData
	forProcess
	forTimer
	forGoroutine
)

func waitOf(e effect.Effect) wait {
	switch e.Kind {
	case effect.Net, effect.DNS:
		return forPeer
	case effect.DB:
		return forData
	case effect.Exec:
		return forProcess
	case effect.Sleep:
		if longSleep(e) {
			return forTimer
		}
	case effect.ChanSend, effect.ChanRecv, effect.Select, effect.GroupWait, effect.Cond, effect.Submit, effect.Acquire:
		if e.Bound.Kind != effect.TryBound && e.Bound.Kind != effect.RoomBound {
			return forGoroutine
		}
	}
	return 0
}

// waitsUnder is what a function, or a literal that it hands to who takes the
// lock, waits for while the lock is held, and at all.
func (c *checker) waitsUnder(fn *ssa.Function, key string) (under, anywhere wait) {
	family := []*ssa.Function{fn}
	family = append(family, fn.AnonFuncs...)
	for i, g := range family {
		reg := c.res.Region(g)
		if reg == nil {
			continue
		}
		for _, site := range c.res.Sites(g) {
			held := reg.Held(site.Instr)
			for _, e := range site.Effects {
				w := waitOf(e.Effect)
				if w == 0 {
					continue
				}
				if i == 0 {
					anywhere |= w
				}
				for _, t := range held {
					if t.Class.IsLock() && !slices.Contains(e.Free, t.Path) && (c.lockKey(t) == key || t.Outer) {
						under |= w
					}
				}
			}
		}
	}
	return under, anywhere
}

// comesOrGoes reports whether a function is there to start or to end things, or
// is called by such functions only: nobody else is at work then, or wants to be.
func (c *checker) comesOrGoes(fn *ssa.Function) bool {
	if fn.Parent() != nil && !inPlace(fn) {
		return false // a goroutine or a handler that it leaves behind
	}
	return c.turns(ir.Outermost(fn), false, 0)
}

// inPlace reports whether a literal is called, deferred or handed on where it
// stands.
func inPlace(lit *ssa.Function) bool {
	for ; lit.Parent() != nil; lit = lit.Parent() {
		refs := lit.Referrers()
		if refs == nil || len(*refs) == 0 {
			return false
		}
		for _, r := range *refs {
			if mc, ok := r.(*ssa.MakeClosure); ok && mc.Referrers() != nil && len(*mc.Referrers()) == 1 {
				r = (*mc.Referrers())[0]
			}
			switch r.(type) {
			case *ssa.Call, *ssa.Defer:
			default:
				return false
			}
		}
	}
	return true
}

// atTurn reports whether a function that holds a lock starts or ends things, or
// is called only by those that do.
func (c *checker) atTurn(fn *ssa.Function) bool {
	if fn.Parent() != nil && !inPlace(fn) || ir.Outermost(fn).Synthetic != "" {
		return false
	}
	return c.turns(ir.Outermost(fn), true, 0)
}

// maxTurn is how many calls lead from a start or an end to a function that is
// part of it.
const maxTurn = 4

func (c *checker) turns(fn *ssa.Function, holder bool, depth int) bool {
	word := firstWord(fn.Name())
	if turnWords[word] || !holder && joinWords[word] || fn.Signature.Recv() == nil && makeWords[word] || stopping(fn) {
		return true
	}
	reach := c.res.Reach(fn)
	if reach.Anytime || len(reach.Callers) == 0 || depth >= maxTurn {
		return false
	}
	return !slices.ContainsFunc(reach.Callers, func(by *ssa.Function) bool { return by != fn && !c.turns(by, holder, depth+1) })
}

// turnWords are the words with which the names of functions begin that start
// things or end them, makeWords those that make them. Who joins or leaves can wait,
// but what he does under a lock keeps others waiting: joinWords.
var (
	turnWords = wordSet("init", "initialize", "initialise", "setup", "configure", "open", "start",
		"stop", "close", "shutdown", "destroy", "terminate", "teardown", "quit", "exit", "cleanup")
	joinWords = wordSet("run", "serve", "register", "unregister", "deregister", "disconnect", "login", "logout",
		"snapshot", "restore", "persist", "recover", "replay")
	makeWords = wordSet("new", "make", "create", "build", "must", "main", "setup", "configure")
)

func wordSet(words ...string) map[string]bool {
	set := make(map[string]bool, len(words))
	for _, w := range words {
		set[w] = true
	}
	return set
}

// firstWord is the first word of a name in mixed caps, in small letters.
func firstWord(name string) string {
	for i, r := range name {
		if i > 0 && unicode.IsUpper(r) {
			name = name[:i]
			break
		}
	}
	return strings.ToLower(name)
}
