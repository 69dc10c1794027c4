package unboundedqueue

import (
	"fmt"
	"go/token"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/loop"
	"github.com/concvet/concvet/internal/report"
)

// add writes a finding about a site down.
func (c *checker) add(f found) {
	start, end := report.Range(c.pass.Files, f.site.Pos)
	out := report.Finding{Pos: start, End: end, Slug: f.slug, Tier: f.tier, Message: c.message(f), Resource: f.slug + " " + f.load.feed.Kind.String()}
	if at := f.load.feed.At; at != nil && f.load.once == effect.NoSource {
		if pos := c.feedPos(f.load.feed); pos.IsValid() {
			text := "here " + c.arrives(f.load.feed)
			out.Frames = append(out.Frames, report.Frame{Pos: report.Place(c.pass.Fset, pos), Text: text})
			out.Related = append(out.Related, analysis.RelatedInformation{Pos: pos, Message: text})
		}
	}
	for i, fr := range f.effect.Frames {
		out.Frames = append(out.Frames, report.Frame{Pos: fr.Pos, Text: fr.Call})
		if pos := report.PosOf(c.pass, fr.Pos); i > 0 && pos.IsValid() {
			out.Related = append(out.Related, analysis.RelatedInformation{Pos: pos, Message: fr.Call})
		}
	}
	out.Fixes, out.Unsafe = c.fixes(f)
	c.report.Add(out)
}

// feedPos is where the element is taken that a loop runs once more for.
func (c *checker) feedPos(f loop.Feed) token.Pos {
	if sel, ok := f.At.(*ssa.Select); ok && f.Case >= 0 {
		if pos := sel.States[f.Case].Pos; pos.IsValid() {
			return pos
		}
	}
	if f.At.Pos().IsValid() {
		return f.At.Pos()
	}
	for _, instr := range f.At.Block().Instrs {
		if instr.Pos().IsValid() {
			return instr.Pos()
		}
	}
	if f.Value != nil {
		return f.Value.Pos()
	}
	return token.NoPos
}

// arrives says what comes in by a feed.
func (c *checker) arrives(f loop.Feed) string {
	switch f.Kind {
	case loop.Accept:
		return "a connection is accepted"
	case loop.Consume:
		return "the next message is read"
	case loop.Chan:
		return "a value is received"
	}
	return "the next element is taken"
}

// each names what a goroutine is started for.
func (c *checker) each(l load) string {
	switch l.once {
	case effect.Conns:
		return "request"
	case effect.Items:
		return "message"
	}
	name := ""
	if l.feed.Value != nil {
		name = c.name(l.feed.Value)
	}
	switch l.feed.Kind {
	case loop.Accept:
		return "connection"
	case loop.Consume:
		if name == "" {
			return "message that is read"
		}
		return "message that is read from " + name
	case loop.Chan:
		if name == "" {
			return "value that is received"
		}
		return "value that is received from " + name
	case loop.Map:
		if name == "" {
			return "entry of a map"
		}
		return "entry of " + name
	}
	if name == "" {
		return "element of a list"
	}
	return "element of " + name
}

// name is what a person calls a value, "" if nothing.
func (c *checker) name(v ssa.Value) string { return c.res.NameOf(c.res.Path(v)) }

// message is the sentence a maintainer reads: what is started for each of what,
// what it does, and what that means.
func (c *checker) message(f found) string {
	each, via := c.each(f.load), ""
	if n := len(f.effect.Frames); n > 1 {
		var calls []string
		for _, fr := range f.effect.Frames[:n-1] {
			calls = append(calls, fr.Call)
		}
		if len(calls) > 3 {
			calls = append(calls[:2:2], "…", calls[len(calls)-1])
		}
		via = " (" + f.effect.Frames[n-1].Call + " via " + strings.Join(calls, ", ") + ")"
	}
	switch f.slug {
	case LateAcquire:
		if f.effect.Does.Has(effect.Acquire) {
			return fmt.Sprintf("a goroutine is started for every %s%s and waits inside for its slot: the slots limit the work, but not the goroutines, which wait with all they hold; take the slot first", each, via)
		}
		return fmt.Sprintf("a goroutine is started for every %s%s only to hand something on: the queue that limits it is made of goroutines; send first, or drop when there is no room", each, via)
	case NoLimit:
		return fmt.Sprintf("the group starts a goroutine for every %s%s and has no limit%s; call SetLimit", each, via, c.doing(f))
	case PoolDefault:
		return fmt.Sprintf("the pool starts a goroutine for every %s%s: it has no limit unless one is asked for%s", each, via, c.doing(f))
	case AcceptSpawn:
		return fmt.Sprintf("a goroutine is started for every connection%s and nothing limits how many connections are open; a LimitListener would", via)
	}
	if c.res.Grows(f.effect.API) == "timer" {
		return fmt.Sprintf("a timer is set for every %s%s, and its function runs in a goroutine of its own: nothing limits how many wait or run at once%s", each, via, c.doing(f))
	}
	return fmt.Sprintf("a goroutine is started for every %s%s and nothing limits how many there are at once%s", each, via, c.doing(f))
}

// doing says what each of the goroutines does, as far as that is known.
func (c *checker) doing(f found) string {
	w := f.effect.Does
	var what string
	switch {
	case w.Has(effect.Net):
		what = "makes an outbound call"
	case w.Has(effect.DB):
		what = "queries the database"
	case w.Has(effect.Exec):
		what = "runs another process"
	case w.Has(effect.File, effect.Fsync):
		what = "works on files"
	case w.Has(effect.DNS):
		what = "resolves a name"
	case w.Has(effect.Sleep):
		what = "sleeps"
	case w.Has(effect.ChanSend, effect.ChanRecv, effect.Select, effect.Cond, effect.GroupWait):
		what = "waits for other goroutines"
	case w&effect.Opaque != 0:
		what = "may take as long as it likes"
	default:
		return ""
	}
	return ": each " + what
}
