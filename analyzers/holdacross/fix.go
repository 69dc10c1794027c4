package holdacross

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/fix"
	"github.com/concvet/concvet/internal/region"
	"github.com/concvet/concvet/internal/summary"
)

// A remedy is a fix of one finding under way.
type remedy struct {
	c    *checker
	file *fix.File
	site *summary.Site
	v    *verdict
	at   *place

	edits  []analysis.TextEdit
	title  string
	change string // what else changes, for a reader to judge; "" for a safe fix
}

// fixes suggests how the thing is not held across the call any more. There is
// at most one suggestion: release first, call first, or use what is held. It is
// safe if nobody can tell the difference but by the time it takes; where the
// order of what two goroutines do may become another, it says so. Everything
// that is not understood is left to the reader.
func (c *checker) fixes(site *summary.Site, v *verdict) (out []analysis.SuggestedFix, changes map[string]string) {
	defer func() {
		if recover() != nil {
			out, changes = nil, nil // the finding is worth more than a fix of it
		}
	}()
	r := &remedy{c: c, site: site, v: v}
	var err error
	if r.file, err = fix.Open(c.pass, site.Pos); err != nil {
		return nil, nil
	}
	if r.at = r.locate(); r.at == nil {
		return nil, nil
	}
	ok := false
	switch {
	case v.slug == SamePool:
		ok = r.useHeld()
	case v.thing.Class.IsLock():
		ok = r.alone() && (r.unlockFirst() || r.callFirst())
	case v.thing.Class == effect.Rows || v.thing.Class == effect.Conn:
		ok = r.alone() && r.closeFirst()
	}
	if !ok {
		return nil, nil
	}
	if r.edits, ok = r.file.Clean(r.edits); !ok {
		return nil, nil
	}
	out = []analysis.SuggestedFix{{Message: r.title, TextEdits: r.edits}}
	if r.change == "" {
		return out, nil
	}
	return out, map[string]string{r.title: r.change}
}

// alone reports whether nothing else is held at the site, so that the finding
// is gone once this thing is not, and whether the thing was taken here.
func (r *remedy) alone() bool {
	if r.v.thing.Site == nil || r.v.thing.Outer {
		return false
	}
	for _, t := range r.held() {
		if t != r.v.thing && t.Class != effect.Slot {
			return false
		}
	}
	return true
}

func (r *remedy) held() []*region.Thing {
	reg := r.c.res.Region(r.site.Instr.Parent())
	held := reg.Held(r.site.Instr)
	return append(held[:len(held):len(held)], r.v.effect.Held...)
}

// operation is what the site does, as the title of a fix calls it.
func (r *remedy) operation() string {
	switch r.v.effect.Kind {
	case effect.Sleep:
		return "sleep"
	case effect.ChanSend:
		return "send"
	case effect.ChanRecv:
		return "receive"
	case effect.Select:
		return "select"
	case effect.GroupWait, effect.Cond, effect.Acquire, effect.Submit, effect.Lock:
		return "wait"
	}
	return "call"
}

// ordered reports whether an effect is something that others can tell the order
// of.
func (r *remedy) ordered(e summary.SiteEffect) bool {
	switch e.Kind {
	case effect.Net, effect.DB, effect.Exec, effect.DNS, effect.ChanSend, effect.ChanRecv, effect.Select,
		effect.GroupWait, effect.Submit, effect.Acquire, effect.Cond:
		return true
	}
	return false
}

// reported reports whether an effect is a finding of its own, which may have a
// fix that moves the same statement.
func (r *remedy) reported(e summary.SiteEffect) bool {
	return r.c.applies(r.v.thing, e) && r.c.judge(r.site.Instr.Parent(), r.site.Instr, r.v.thing, e) != nil
}

// others reports whether sites between two positions have an effect that counts
// while the thing is held, besides the one of the finding.
func (r *remedy) others(from, to token.Pos, counts func(summary.SiteEffect) bool) bool {
	fn := r.site.Instr.Parent()
	reg := r.c.res.Region(fn)
	for _, s := range r.c.res.Sites(fn) {
		if s == r.site || s.Pos < from || s.Pos > to || !slices.Contains(reg.Held(s.Instr), r.v.thing) {
			continue
		}
		if slices.ContainsFunc(s.Effects, counts) {
			return true
		}
	}
	return false
}
