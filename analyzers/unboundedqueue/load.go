package unboundedqueue

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/loop"
	"github.com/concvet/concvet/internal/summary"
)

// A load is what decides how often an instruction runs.
type load struct {
	feed loop.Feed
	once effect.Source // the function runs once a request (Conns) or message (Items)
}

func (l load) endless() bool { return l.once != effect.NoSource || l.feed.Kind.Endless() }

// loadOf finds the loop around a site whose rounds the load decides, or the
// request that the function serves. Rounds in which the site's goroutines are
// waited for do not add up.
func (c *checker) loadOf(site *summary.Site) (best load, ok bool) {
	fn := site.Instr.Parent()
	joins := c.res.Joins(site)
	for l := c.loopsOf(fn).Around(site.Instr.Block()); l != nil; l = l.Outer {
		if slices.ContainsFunc(joins, func(j ssa.Instruction) bool { return l.Contains(j.Block()) }) {
			return best, ok
		}
		feeds := l.FeedsOf(site.Instr)
		if len(feeds) == 0 {
			continue
		}
		if f, found := c.feeds(feeds, site); found && f.Kind >= loop.Map && (!ok || f.Kind > best.feed.Kind) {
			best, ok = load{feed: f}, true
		}
	}
	if len(joins) == 0 {
		if f, found := loop.YieldFeed(fn); found && f.Kind >= loop.Map && (!ok || f.Kind > best.feed.Kind) {
			best, ok = load{feed: f}, true
		}
	}
	if (!ok || !best.feed.Kind.Endless()) && len(joins) == 0 {
		if s := c.res.Delivers(fn); s != effect.NoSource && !(s == effect.Conns && ok) {
			return load{once: s, feed: best.feed}, true
		}
	}
	return best, ok
}

// feeds is the first of the feeds that matters at a site. What only the name of
// a call tells to be a stream is one for what is given some of it.
func (c *checker) feeds(list []loop.Feed, site *summary.Site) (loop.Feed, bool) {
	for _, f := range list {
		if !f.Named {
			return f, true
		}
		call, ok := site.Instr.(ssa.CallInstruction)
		if ok && c.derives(call, func(v ssa.Value) bool { return v == f.At.(ssa.Value) }) {
			return f, true
		}
	}
	return loop.Feed{}, false
}

// fixedSet reports whether the length of a list is more likely up to the
// configuration than to the load.
func (c *checker) fixedSet(fn *ssa.Function, f loop.Feed, e summary.SiteEffect) bool {
	if f.Kind == loop.Iter && f.Value == nil {
		return false
	}
	if f.Kind == loop.Map || f.Value == nil || connections(f.Value.Type()) {
		return true // most maps that are walked through are registers
	}
	if phi, ok := f.Value.(*ssa.Phi); ok && !slices.ContainsFunc(phi.Edges, func(e ssa.Value) bool { return !c.listOfObject(e) }) {
		return true // one of several lists, by what is asked for
	}
	path := c.res.Path(f.Value)
	if strings.HasPrefix(string(path), "g:") {
		return true
	}
	root := c.res.Root(path)
	_, sel := path.Split()
	p, param := root.(*ssa.Parameter)
	if param && sel == "" && records(p.Type()) && !e.Does.Has(effect.Exec) {
		return true
	}
	if param && sel != "" && !e.Does.Has(effect.Exec) && !(e.On != "" && c.res.GivenNone(fn, e.On)) {
		if recv := p.Parent().Signature.Recv(); recv != nil && p == p.Parent().Params[0] {
			return true // a list that the object has
		}
	}
	name := path.Last()
	if sel == "" {
		name = ""
		if root != nil {
			name = valueName(root)
		}
	}
	names := []string{name, c.res.NameOf(path), elemName(f.Value.Type())}
	if slices.ContainsFunc(names, memberName) || !(param && sel == "" && stringList(p.Type())) && slices.ContainsFunc(names, placeName) {
		return true
	}
	for g := fn; g != nil; g = g.Parent() {
		if lifecycleName(g.Name()) {
			return true
		}
	}
	if operates(fn) {
		return true
	}
	return c.pass.Pkg.Name() == "main"
}

// listOfObject reports whether a list is one that the object has which the method
// belongs to.
func (c *checker) listOfObject(v ssa.Value) bool {
	path := c.res.Path(v)
	p, ok := c.res.Root(path).(*ssa.Parameter)
	if _, sel := path.Split(); !ok || sel == "" {
		return false
	}
	return p.Parent().Signature.Recv() != nil && p == p.Parent().Params[0]
}

// records reports whether t is a list of pointers to structs: what the caller has
// loaded to work on it, and seldom whatever comes.
func records(t types.Type) bool {
	s, ok := types.Unalias(t).Underlying().(*types.Slice)
	if !ok {
		return false
	}
	p, ok := types.Unalias(s.Elem()).(*types.Pointer)
	if !ok {
		return false
	}
	_, ok = types.Unalias(p.Elem()).Underlying().(*types.Struct)
	return ok
}

// stringList reports whether t is a list of strings.
func stringList(t types.Type) bool {
	s, ok := types.Unalias(t).Underlying().(*types.Slice)
	if !ok {
		return false
	}
	b, ok := types.Unalias(s.Elem()).Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

func valueName(v ssa.Value) string {
	switch v := v.(type) {
	case *ssa.Parameter:
		return v.Name()
	case *ssa.Alloc:
		return v.Comment
	case *ssa.Call:
		if fn := v.Call.StaticCallee(); fn != nil {
			return fn.Name()
		}
		if v.Call.IsInvoke() {
			return v.Call.Method.Name()
		}
	case *ssa.Extract:
		if call, ok := v.Tuple.(*ssa.Call); ok {
			return valueName(call)
		}
	}
	return ""
}

func elemName(t types.Type) string {
	for range 3 {
		switch u := types.Unalias(t).(type) {
		case *types.Named:
			if _, ok := u.Underlying().(*types.Slice); !ok {
				return u.Obj().Name()
			}
			t = u.Underlying()
		case *types.Slice:
			t = u.Elem()
		case *types.Pointer:
			t = u.Elem()
		default:
			return ""
		}
	}
	return ""
}

// members are words for what a system has a fixed number of.
var members = []string{
	"peer", "replica", "node", "server", "listener", "shard", "broker", "backend", "worker", "member", "host", "addr", "producer",
	"provider", "plugin", "service", "watcher", "upstream", "instance", "config", "handler", "checker", "store", "source",
	"sink", "output", "partition", "voter", "cluster", "seed", "module", "subsystem", "resolver", "interface", "client",
	"validator", "relay", "tower", "chain", "collector", "driver", "channel", "probe", "recipient", "participant",
}

// places are words for where something goes. Users may have any number of them,
// and a list of strings that a function is given is as likely theirs.
var places = []string{"endpoint", "hook", "target"}

func memberName(name string) bool { return contains(name, members) }

func placeName(name string) bool { return contains(name, places) }

func contains(name string, words []string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(name, w) })
}

// lifecycleName reports whether a function is one that starts or stops
// something, so that it runs once.
func lifecycleName(name string) bool {
	name = strings.ToLower(name)
	for _, word := range []string{"start", "init", "setup", "new", "open", "close", "stop", "shutdown", "boot", "main", "migrate", "restore", "recover"} {
		if strings.HasPrefix(name, word) {
			return true
		}
	}
	return false
}
