package blockinloop

import (
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/loop"
	"github.com/concvet/concvet/internal/summary"
)

// judgeLock says whether a lock that is taken may be held by somebody who waits
// for a peer: only then is it worth a word.
func (c *checker) judgeLock(l *loop.Event, v *verdict, e summary.SiteEffect) bool {
	if e.Joined {
		return false
	}
	if who, ok := summary.HeldAcross(e.Effect); ok {
		v.heldBy = who
		return true
	}
	if e.Field == "" {
		return false
	}
	h := c.res.Holder(e.Field, e.On)
	if h == nil || l != nil && h.Fn == l.Fn {
		return false
	}
	if h.Read && strings.HasSuffix(e.API, ".RLock") {
		return false // readers do not wait for each other
	}
	v.holder = h
	v.heldBy = h.Fn.RelString(c.pass.Pkg) + " across " + what(h.Effect.Effect)
	return true
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
