package blockinloop

import (
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/loop"
	"github.com/concvet/concvet/internal/summary"
)

// A holder is who holds a lock while it waits for something else.
type holder struct {
	fn     *ssa.Function
	site   *summary.Site
	effect summary.SiteEffect
	read   bool
}

// judgeLock says whether a lock that is taken may be held by somebody who waits
// for a peer: only then is it worth a word.
func (c *checker) judgeLock(l *loop.Event, v *verdict, e summary.SiteEffect) bool {
	if e.Joined || e.Field == "" {
		return false
	}
	h := c.holding(e.Field)
	if h == nil || l != nil && h.fn == l.Fn {
		return false
	}
	if h.read && strings.HasSuffix(e.API, ".RLock") {
		return false // readers do not wait for each other
	}
	v.holder = h
	return true
}

// holding returns who holds the lock in a struct field across a wait, nil if
// nobody in the package does.
func (c *checker) holding(field string) *holder {
	if c.holders == nil {
		c.holders = make(map[string]*holder)
		for _, fn := range c.res.Funcs() {
			if !c.res.InTest(fn) && !starts(fn.Name()) {
				c.collectHolders(fn)
			}
		}
	}
	return c.holders[field]
}

// starts reports whether a function is run when its object comes or goes.
func starts(name string) bool {
	name = strings.ToLower(name)
	for _, word := range []string{"new", "init", "open", "start", "close", "stop", "shutdown"} {
		if strings.HasPrefix(name, word) {
			return true
		}
	}
	return false
}

func (c *checker) collectHolders(fn *ssa.Function) {
	reg := c.res.Region(fn)
	if reg == nil {
		return
	}
	for _, site := range c.res.Sites(fn) {
		for _, e := range site.Effects {
			if !outbound(e.Kind) && e.Kind != effect.Sleep || short(e.Effect) || len(e.Frames) > maxWaitFrames {
				continue
			}
			for _, t := range reg.Held(site.Instr) {
				if !t.Class.IsLock() || freed(e.Free, t.Path) {
					continue
				}
				key := c.res.Field(t.Path)
				if key == "" {
					continue
				}
				old := c.holders[key]
				if old == nil || old.read && t.Class == effect.Mutex {
					c.holders[key] = &holder{fn, site, e, t.Class == effect.RLock}
				}
			}
		}
	}
}

func freed(list []effect.Path, p effect.Path) bool {
	for _, q := range list {
		if p == q {
			return true
		}
	}
	return false
}

// owns reports whether a field belongs to what a channel carries: the channel
// for the answer in a request.
func owns(ch ssa.Value, field string) bool {
	if ch == nil || field == "" {
		return false
	}
	elem := summary.ElemName(ch.Type())
	return elem != "" && strings.HasPrefix(field, "("+elem+").")
}
