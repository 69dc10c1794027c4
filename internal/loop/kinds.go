package loop

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// kinds tells the kinds of event apart that one source sends, by the types that
// the loop asks a received value for.
func (l *Event) kinds(v ssa.Value, s *Source) []*Source {
	if v == nil || !types.IsInterface(v.Type()) || v.Referrers() == nil {
		return nil
	}
	var out []*Source
	for _, r := range *v.Referrers() {
		assert, ok := r.(*ssa.TypeAssert)
		if !ok || !assert.CommaOk {
			continue
		}
		for _, ok := range results(assert, 1) {
			for _, branch := range branches(ok) {
				body := branch.Block().Succs[0]
				if !l.loop.blocks[body] {
					continue
				}
				k := &Source{Name: kindName(assert.AssertedType), Chan: s.Chan, wait: s.wait, Kind: true, blocks: l.loop.round(body, nil)}
				out = append(out, k)
			}
		}
	}
	return out
}

func kindName(t types.Type) string {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if named, ok := types.Unalias(t).(*types.Named); ok {
		return named.Obj().Name()
	}
	return types.TypeString(t, func(*types.Package) string { return "" })
}

// byValue notes the kinds of event that the loop tells apart by comparing a
// received value, or a part of it, with constants.
func (l *Event) byValue(v ssa.Value, s *Source) {
	if v == nil {
		return
	}
	var out []*Source
	for part := range l.parts(v) {
		if _, ok := types.Unalias(part.Type()).Underlying().(*types.Basic); !ok || part.Referrers() == nil {
			continue
		}
		for _, r := range *part.Referrers() {
			cmp, ok := r.(*ssa.BinOp)
			if !ok || cmp.Op != token.EQL || cmp.X != part {
				continue
			}
			c, ok := cmp.Y.(*ssa.Const)
			if !ok || c.Value == nil || c.Value.Kind() == constant.Bool {
				continue
			}
			for _, branch := range branches(cmp) {
				body := branch.Block().Succs[0]
				if !l.loop.blocks[body] {
					continue
				}
				blocks := l.loop.round(body, nil)
				for b := range blocks {
					if !body.Dominates(b) {
						delete(blocks, b) // common to several kinds
					}
				}
				if len(blocks) > 0 {
					out = append(out, &Source{Name: constName(c), Pos: cmp.Pos(), Chan: s.Chan, wait: s.wait, Kind: true, blocks: blocks})
				}
			}
		}
	}
	if len(out) > 1 {
		slices.SortStableFunc(out, func(a, b *Source) int { return int(a.Pos) - int(b.Pos) })
		l.ByValue = append(l.ByValue, out...)
	}
}

// parts are a received value and what take has found to be a part of it.
func (l *Event) parts(v ssa.Value) map[ssa.Value]bool {
	one := &Event{received: make(map[ssa.Value]bool)}
	one.take(v)
	return one.received
}

// constName is how a person writes a constant: by its name, if its type is one
// of several named ones.
func constName(c *ssa.Const) string {
	if named, ok := types.Unalias(c.Type()).(*types.Named); ok && named.Obj().Pkg() != nil {
		scope := named.Obj().Pkg().Scope()
		for _, name := range scope.Names() {
			k, ok := scope.Lookup(name).(*types.Const)
			if ok && types.Identical(k.Type(), named) && constant.Compare(k.Val(), token.EQL, c.Value) {
				return name
			}
		}
	}
	return strings.TrimSpace(c.Value.ExactString())
}
