package nodeadline

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/deadline"
	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/ir"
	"github.com/concvet/concvet/internal/report"
	"github.com/concvet/concvet/internal/summary"
)

// connection reports whether the effect is a read of, or a handshake on, a
// connection that was dialled or accepted in this function, by a constructor, or
// by whoever starts the goroutine, and that nothing gives a deadline.
func (c *checker) connection(v *verdict) bool {
	e := v.effect
	if !waitsForPeer(e) || e.On == "" {
		return false
	}
	if _, sel := e.On.Split(); sel != "" && sel != ".conn" { // the part of a net.TCPConn that reads
		return false
	}
	root := c.res.Root(e.On)
	if root == nil || !isConn(root.Type()) {
		return false
	}
	o := c.fresh(root, 0)
	if o == nil || c.tunnel(v.fn, c.res.Path(root)) {
		return false
	}
	if strings.HasSuffix(e.API, "Context") { // the handshake, not the connection, is given the deadline
		switch e.Ends.End {
		case effect.EndNever:
		case effect.EndCancel:
			v.tier = report.Audit
		default:
			return false
		}
	}
	wants := waitsForPeer
	if o.accepted {
		wants = firstRead
	}
	if !wants(e) {
		return false
	}
	exposed, again := c.res.Exposed(v.site.Instr, root, wants)
	if !exposed {
		return false
	}
	if again {
		if o.accepted {
			return false // it waits for requests, which come when they come
		}
		v.tier = report.Audit // it waits for what the peer has to say next
	}
	if o.local || !e.Direct && !firstRead(e) { // a helper that copies is mostly one of two directions
		v.tier = report.Audit
	}
	v.ends, v.accepted = o.ends, o.accepted
	return true
}

// An opening is where a connection comes from.
type opening struct {
	ends     deadline.Value
	accepted bool // by a listener
	local    bool // of this machine
}

// maxHandOver is from how many goroutines on a connection is followed back.
const maxHandOver = 3

// fresh says where a connection comes from that nobody has talked to yet, nil if
// that is not known.
func (c *checker) fresh(root ssa.Value, depth int) *opening {
	if p, ok := root.(*ssa.Parameter); ok {
		return c.handedOver(p, depth)
	}
	if ch := received(root); ch != nil {
		return c.sentOn(ch, depth)
	}
	ends := c.res.Deadlines().Of(root)
	if ends.End != effect.EndNever || c.res.MadeArmed(root) {
		return nil
	}
	o := &opening{ends: ends}
	var call ssa.CallInstruction
	switch x := root.(type) {
	case *ssa.Call:
		call = x
	case *ssa.Extract:
		call, _ = x.Tuple.(*ssa.Call)
	}
	if call != nil {
		o.accepted = c.res.Source(call) == effect.Conns
		args := c.res.Callee(call).Args
		if o.accepted && len(args) > 0 {
			if made, ok := c.madeBy(args[0]); ok {
				args = made
			}
		}
		o.local = sameMachine(args)
	}
	return o
}

// madeBy returns the arguments of the call that made a value.
func (c *checker) madeBy(v ssa.Value) ([]ssa.Value, bool) {
	x, ok := c.res.Root(c.res.Path(v)).(*ssa.Extract)
	if !ok {
		return nil, false
	}
	call, ok := x.Tuple.(*ssa.Call)
	if !ok {
		return nil, false
	}
	return c.res.Callee(call).Args, true
}

// handedOver is where the connection comes from that a function is started with
// as a goroutine, if every call of it gives it a fresh one. Calls that wait for
// the function are places of their own.
func (c *checker) handedOver(p *ssa.Parameter, depth int) *opening {
	if depth == maxHandOver {
		return nil
	}
	fn := p.Parent()
	i := 0
	for fn.Params[i] != p {
		i++
	}
	calls, ok := c.callsOf(fn)
	if !ok {
		return nil
	}
	var out *opening
	for _, call := range calls {
		args := c.res.Callee(call).Args
		if _, isGo := call.(*ssa.Go); !isGo || i >= len(args) {
			return nil
		}
		path := c.res.Path(args[i])
		root := c.res.Root(path)
		if _, sel := path.Split(); sel != "" || root == nil || !isConn(root.Type()) || c.res.Armed(call, root) {
			return nil
		}
		o := c.fresh(root, depth+1)
		if o == nil || out != nil && out.accepted != o.accepted {
			return nil
		}
		if out == nil {
			out = o
		}
		out.local = out.local && o.local
	}
	return out
}

