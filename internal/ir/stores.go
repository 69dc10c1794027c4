package ir

import (
	"golang.org/x/tools/go/ssa"
)

// onlyStore returns the single store to a local variable, nil if there are
// several or if some cannot be seen.
func (p *Paths) onlyStore(a *ssa.Alloc) *ssa.Store {
	info := p.allocInfo(a)
	if info.opaque || len(info.stores) != 1 {
		return nil
	}
	return info.stores[0]
}

func (p *Paths) allocInfo(a *ssa.Alloc) *allocInfo {
	if info, ok := p.stores[a]; ok {
		return info
	}
	info := &allocInfo{}
	p.stores[a] = info
	p.collectStores(a, info, 0)
	return info
}

// collectStores finds the stores to the variable at address v, in its function
// and in the literals that capture it.
func (p *Paths) collectStores(v ssa.Value, info *allocInfo, depth int) {
	refs := v.Referrers()
	if refs == nil || depth > 16 {
		info.opaque = true
		return
	}
	for _, r := range *refs {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr == v {
				info.stores = append(info.stores, r)
			} else {
				info.opaque = true
			}
		case *ssa.UnOp, *ssa.DebugRef, *ssa.FieldAddr, *ssa.IndexAddr:
		case *ssa.MakeClosure:
			fn, ok := r.Fn.(*ssa.Function)
			if !ok {
				info.opaque = true
				continue
			}
			for i, b := range r.Bindings {
				if b == v && i < len(fn.FreeVars) {
					p.collectStores(fn.FreeVars[i], info, depth+1)
				}
			}
		default:
			info.opaque = true
		}
	}
}

// reachingStore returns the store that a load of a local variable certainly
// sees: the last one before it in its block, or in the blocks that lead there
// and nowhere else.
func reachingStore(load *ssa.UnOp, alloc *ssa.Alloc) *ssa.Store {
	block := load.Block()
	if block == nil {
		return nil
	}
	end := len(block.Instrs)
	for i, instr := range block.Instrs {
		if instr == ssa.Instruction(load) {
			end = i
		}
	}
	for range 8 {
		for i := end - 1; i >= 0; i-- {
			switch x := block.Instrs[i].(type) {
			case *ssa.Store:
				if x.Addr == ssa.Value(alloc) {
					return x
				}
			case *ssa.Call, *ssa.RunDefers:
				if alloc.Heap && escapes(alloc) {
					return nil // a literal that is called may store, too
				}
			}
		}
		if len(block.Preds) != 1 {
			return nil
		}
		block = block.Preds[0]
		end = len(block.Instrs)
	}
	return nil
}

// escapes reports whether a literal that captures the variable stores to it.
func escapes(a *ssa.Alloc) bool {
	refs := a.Referrers()
	if refs == nil {
		return true
	}
	for _, r := range *refs {
		mc, ok := r.(*ssa.MakeClosure)
		if !ok {
			continue
		}
		fn, ok := mc.Fn.(*ssa.Function)
		if !ok {
			return true
		}
		for i, b := range mc.Bindings {
			if b != ssa.Value(a) || i >= len(fn.FreeVars) {
				continue
			}
			frefs := fn.FreeVars[i].Referrers()
			if frefs == nil {
				return true
			}
			for _, fr := range *frefs {
				if s, ok := fr.(*ssa.Store); ok && s.Addr == ssa.Value(fn.FreeVars[i]) {
					return true
				}
			}
		}
	}
	return false
}

// setsFields reports whether a field of the variable may be stored to.
func setsFields(a *ssa.Alloc) bool {
	if a.Referrers() == nil {
		return true
	}
	for _, r := range *a.Referrers() {
		fa, ok := r.(*ssa.FieldAddr)
		if !ok || fa.Referrers() == nil {
			continue
		}
		for _, fr := range *fa.Referrers() {
			if s, ok := fr.(*ssa.Store); ok && s.Addr == ssa.Value(fa) {
				return true
			}
		}
	}
	return false
}

// Stores lists the stores to a local variable, in its function and in the
// literals that capture it. It is false if some cannot be seen.
func (p *Paths) Stores(a *ssa.Alloc) ([]*ssa.Store, bool) {
	info := p.allocInfo(a)
	return info.stores, !info.opaque
}

// Binding returns what a free variable stands for in the function around its
// literal, nil if that is not known.
func (p *Paths) Binding(x *ssa.FreeVar) ssa.Value { return p.binding(x) }
