package nodeadline

import (
	"go/types"
	"strings"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/report"
	"github.com/concvet/concvet/internal/summary"
)

// connection reports whether the effect is a read of, or a handshake on, a
// connection that was made in this function, or by a constructor, and that
// nothing gives a deadline.
func (c *checker) connection(v *verdict) bool {
	e := v.effect
	if e.Kind != effect.Net && e.Kind != effect.IO || e.On == "" || e.Bound.Kind != effect.Unbounded || e.As != "" && e.As != "io" {
		return false
	}
	if !reads(e) {
		return false
	}
	if _, sel := e.On.Split(); sel != "" {
		return false
	}
	root := c.res.Root(e.On)
	if root == nil || c.res.Deadlines().Of(root).End != effect.EndNever {
		return false
	}
	if !isConn(root.Type()) || c.res.Stopped(v.site.Instr, root) {
		return false
	}
	if c.res.Loops(v.site.Instr) {
		v.tier = report.Audit // it waits for what the peer has to say next
	}
	v.ends = c.res.Deadlines().Of(root)
	return true
}

// reads reports whether an effect is one that waits for the peer to speak.
func reads(e summary.SiteEffect) bool {
	if e.As == "io" {
		return true
	}
	name := e.API[strings.LastIndexByte(e.API, '.')+1:]
	for _, word := range []string{"Read", "Handshake", "Decode", "Scan", "Copy"} {
		if strings.HasPrefix(name, word) {
			return true
		}
	}
	return false
}

func isConn(t types.Type) bool {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	named, ok := t.(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return false
	}
	path := named.Obj().Pkg().Path()
	return (path == "net" || path == "crypto/tls") && strings.HasSuffix(named.Obj().Name(), "Conn")
}
