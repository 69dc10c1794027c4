package summary

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/concvet/concvet/internal/effect"
)

// A Fact carries the summary of one function to the packages that import it.
// It is a string, so that reading the facts of a dependency costs nothing for
// the functions that are never called. The name of the type is the version of
// the format: a changed format gets another name.
type Fact struct{ Text string }

// AFact marks the type for the analysis framework.
func (*Fact) AFact() {}

// String is the summary in the language of the fact tests.
func (f *Fact) String() string {
	s, err := effect.Decode(f.Text)
	if err != nil {
		return err.Error()
	}
	return s.String()
}

// imported returns the summary that another package exported for fn. A fact
// that cannot be read stops the analysis of the package: taking it for "does
// nothing" would hide findings.
func imported(pass *analysis.Pass, fn *types.Func) (*effect.Summary, error) {
	var f Fact
	if !pass.ImportObjectFact(fn, &f) {
		return nil, nil
	}
	return effect.Decode(f.Text)
}

// exportable reports whether another package can reach fn: it is exported, or
// a method that an exported type or an interface hands out.
func exportable(fn *types.Func) bool {
	return fn != nil && fn.Exported() && fn.Name() != "_"
}

// maxDepFrames is how many frames of a witness leave a dependency: enough to
// name the call and what blocks in the end.
const maxDepFrames = 2

// export returns the form of s that leaves the package: no paths that only make
// sense inside it, and for a dependency only short witnesses, since every
// importer carries the facts of all it imports.
//
// The locks that leave it are those for which lock gives a form; nil gives none.
func export(s *effect.Summary, dependency bool, lock func(effect.Effect) (effect.Effect, bool)) *effect.Summary {
	out := &effect.Summary{Omitted: s.Omitted}
	var last effect.Kind
	for _, e := range s.Effects {
		switch e.Kind {
		case effect.Spawn:
			if dependency {
				continue // how many goroutines a library starts is its business
			}
		case effect.Lock:
			ok := false
			if !dependency && lock != nil {
				e, ok = lock(e)
			}
			if !ok {
				continue
			}
		case effect.Turn:
			if dependency {
				continue
			}
		case effect.File, effect.DNS:
			// Libraries resolve what is most often an address already.
			if dependency {
				continue
			}
		case effect.ChanSend, effect.ChanRecv, effect.Select, effect.Cond, effect.GroupWait, effect.Acquire:
			// How a library's own goroutines wait for each other is its
			// business, unless it waits on a channel that it is given.
			if _, isParam := e.On.Param(); dependency && (!isParam || strings.ContainsAny(string(e.On), ".[") || e.On == "recv") {
				continue
			}
		}
		e.On, e.Pool = public(e.On), public(e.Pool)
		if e.Pool == "" {
			e.Without = ""
		}
		e.Free = publicList(e.Free)
		if e.Kind == effect.IO && e.On == "" {
			continue
		}
		if dependency {
			if e.Kind == last && e.Pool == "" && e.On == "" {
				continue // one of a kind tells as much as four
			}
			last = e.Kind
			e.Frames = effect.CutFrames(e.Frames, maxDepFrames)
		}
		out.Effects = append(out.Effects, e)
	}
	for _, c := range s.Calls {
		c.Held = append([]effect.Held(nil), c.Held...)
		for i := range c.Held {
			c.Held[i].Path = public(c.Held[i].Path)
		}
		c.Free = publicList(c.Free)
		if dependency {
			c.Frames = nil
		}
		out.Calls = append(out.Calls, c)
	}
	for _, a := range s.Acquires {
		a.Pool = public(a.Pool)
		out.Acquires = append(out.Acquires, a)
	}
	out.Releases, out.Keeps = publicList(s.Releases), publicList(s.Keeps)
	for _, l := range s.Locks {
		if l.Path = public(l.Path); l.Path != "" {
			out.Locks = append(out.Locks, l)
		}
	}
	for _, l := range s.Unlocks {
		if l.Path = public(l.Path); l.Path != "" {
			out.Unlocks = append(out.Unlocks, l)
		}
	}
	for _, l := range s.Links {
		if l.From = public(l.From); l.From != "" {
			out.Links = append(out.Links, l)
		}
	}
	if !dependency {
		out.Symbolic = s.Symbolic
		for _, t := range s.Tasks {
			if t.Pool = public(t.Pool); t.Pool != "" && t.How != effect.OnChan && t.How != effect.Kept {
				out.Tasks = append(out.Tasks, t)
			}
		}
		out.Limits = publicList(s.Limits)
		if s.Made != nil {
			out.Made = export(s.Made, dependency, nil)
		}
	}
	out.Normalize()
	return out
}

func public(p effect.Path) effect.Path {
	if len(p) >= 2 && p[:2] == "l:" {
		return ""
	}
	return p
}

func publicList(list []effect.Path) []effect.Path {
	var out []effect.Path
	for _, p := range list {
		if p = public(p); p != "" {
			out = append(out, p)
		}
	}
	return out
}