// callsOf lists the calls of a function, outside tests; it is false if it may be
// called from elsewhere.
func (c *checker) callsOf(fn *ssa.Function) ([]ssa.CallInstruction, bool) {
	if c.callers == nil {
		c.findCallers()
	}
	calls := c.callers[fn]
	return calls, len(calls) > 0 && !c.mentioned[fn]
}

func (c *checker) findCallers() {
	c.callers = make(map[*ssa.Function][]ssa.CallInstruction)
	c.mentioned = make(map[*ssa.Function]bool)
	var buf [8]*ssa.Value
	for _, fn := range c.res.Funcs() {
		if c.res.InTest(fn) {
			continue
		}
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				call, isCall := instr.(ssa.CallInstruction)
				if isCall {
					if body := c.res.Callee(call).Body; body != nil {
						c.callers[body] = append(c.callers[body], call)
					}
				}
				for _, op := range instr.Operands(buf[:0]) {
					f, ok := (*op).(*ssa.Function)
					if !ok || isCall && *op == call.Common().Value {
						continue
					}
					if mc, ok := instr.(*ssa.MakeClosure); ok && onlyCalled(mc) {
						continue
					}
					c.mentioned[f] = true
				}
			}
		}
	}
}

// onlyCalled reports whether a closure is used in calls only.
func onlyCalled(mc *ssa.MakeClosure) bool {
	if mc.Referrers() == nil {
		return false
	}
	for _, r := range *mc.Referrers() {
		if call, ok := r.(ssa.CallInstruction); !ok || call.Common().Value != ssa.Value(mc) {
			return false
		}
	}
	return true
}

// tunnel reports whether a function or a literal in it copies to the connection
// what comes from somewhere else, too: it passes on what two peers say for as
// long as they talk.
func (c *checker) tunnel(fn *ssa.Function, conn effect.Path) bool {
	fn = ir.Outermost(fn)
	return c.copiesTo(fn, conn, 0)
}

func (c *checker) copiesTo(fn *ssa.Function, conn effect.Path, depth int) bool {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok {
				continue
			}
			callee := c.res.Callee(call)
			for i, a := range callee.Args {
				if c.res.Path(a) != conn {
					continue
				}
				if i == 0 && copies(callee.Func) {
					return true
				}
				if body := callee.Body; body != nil && depth < maxHandOver && i < len(body.Params) && c.copiesTo(body, c.res.Path(body.Params[i]), depth+1) {
					return true
				}
			}
		}
	}
	for _, lit := range fn.AnonFuncs {
		if c.copiesTo(lit, conn, depth) {
			return true
		}
	}
	return false
}

func copies(fn *types.Func) bool {
	return fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == "io" && (fn.Name() == "Copy" || fn.Name() == "CopyBuffer")
}

// waitsForPeer reports whether an effect is one that waits for the peer of a
// connection to speak.
func waitsForPeer(e summary.SiteEffect) bool {
	if e.Kind != effect.Net && e.Kind != effect.IO || e.As != "" && e.As != "io" {
		return false
	}
	if e.As == "io" {
		return true
	}
	name := e.API[strings.LastIndexByte(e.API, '.')+1:]
	for _, word := range []string{"Read", "Handshake", "Decode", "Scan", "Copy", "Peek", "Fscan"} {
		if strings.HasPrefix(name, word) {
			return true
		}
	}
	return false
}

// firstRead reports whether an effect is one that waits for a part of what the
// peer of a connection says, not for all that it ever will.
func firstRead(e summary.SiteEffect) bool {
	return waitsForPeer(e) && e.API != "io.Copy" && e.API != "io.CopyBuffer"
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
