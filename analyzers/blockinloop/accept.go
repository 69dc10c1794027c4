package blockinloop

import (
	"slices"
	"strings"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/ir"
	"github.com/concvet/concvet/internal/loop"
	"github.com/concvet/concvet/internal/report"
	"github.com/concvet/concvet/internal/summary"
)

// judgeAccept says whether an effect keeps an accept loop from the next peer.
func (c *checker) judgeAccept(l *loop.Event, site *summary.Site, e summary.SiteEffect) *verdict {
	if l.Accepted == nil || short(e.Effect) || unaccepted(site.Instr.Block(), l) {
		return nil
	}
	switch e.Kind {
	case effect.Net, effect.DNS, effect.DB, effect.Exec:
	default:
		return nil
	}
	if l.Foreign && !ofPeer(l, site) {
		return nil
	}
	v := &verdict{slug: AcceptLoop, on: l, tier: report.Default}
	if !l.Foreign && !handsOver(l) {
		v.tier = report.Audit // it serves one peer after the other, and is meant to
	}
	if timedContext(site.Instr) || e.Bound.Kind == effect.Deadline && givenTime(site.Instr) {
		v.tier = report.Audit // a peer that stays silent is given up soon
	}
	return v
}

// longHandshake is how long a peer may take before others mind that it is alone.
const longHandshake = 10 * time.Second

// timedContext reports whether a call gets a context that was made for some
// seconds, or for a time that is not known.
func timedContext(instr ssa.Instruction) bool {
	call, ok := instr.(*ssa.Call)
	if !ok {
		return false
	}
	return slices.ContainsFunc(call.Call.Args, func(a ssa.Value) bool {
		ctx, ok := a.(*ssa.Extract)
		if !ok || !ir.IsContext(a.Type()) {
			return false
		}
		made, ok := ctx.Tuple.(*ssa.Call)
		if !ok {
			return false
		}
		f := made.Call.StaticCallee()
		if f == nil || f.Pkg == nil || f.Pkg.Pkg.Path() != "context" || !strings.HasPrefix(f.Name(), "WithTimeout") {
			return false
		}
		limit, ok := made.Call.Args[1].(*ssa.Const)
		return !ok || limit.Value == nil || time.Duration(limit.Int64()) < longHandshake
	})
}

// givenTime reports whether a call is told how long it may take by something else
// than a constant: an operator has chosen it.
func givenTime(instr ssa.Instruction) bool {
	call, ok := instr.(*ssa.Call)
	return ok && slices.ContainsFunc(call.Call.Args, func(a ssa.Value) bool {
		_, constant := a.(*ssa.Const)
		return !constant && ir.IsNamed(a.Type(), "time", "Duration")
	})
}

// ofPeer reports whether an effect is a wait for the accepted connection: it stands
// after the accept.
func ofPeer(l *loop.Event, site *summary.Site) bool {
	for _, conn := range l.Accepted {
		if x, ok := conn.(ssa.Instruction); ok && x.Block().Dominates(site.Instr.Block()) {
			return true
		}
	}
	return false
}

// unaccepted reports whether a block is reached only where nothing was accepted: a
// loop may wait before it tries again.
func unaccepted(b *ssa.BasicBlock, l *loop.Event) bool {
	for _, conn := range l.Accepted {
		e, ok := conn.(*ssa.Extract)
		if !ok || e.Tuple.Referrers() == nil {
			continue
		}
		for _, r := range *e.Tuple.Referrers() {
			err, ok := r.(*ssa.Extract)
			if !ok || err.Index != 1 || err.Referrers() == nil {
				continue
			}
			for _, r := range *err.Referrers() {
				cmp, ok := r.(*ssa.BinOp)
				if !ok || cmp.Referrers() == nil {
					continue
				}
				for _, r := range *cmp.Referrers() {
					branch, ok := r.(*ssa.If)
					if !ok {
						continue
					}
					bad := branch.Block().Succs[0]
					if cmp.Op.String() == "==" {
						bad = branch.Block().Succs[1]
					}
					if bad.Dominates(b) && len(bad.Preds) == 1 {
						return true
					}
				}
			}
		}
	}
	return false
}

// handsOver reports whether the loop gives its peers to goroutines.
func handsOver(l *loop.Event) bool {
	for _, b := range l.Fn.Blocks {
		for _, instr := range b.Instrs {
			if !l.Has(instr) {
				continue
			}
			switch instr.(type) {
			case *ssa.Go, *ssa.Send, *ssa.Select:
				return true
			}
		}
	}
	return false
}
