package nodeadline

import (
	"fmt"
	"go/token"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/report"
)

// maxFixes is for how many findings of one function fixes are looked for.
const maxFixes = 20

// add writes a verdict down.
func (c *checker) add(v *verdict) {
	start, end := report.Range(c.pass.Files, v.site.Pos)
	f := report.Finding{
		Pos: start, End: end, Slug: v.slug, Tier: v.tier,
		Message:  c.message(v),
		Resource: v.effect.API,
	}
	if pos := v.ends.Pos; pos.IsValid() && c.line(pos) > 0 && report.Place(c.pass.Fset, pos) != report.Place(c.pass.Fset, v.site.Pos) {
		text := origin(v)
		f.Frames = append(f.Frames, report.Frame{Pos: report.Place(c.pass.Fset, pos), Text: text})
		f.Related = append(f.Related, analysis.RelatedInformation{Pos: pos, Message: text})
	}
	for i, fr := range v.effect.Frames {
		f.Frames = append(f.Frames, report.Frame{Pos: fr.Pos, Text: fr.Call})
		if pos := report.PosOf(c.pass, fr.Pos); i > 0 && pos.IsValid() {
			f.Related = append(f.Related, analysis.RelatedInformation{Pos: pos, Message: fr.Call})
		}
	}
	if c.perFunc == nil {
		c.perFunc = make(map[*ssa.Function]int)
	}
	if c.perFunc[v.fn]++; c.perFunc[v.fn] <= maxFixes {
		f.Fixes, f.Unsafe = c.fixes(v)
	}
	c.report.Add(f)
}

// origin says what is made at the place where a value comes from.
func origin(v *verdict) string {
	switch v.slug {
	case HTTPServer:
		return "the server is made here, without timeouts"
	case ConnIO:
		if v.accepted {
			return "the connection is accepted here"
		}
		return "the connection is made here"
	case Exec:
		return "the command is made here"
	case HTTPClient, Dial:
		return "made here, without a limit"
	}
	return "the context that never ends"
}

// message is the sentence a maintainer reads: what waits, why nothing ends it,
// and what that costs.
func (c *checker) message(v *verdict) string {
	what := effect.Through(v.effect.Frames)
	cancel := v.ends.End == effect.EndCancel
	var text string
	switch v.slug {
	case HTTPClient:
		text = what + " has no deadline: neither the request's context nor the client limits it, so a peer that accepts and says nothing keeps the caller for ever"
		if cancel {
			text = what + " has no deadline: its context only ends when somebody cancels it, and the client has no timeout"
		}
	case HTTPServer:
		text = what + " serves without ReadHeaderTimeout or ReadTimeout: every client that connects and sends nothing keeps a connection and a goroutine for ever"
	case Dial:
		text = what + " has no deadline: a host that does not answer keeps the caller until the kernel gives up, one that accepts and says nothing for ever"
	case ConnIO:
		text = what + " waits on a fresh connection that has no deadline: a peer that accepts and says nothing keeps the caller for ever"
		if v.kept {
			text = what + " waits on a connection that nothing gives a deadline, neither here nor where it is made: a peer that says nothing keeps the caller for ever"
		}
		if v.accepted {
			text = what + " waits on a connection that was just accepted and has no deadline: every client that connects and says nothing keeps a goroutine and a descriptor for ever"
		}
	case Exec:
		text = what + " waits for a process that nothing kills: no deadline in its context, no timer"
		if cancel {
			text = what + " waits for a process that only a cancel kills, no deadline"
		}
	case SQL:
		text = what + " has no context: a statement that waits for a lock or for a connection of the pool keeps the caller for as long as it takes"
	case RPC:
		text = what + " has neither a context nor a timeout: a server that stops answering keeps the caller for ever; use Go and a timer"
	case Shutdown:
		text = what + " waits for the last connection or task, however long that takes: its context never ends"
		if cancel {
			text = what + " waits for the last connection or task: its context has no deadline"
		}
	default:
		text = "a context that never ends reaches " + what + ", which waits for as long as the context lives"
		if cancel {
			text = "a context without a deadline reaches " + what + ": only a cancel ends the wait"
		}
	}
	switch {
	case v.more > 0 && v.slug == SQL && !c.handed(v.fn):
		text += fmt.Sprintf(" (and %d more statements without one in the package)", v.more)
	case v.more > 0 && v.slug == ConnIO:
		text += fmt.Sprintf(" (and %d more of the same connection)", v.more)
	case v.more > 0 && v.slug == HTTPServer:
		text += fmt.Sprintf(" (and %d more with this server)", v.more)
	case v.more > 0:
		text += fmt.Sprintf(" (and %d more of this kind in the package)", v.more)
	}
	return text
}

func (c *checker) line(pos token.Pos) int { return c.pass.Fset.Position(pos).Line }
