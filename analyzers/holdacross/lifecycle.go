package holdacross

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/ir"
	"github.com/concvet/concvet/internal/region"
	"github.com/concvet/concvet/internal/report"
	"github.com/concvet/concvet/internal/summary"
)

// lifecycle moves to the audit tier what is held by a lock that exists to
// serialise start and stop, or by one of many locks chosen by a key.
func (c *checker) lifecycle(fn *ssa.Function, t *region.Thing, v *verdict) *verdict {
	if n := len(v.effect.Frames); n >= effect.MaxFrames || n == effect.MaxFrames-1 && c.res.Foreign(v.effect.Frames[n-1]) {
		v.tier = report.Audit // the way there is long enough to be improbable
	}
	if strings.Contains(string(t.Path), "[") && v.effect.Kind != effect.Sleep {
		v.tier = report.Audit
	}
	if use := c.lockUse(t); use != nil && (use.lifecycleOnly() || use.job(t.Path.Last(), c.siblings(t.Path))) {
		v.tier = report.Audit
	}
	if c.freshObject(t) || c.lazyInit(fn, t, v) || tearsDown(fn, v.effect) || starting(fn) {
		v.tier = report.Audit
	}
	if v.tier == report.Default && v.dead == "" && (c.atTurn(fn) || c.byPurpose(fn, v) || !c.suffers(fn, v)) {
		v.tier = report.Audit
	}
	return v
}

// tearsDown reports whether a function that ends things waits for a connection to
// close: nobody should get the lock before it has.
func tearsDown(fn *ssa.Function, e summary.SiteEffect) bool {
	return e.Kind == effect.Net && strings.HasSuffix(e.API, ".Close") && contains(ir.Outermost(fn).Name(), endWords...)
}

var endWords = []string{"close", "stop", "shutdown", "teardown", "disconnect", "kill"}

// stopping reports whether a function is there to end things. Who wants its lock
// wants something that is about to be gone.
func stopping(fn *ssa.Function) bool {
	name := strings.ToLower(ir.Outermost(fn).Name())
	return slices.ContainsFunc(endWords, func(w string) bool {
		return name == w || strings.HasPrefix(name, w) && !strings.HasPrefix(name, w+"d") || strings.HasSuffix(name, w)
	})
}

// starting reports whether a function starts a program or a package, and fills
// what a lock guards before anybody else can want it.
func starting(fn *ssa.Function) bool {
	fn = ir.Outermost(fn)
	name := strings.ToLower(fn.Name())
	return fn.Synthetic == "" && (fn.Signature.Recv() == nil && strings.HasPrefix(name, "init") || name == "start")
}

// timed reports whether a deadline is set on a connection before at.
func timed(at ssa.Instruction) bool {
	for instr := range ir.Before(at) {
		call, ok := instr.(*ssa.Call)
		if !ok {
			continue
		}
		name := ""
		if call.Call.IsInvoke() {
			name = call.Call.Method.Name()
		} else if callee := call.Call.StaticCallee(); callee != nil {
			name = callee.Name()
		}
		switch name {
		case "SetDeadline", "SetReadDeadline", "SetWriteDeadline":
			return true
		}
	}
	return false
}

// freshObject reports whether the lock belongs to an object that this very
// function has made: hardly anybody else can want it yet.
func (c *checker) freshObject(t *region.Thing) bool {
	if _, sel := t.Path.Split(); sel == "" {
		return false
	}
	_, ok := c.res.Root(t.Path).(*ssa.Alloc)
	return ok
}
