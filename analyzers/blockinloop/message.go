package blockinloop

import (
	"fmt"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/report"
)

// add writes a verdict down.
func (c *checker) add(v *verdict) {
	start, end := report.Range(c.pass.Files, v.site.Pos)
	f := report.Finding{
		Pos: start, End: end, Slug: v.slug, Tier: v.tier, Message: c.message(v), Resource: v.label,
	}
	if v.on != nil {
		f.Resource = strings.Join(v.on.Names(), " ")
		text := "the loop waits here"
		f.Frames = append(f.Frames, report.Frame{Pos: report.Place(c.pass.Fset, v.on.Pos), Text: text})
		f.Related = append(f.Related, analysis.RelatedInformation{Pos: v.on.Pos, Message: text})
	}
	for _, fr := range v.effect.Frames {
		f.Frames = append(f.Frames, report.Frame{Pos: fr.Pos, Text: fr.Call})
	}
	for _, fr := range v.effect.Frames[min(1, len(v.effect.Frames)):] {
		if pos := report.PosOf(c.pass, fr.Pos); pos.IsValid() {
			f.Related = append(f.Related, analysis.RelatedInformation{Pos: pos, Message: fr.Call})
		}
	}
	if h := v.holder; h != nil {
		text := "held across " + what(h.Effect.Effect)
		f.Frames = append(f.Frames, report.Frame{Pos: report.Place(c.pass.Fset, h.Site.Pos), Text: text})
		f.Related = append(f.Related, analysis.RelatedInformation{Pos: h.Site.Pos, Message: text})
	}
	f.Fixes, f.Unsafe = c.fixes(v)
	c.report.Add(f)
}

func (c *checker) message(v *verdict) string {
	wait := what(v.effect.Effect)
	if v.heldBy != "" {
		wait += ", held by " + v.heldBy + ","
	}
	var s string
	switch v.slug {
	case EventLoop:
		s = fmt.Sprintf("%s in an event loop, which also serves %s: %s meanwhile", wait, list(v.delayed), late(v.delayed))
	case AcceptLoop:
		s = wait + " in an accept loop: nobody else is accepted meanwhile, and a peer that stays silent stops the server"
	case IgnoresStop:
		s = fmt.Sprintf("%s in a loop that ends with %s: it cannot end meanwhile", wait, list(v.delayed))
	case Callback:
		s = fmt.Sprintf("%s in a function that runs on the %s: nothing else is handled there meanwhile", wait, v.label)
	case Latency:
		s = wait + " in code that must not wait (//concvet:latency)"
	}
	if v.more > 0 {
		s += fmt.Sprintf(" (and %d more waits of this loop)", v.more)
	}
	return s
}

func late(names []string) string {
	if len(names) == 1 {
		return "it is late"
	}
	return "they are late"
}

// list writes names as "a, b and c".
func list(names []string) string {
	var known []string
	for _, name := range names {
		if name == "" {
			name = "another channel"
		}
		known = append(known, name)
	}
	if len(known) > 4 {
		known = append(known[:3:3], "others")
	}
	switch len(known) {
	case 0:
		return "others"
	case 1:
		return known[0]
	}
	return strings.Join(known[:len(known)-1], ", ") + " and " + known[len(known)-1]
}

// what describes a wait, with the way that leads to it.
func what(e effect.Effect) string {
	kind := ""
	switch e.Kind {
	case effect.Sleep:
		kind = "a sleep"
	case effect.Net:
		kind = "an outbound call"
	case effect.DNS:
		kind = "a name lookup"
	case effect.DB:
		kind = "a database call"
	case effect.Exec:
		kind = "a wait for another process"
	case effect.File:
		kind = "file access"
	case effect.Fsync:
		kind = "a flush to disk"
	case effect.ChanSend:
		kind = "a send"
	case effect.ChanRecv:
		kind = "a receive"
	case effect.Select:
		kind = "a select"
	case effect.GroupWait:
		kind = "a wait for other goroutines"
	case effect.Cond:
		kind = "a wait on a condition variable"
	case effect.Acquire, effect.Submit:
		kind = "a wait for a free slot"
	case effect.Lock:
		kind = "a wait for a lock"
	case effect.CPU:
		kind = "a long computation"
	}
	return kind + " (" + effect.Through(e.Frames) + ")"
}
