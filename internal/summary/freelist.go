package summary

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/ir"
)

// A free list is a channel with content that serves as a semaphore: whoever makes
// it fills it with as many objects as there are, each is taken by a plain receive
// and given back by a plain send. freeLists finds those in struct fields.
type freeLists struct {
	in     *inference
	fields map[string]*freeList

	// Of the function that is looked at: the fields that it sets, the channels
	// that it fills.
	fn     *ssa.Function
	set    map[string]bool
	sent   map[*ssa.MakeChan]bool
	cycles map[*ssa.BasicBlock]bool
}

type freeList struct {
	filledIn       *ssa.Function
	takers, givers map[*ssa.Function]bool // outermost functions
	others         bool                   // something that is done to no free list
}

// enter begins with the next function.
func (l *freeLists) enter(fn *ssa.Function) { l.fn, l.set, l.sent, l.cycles = fn, nil, nil, nil }

// store notes that a field is set to a channel of objects.
func (l *freeLists) store(x *ssa.Store) {
	mc := l.made(x.Val)
	if mc == nil {
		return
	}
	key := l.in.fieldKey(l.in.paths.Of(x.Addr))
	if key == "" {
		return
	}
	if l.set == nil {
		l.set = make(map[string]bool)
	}
	l.set[key] = true
	if l.sent[mc] {
		l.add(key)
	}
}

// send notes that such a channel is filled in a loop, before it is put into a
// field or afterwards.
func (l *freeLists) send(x *ssa.Send) {
	mc := l.made(x.Chan)
	if mc == nil && len(l.set) == 0 || !object(x.Chan.Type()) {
		return
	}
	if l.cycles == nil {
		l.cycles, _ = ir.Cycles(l.fn)
	}
	if !l.cycles[x.Block()] {
		return
	}
	if mc != nil {
		if l.sent == nil {
			l.sent = make(map[*ssa.MakeChan]bool)
		}
		l.sent[mc] = true
	}
	if key := l.in.fieldKey(l.in.paths.Of(x.Chan)); l.set[key] {
		l.add(key)
	}
}

// made is the channel of objects with room for several that a value is, if it is
// made right here.
func (l *freeLists) made(v ssa.Value) *ssa.MakeChan {
	mc, ok := v.(*ssa.MakeChan)
	if !ok || !object(mc.Type()) {
		return nil
	}
	if c, isConst := mc.Size.(*ssa.Const); isConst && c.Int64() < 2 {
		return nil
	}
	return mc
}

// object reports whether the elements of a channel are pointers or interfaces:
// something that is lent. Numbers and strings are work.
func object(t types.Type) bool {
	ch, ok := types.Unalias(t).Underlying().(*types.Chan)
	if !ok {
		return false
	}
	switch types.Unalias(ch.Elem()).Underlying().(type) {
	case *types.Pointer, *types.Interface, *types.Slice:
		return true
	}
	return false
}

func (l *freeLists) add(key string) {
	if l.fields == nil {
		l.fields = make(map[string]*freeList)
	}
	l.fields[key] = &freeList{filledIn: l.fn, takers: make(map[*ssa.Function]bool), givers: make(map[*ssa.Function]bool)}
}

// find lists the fields that are free lists: whoever takes gives back, or returns
// what it has taken.
func (l *freeLists) find(funcs []*ssa.Function) []string {
	if len(l.fields) == 0 {
		return nil
	}
	of := func(ch ssa.Value) *freeList {
		if isToken(ch.Type()) || !object(ch.Type()) {
			return nil
		}
		return l.fields[l.in.fieldKey(l.in.paths.Of(ch))]
	}
	for _, fn := range funcs {
		outer := ir.Outermost(fn)
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				switch x := instr.(type) {
				case *ssa.UnOp:
					q := (*freeList)(nil)
					if isChan(x.X.Type()) {
						q = of(x.X)
					}
					if q == nil {
						continue
					}
					q.others = q.others || x.CommaOk
					if _, held := q.takers[outer]; !held || !returned(x) {
						q.takers[outer] = returned(x)
					}
				case *ssa.Send:
					if q := of(x.Chan); q != nil && fn != q.filledIn {
						q.givers[outer] = true
					}
				case *ssa.Select:
					for _, st := range x.States {
						if q := of(st.Chan); q != nil {
							q.others = true // there is another way out
						}
					}
				case *ssa.Call:
					if built, ok := x.Call.Value.(*ssa.Builtin); ok && built.Name() == "close" {
						if q := of(x.Call.Args[0]); q != nil {
							q.others = true
						}
					}
				}
			}
		}
	}
	var out []string
	for key, q := range l.fields {
		ok := !q.others && len(q.takers) > 0 && len(q.givers) > 0
		for fn, returns := range q.takers {
			ok = ok && (returns || q.givers[fn])
		}
		if ok {
			out = append(out, key)
		}
	}
	return out
}

// returned reports whether a function returns what it has received.
func returned(x *ssa.UnOp) bool {
	if x.Referrers() == nil {
		return false
	}
	for _, r := range *x.Referrers() {
		if _, ok := r.(*ssa.Return); ok {
			return true
		}
	}
	return false
}
