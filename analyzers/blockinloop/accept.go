package blockinloop

import (
	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/loop"
	"github.com/concvet/concvet/internal/report"
	"github.com/concvet/concvet/internal/summary"
)

// judgeAccept says whether an effect keeps an accept loop from the next peer.
func (c *checker) judgeAccept(l *loop.Event, site *summary.Site, e summary.SiteEffect) *verdict {
	if l.Accepted == nil || short(e.Effect) || failed(site.Instr.Block(), l) {
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
	return v
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

// failed reports whether a block is reached only where nothing was accepted: a
// loop may wait before it tries again.
func failed(b *ssa.BasicBlock, l *loop.Event) bool {
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
