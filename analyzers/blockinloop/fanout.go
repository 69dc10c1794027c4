package blockinloop

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/loop"
	"github.com/concvet/concvet/internal/report"
	"github.com/concvet/concvet/internal/summary"
)

// judgeFanOut says whether an effect keeps a loop from reading on that reads
// from one peer and writes to many: the slowest of them stops the sender, and
// all after it.
func (c *checker) judgeFanOut(l *loop.Event, site *summary.Site, e summary.SiteEffect) *verdict {
	if l.Peer == nil || len(l.Live) > 0 || e.Kind != effect.Net || short(e.Effect) || !writes(e.API) || !c.toMany(l, site, e) {
		return nil
	}
	peer := c.res.NameOf(c.res.Path(l.Peer))
	if peer == "" {
		peer = "this connection"
	}
	return &verdict{slug: EventLoop, tier: report.Default, on: l, delayed: []string{"the peer behind " + peer}}
}

// writes reports whether a function writes to what it is given.
func writes(api string) bool {
	name := api[strings.LastIndexByte(api, '.')+1:]
	for _, verb := range []string{"Write", "Fprint", "Flush", "Send", "Encode"} {
		if strings.HasPrefix(name, verb) {
			return true
		}
	}
	return false
}

// toMany reports whether a write is done for each of several connections, in a
// loop inside the one that reads: here or in the function that is called.
func (c *checker) toMany(l *loop.Event, site *summary.Site, e summary.SiteEffect) bool {
	if !l.Direct(site.Instr) {
		return c.one(e.On) || len(e.Frames) > 1 && c.receiverIsOne(site.Instr)
	}
	call, ok := site.Instr.(*ssa.Call)
	if !ok || len(e.Frames) < 2 {
		return false
	}
	body := c.res.Call(call.Common()).Body
	if body == nil {
		return false
	}
	for _, s := range c.res.Sites(body) {
		for _, inner := range s.Effects {
			if inner.Kind == e.Kind && inner.API == e.API && loop.Repeats(s.Instr) && (c.one(inner.On) || len(inner.Frames) > 1 && c.receiverIsOne(s.Instr)) {
				return true
			}
		}
	}
	return false
}

// receiverIsOne reports whether a call is of a method of one of many.
func (c *checker) receiverIsOne(instr ssa.Instruction) bool {
	call, ok := instr.(*ssa.Call)
	if !ok {
		return false
	}
	called := c.res.Call(call.Common())
	if !called.HasRecv || len(called.Args) == 0 {
		return false
	}
	if _, ok := types.Unalias(called.Args[0].Type()).Underlying().(*types.Pointer); !ok {
		return false
	}
	return c.one(c.res.Path(called.Args[0]))
}
