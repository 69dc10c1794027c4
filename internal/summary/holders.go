package summary

import (
	"slices"
	"strings"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
)

// A Holder is who holds a lock while he waits for somebody outside the process,
// or sleeps. Whoever takes that lock waits as long.
type Holder struct {
	Fn     *ssa.Function
	Site   *Site
	Effect SiteEffect
	Read   bool // it is a read lock

	via string // the field that holds what the lock is in, "" if it is at hand
}

// heldAcross stands in the API of a lock effect that another package has
// exported, between the operation and who holds the lock across what: only locks
// that somebody holds so are exported.
const heldAcross = "; held by "

// maxHolderFrames is the longest way to a wait under a lock that is believed.
const maxHolderFrames = 3

// minHold is the shortest wait under a lock that others notice.
const minHold = 10 * time.Millisecond

// Holder returns who holds the lock in a struct field across a wait, nil if
// nobody in the package does. The lock is wanted at the path on: one in what a
// field of some other type points to need not be the same.
func (r *Result) Holder(field string, on effect.Path) *Holder {
	if r.holders == nil {
		r.holders = make(map[string][]*Holder)
		for _, fn := range r.in.funcs {
			if !r.InTest(fn) && !comesOrGoes(fn.Name()) {
				r.collectHolders(fn)
			}
		}
	}
	via := r.via(on)
	for _, h := range r.holders[field] {
		if via == "" || h.via == "" || h.via == via {
			return h
		}
	}
	return nil
}

// via is the field that holds what a lock is in, "" if a value at hand has it.
func (r *Result) via(lock effect.Path) string {
	i := strings.LastIndexByte(string(lock), '.')
	if i < 0 {
		return ""
	}
	return r.Field(lock[:i])
}

// HeldAcross says of an effect that another package has exported who holds the
// lock that it takes, and across what: "(*Store).Flush across (*http.Client).Do".
func HeldAcross(e effect.Effect) (who string, ok bool) {
	_, who, ok = strings.Cut(e.API, heldAcross)
	return who, ok
}

// comesOrGoes reports whether a function is run when its object is made or given
// up: nobody else is at work then.
func comesOrGoes(name string) bool {
	name = strings.ToLower(name)
	for _, word := range []string{"new", "init", "open", "start", "close", "stop", "shutdown"} {
		if strings.HasPrefix(name, word) {
			return true
		}
	}
	return false
}

func (r *Result) collectHolders(fn *ssa.Function) {
	defer func() {
		if x := recover(); x != nil {
			r.in.failures = append(r.in.failures, failure(r.in.pass.Pkg.Path(), fn, x))
		}
	}()
	reg := r.Region(fn)
	if reg == nil {
		return
	}
	for _, site := range r.Sites(fn) {
		for _, e := range site.Effects {
			if !holdsUp(e.Effect) || len(e.Frames) > maxHolderFrames {
				continue
			}
			for _, t := range reg.Held(site.Instr) {
				key := r.Field(t.Path)
				if !t.Class.IsLock() || key == "" || slices.Contains(e.Free, t.Path) {
					continue
				}
				h := &Holder{fn, site, e, t.Class == effect.RLock, r.via(t.Path)}
				same := func(old *Holder) bool { return old.via == h.via }
				switch i := slices.IndexFunc(r.holders[key], same); {
				case i < 0:
					r.holders[key] = append(r.holders[key], h)
				case r.holders[key][i].Read && !h.Read:
					r.holders[key][i] = h
				}
			}
		}
	}
}

// holdsUp reports whether an effect keeps those waiting who need what is held.
func holdsUp(e effect.Effect) bool {
	switch e.Kind {
	case effect.Net, effect.DNS, effect.DB, effect.Exec, effect.Sleep:
		return e.Bound.Kind != effect.ConstBound || e.Repeats || e.Bound.Dur > minHold
	}
	return false
}

// exportLock returns the form in which a lock effect leaves a package of the main
// module, and whether it does: only a lock that somebody holds across a wait is
// worth a word there.
func (r *Result) exportLock(e effect.Effect) (effect.Effect, bool) {
	if _, known := HeldAcross(e); known {
		return e, true // another package has said so
	}
	if e.Field == "" || e.Joined {
		return e, false
	}
	h := r.Holder(e.Field, "")
	if h == nil || h.Read && strings.HasSuffix(e.API, ".RLock") {
		return e, false
	}
	frames := h.Effect.Frames
	if len(frames) == 0 {
		return e, false
	}
	e.API += heldAcross + h.Fn.RelString(r.in.pass.Pkg) + " across " + frames[len(frames)-1].Call
	return e, true
}
