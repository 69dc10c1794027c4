package summary

import (
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strconv"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/deadline"
	"github.com/concvet/concvet/internal/directive"
	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/region"
)

type event = region.Event

// A Site is an instruction that may keep its goroutine waiting.
type Site struct {
	Instr   ssa.Instruction
	Pos     token.Pos
	Effects []SiteEffect
}

// A SiteEffect is one effect of a site, with paths in local form.
type SiteEffect struct {
	effect.Effect

	// Lit is the literal of this package in which the effect stands and in
	// which it is reported, for what is held when the literal runs.
	Lit *ssa.Function

	// Looped reports that the effect repeats only because the site stands in a
	// loop of its function.
	Looped bool

	// Held is what the callee holds while it calls its parameter.
	Held []*region.Thing

	// Ends says when the effect ends by what the call is given, and As what
	// the operation is, "" if it is nothing that has to end. Direct reports
	// that the call is the operation itself, not a way to it.
	Ends   deadline.Value
	As     string
	Direct bool

	// Owned are the values passed to parameters that hold something by their
	// type, so that the callee reports the effect itself.
	Owned []effect.Path
}

// infer computes the summary of one function from its body and the summaries of
// its callees.
func (in *inference) infer(node *info) *effect.Summary {
	fn := node.fn
	node.sites, node.outer, node.events = nil, nil, make(map[ssa.Instruction][]event)
	f := &function{in: in, node: node, fn: fn}
	f.collect()
	r := f.region(nil)
	sum := f.summarize(r)
	if decl := in.decls[fn]; decl != nil {
		in.applyDirectives(decl, sum)
	}
	sum.Normalize()
	return sum
}

func (in *inference) applyDirectives(decl *ast.FuncDecl, sum *effect.Summary) {
	if d := in.dirs.OnFunc(decl, directive.Nonblocking); d != nil {
		d.UsedBy++
		sum.Effects, sum.Symbolic = nil, nil
	}
	if d := in.dirs.OnFunc(decl, directive.Bounded); d != nil {
		d.UsedBy++
		for i := range sum.Effects {
			sum.Effects[i].Bound, sum.Effects[i].Repeats = bounded, false
		}
	}
	if e := in.declaredBlocking(decl); e != nil {
		sum.Effects = append(sum.Effects, *e)
	}
}

// declaredBlocking is the effect that a directive gives a function.
func (in *inference) declaredBlocking(decl *ast.FuncDecl) *effect.Effect {
	d := in.dirs.OnFunc(decl, directive.Blocking)
	if d == nil {
		return nil
	}
	d.UsedBy++
	kind, ok := effect.ParseKind(d.Kind)
	if !ok {
		kind = effect.Net
	}
	name := decl.Name.Name
	if obj, ok := in.pass.TypesInfo.Defs[decl.Name].(*types.Func); ok {
		name = in.shortName(obj)
	}
	return &effect.Effect{Kind: kind, API: name, Frames: []effect.Frame{{Pos: in.pos(decl.Pos()), Call: name + " (declared blocking)"}}}
}

// bounded is the bound of a wait of which a directive says that it is bounded:
// how long, it does not say, so it counts as short.
var bounded = effect.Bound{Kind: effect.ConstBound}

// function is the work on one function.
type function struct {
	in        *inference
	node      *info
	fn        *ssa.Function
	calls     []effect.ParamCall
	callers   []ssa.CallInstruction // where each of calls happens
	outer     []outerSite           // calls of parameters of functions around it
	symbolic  []effect.Symbolic
	started   []goroutine                  // goroutines that it starts
	stored    map[effect.Path]bool         // what it assigns to, once asked for
	waits     []waitPoint                  // where it waits for them, once asked for
	deadlines map[effect.Path]bool         // connections that get a deadline here
	limited   map[effect.Path]bool         // pools and groups that get a limit here
	tokens    map[effect.Path]bool         // channels used as a semaphore here
	targets   map[*ssa.CallCommon]resolved // memo of targetOf
	made      map[effect.Path]*ssa.Store   // fresh channels put into fields
}

// collect finds the events and effects of every instruction.
func (f *function) collect() {
	f.survey()
	f.node.opaque, f.node.forever = false, f.serves()
	for _, b := range f.fn.Blocks {
		for _, instr := range b.Instrs {
			switch x := instr.(type) {
			case *ssa.Call:
				f.call(x)
			case *ssa.Defer:
				f.call(x)
			case *ssa.Go:
				f.goStmt(x)
				f.spawn(x)
			case *ssa.Send:
				f.send(x)
			case *ssa.UnOp:
				if x.Op == token.ARROW {
					f.receive(x)
				}
			case *ssa.Select:
				f.selectStmt(x)
			case *ssa.Store:
				f.store(x)
			case *ssa.MapUpdate:
				f.drop(x, x.Value)
			}
		}
	}
}

func (f *function) event(instr ssa.Instruction, e event) {
	f.node.events[instr] = append(f.node.events[instr], e)
}

func (f *function) site(instr ssa.Instruction, effects []SiteEffect) {
	if len(effects) == 0 {
		return
	}
	f.told(instr, effects)
	pos := position(instr)
	if d := f.in.dirs.OnLine(pos, directive.Bounded); d != nil {
		d.UsedBy++
		for i := range effects {
			effects[i].Bound, effects[i].Repeats = bounded, false
		}
	}
	f.node.sites = append(f.node.sites, &Site{Instr: instr, Pos: pos, Effects: effects})
}

// region computes what is held in the function, given what is held when it is
// called.
func (f *function) region(entry []*region.Thing) *region.Region {
	if len(entry) == 0 && !f.acquires() && len(f.heldParams(nil)) == 0 {
		return &region.Region{} // nothing can be held anywhere
	}
	return region.Compute(f.fn, append(f.heldParams(entry), entry...), func(instr ssa.Instruction) []event {
		return f.node.events[instr]
	}, f.while)
}

// acquires reports whether anything in the function acquires, or unlocks for
// the caller.
func (f *function) acquires() bool {
	for _, events := range f.node.events {
		for _, e := range events {
			if e.Verb == region.Acquire || e.Verb == region.Release && e.Class.IsLock() {
				return true
			}
		}
	}
	return false
}

// while answers for conditions like rows.Next(): false means closed.
func (f *function) while(cond ssa.Value) effect.Path {
	call, ok := cond.(*ssa.Call)
	if !ok {
		return ""
	}
	c, t := f.in.targetOf(call.Common())
	if t == nil || t.row == nil {
		return ""
	}
	for _, p := range t.row.Whiles {
		hasRecv := t.hasRecv()
		if path := f.in.paths.Import(effect.ParamPath(p), c.Args, hasRecv, f.fn); path != "" {
			return path
		}
	}
	return ""
}

// heldParams are the things that the parameters hold by their type, except
// those that the caller has told more about.
func (f *function) heldParams(entry []*region.Thing) []*region.Thing {
	var out []*region.Thing
	for i, p := range f.fn.Params {
		if i == 0 && f.fn.Signature.Recv() != nil {
			continue // a method of the type itself is the implementation
		}
		class := table().Held(p.Type())
		if class == effect.NoClass {
			continue
		}
		path := f.in.paths.Of(p)
		if slices.ContainsFunc(entry, func(t *region.Thing) bool { return t.Path == path }) {
			continue
		}
		out = append(out, &region.Thing{
			Class: class, Path: path, Pos: p.Pos(), Name: parameterName(p), By: "parameter", Outer: true, Value: p,
		})
	}
	if len(out) > 0 && onlyStarted(f.fn) {
		return nil // it was handed over, and is the goroutine's own now
	}
	return out
}

// onlyStarted reports whether a literal is run by go statements and by nothing
// else.
func onlyStarted(fn *ssa.Function) bool {
	parent := fn.Parent()
	if parent == nil {
		return false
	}
	started := false
	var buf [8]*ssa.Value
	for _, b := range parent.Blocks {
		for _, instr := range b.Instrs {
			if mc, ok := instr.(*ssa.MakeClosure); ok && mc.Fn == ssa.Value(fn) {
				continue
			}
			for _, op := range instr.Operands(buf[:0]) {
				v := *op
				if mc, ok := v.(*ssa.MakeClosure); ok {
					v = mc.Fn
				}
				if v != ssa.Value(fn) {
					continue
				}
				if _, isGo := instr.(*ssa.Go); !isGo {
					return false
				}
				started = true
			}
		}
	}
	return started
}

// summarize puts together what callers see.
func (f *function) summarize(r *region.Region) *effect.Summary {
	sum := &effect.Summary{}
	fn, paths := f.fn, f.in.paths
	n := 0
	for _, s := range f.node.sites {
		n += len(s.Effects)
	}
	sum.Effects = make([]effect.Effect, 0, n)
	for _, s := range f.node.sites {
		if d := f.in.dirs.Ignored("", s.Pos); d != nil {
			d.UsedBy++
			continue
		}
		free := f.exportList(r.Free(s.Instr))
		for i := range s.Effects {
			out := s.Effects[i].Effect
			if out.Kind == effect.Spawn && f.contained(s, out, r) {
				continue
			}
			out.On, out.Pool = paths.Export(out.On, fn), paths.Export(out.Pool, fn)
			if out.Without = paths.Export(out.Without, fn); out.Without == "" && out.Pool != "" {
				out.Without = f.without(s.Instr)
			}
			out.Free = mergePaths(free, f.exportList(out.Free))
			if out.Kind == effect.IO && out.On == "" {
				continue
			}
			sum.Effects = append(sum.Effects, out)
		}
	}
	for i, c := range f.calls {
		var args []ssa.Value
		if common := f.callers[i].Common(); !common.IsInvoke() {
			args = common.Args
		}
		c.Held = append(slices.Clone(c.Held), f.exportHeld(r.Held(f.callers[i]), args)...)
		c.Free = mergePaths(f.exportList(r.Free(f.callers[i])), c.Free)
		if c.Mode == effect.Async {
			c.List, c.Group = f.perElement(f.callers[i], r)
		}
		sum.Calls = append(sum.Calls, c)
	}
	f.finishOuter(func(instr ssa.Instruction) []outerHeld {
		var out []outerHeld
		for _, t := range r.Held(instr) {
			for _, h := range f.exportHeld([]*region.Thing{t}, nil) {
				own := -1
				if p, ok := t.Value.(*ssa.Parameter); ok {
					own = slices.Index(fn.Params, p)
				}
				out = append(out, outerHeld{h, own})
			}
		}
		return out
	}, func(instr ssa.Instruction) []effect.Path { return f.exportList(r.Free(instr)) })
	sum.Symbolic = f.symbolic
	f.releases(sum, r)
	f.exits(sum, r)
	f.resultLinks(sum)
	f.tasks(sum)
	sum.Made = f.iterator()
	f.node.onSlot = f.starters(sum, r)
	f.node.limited = f.limited
	return sum
}

func mergePaths(a, b []effect.Path) []effect.Path {
	if len(b) == 0 {
		return a
	}
	out := append(slices.Clone(a), b...)
	slices.Sort(out)
	return slices.Compact(out)
}

func (f *function) exportList(list []effect.Path) []effect.Path {
	var out []effect.Path
	for _, p := range list {
		if p = f.in.paths.Export(p, f.fn); p != "" {
			out = append(out, p)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// releases says which parameters, or fields of them, the function gives back or
// hands over on some path. That it may is enough: a caller that is told so
// stops counting the thing as held.
func (f *function) releases(sum *effect.Summary, r *region.Region) {
	for instr, events := range f.node.events {
		for _, e := range events {
			if e.Verb != region.Release && e.Verb != region.Drop || e.Class.IsLock() {
				continue
			}
			if e.Verb == region.Release && ownSlot(r.Held(instr), e.Path) {
				continue // it took the slot itself
			}
			path := f.in.paths.Export(e.Path, f.fn)
			if path == "" || !f.in.holdable(e.Path) {
				continue
			}
			if e.Verb == region.Release {
				sum.Releases = append(sum.Releases, path)
			} else if _, isParam := path.Param(); isParam || f.fn.Parent() != nil {
				sum.Keeps = append(sum.Keeps, path)
			}
		}
	}
}

// holdable reports whether what is at a local path can be something held: only
// then does anybody care that it is given back or kept.
func (in *inference) holdable(path effect.Path) bool {
	t, _ := in.typeOf(path)
	if t == nil {
		return true // not known
	}
	if table().Held(t) != effect.NoClass || isToken(t) || isChan(t) && in.slots[in.fieldKey(path)] != noSlot {
		return true
	}
	if p, ok := types.Unalias(t).Underlying().(*types.Pointer); ok {
		t = p.Elem()
		if table().Held(t) != effect.NoClass {
			return true
		}
	}
	named, ok := types.Unalias(t).(*types.Named)
	return types.IsInterface(t) || ok && (table().IsPool(named.Obj()) || table().IsShared(named.Obj())) // a pool may stand for its connection, as in gorm
}

// exits says what is held when the function returns: locks left locked, and
// results that the caller has to give back.
func (f *function) exits(sum *effect.Summary, r *region.Region) {
	paths := f.in.paths
	exits := r.Exits()
	for i, x := range exits {
		for _, p := range f.exportList(x.Free) {
			sum.Unlocks = append(sum.Unlocks, effect.LockOp{Class: effect.Mutex, Path: p}, effect.LockOp{Class: effect.RLock, Path: p})
		}
		for _, t := range x.Held {
			if t.Outer {
				continue
			}
			if t.Class == effect.Slot {
				f.slotAtExit(sum, exits[:i], exits, t)
				continue
			}
			if t.Class.IsLock() {
				path := paths.Export(t.Path, f.fn)
				if path == "" || i > 0 {
					continue
				}
				everywhere := true
				for _, y := range exits[1:] {
					everywhere = everywhere && holds(y.Held, t)
				}
				if everywhere {
					sum.Locks = append(sum.Locks, effect.LockOp{Class: t.Class, Path: path})
				}
				continue
			}
			for j, res := range x.Return.Results {
				if paths.Of(res) == t.Path {
					a := effect.Acquired{Class: t.Class, Result: j, Pool: paths.Export(t.Pool, f.fn), Err: -1}
					if last := len(x.Return.Results) - 1; last != j && isError(x.Return.Results[last].Type()) {
						a.Err = last
					}
					sum.Acquires = append(sum.Acquires, a)
				}
			}
		}
	}
}

// resultLinks says which results, or fields of a result that is made here, are
// values of parameters.
func (f *function) resultLinks(sum *effect.Summary) {
	results := f.fn.Signature.Results()
	for i := range results.Len() {
		var common effect.Path
		agree := true
		for _, b := range f.fn.Blocks {
			if len(b.Instrs) == 0 {
				continue
			}
			ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
			if !ok || i >= len(ret.Results) {
				continue
			}
			v := ret.Results[i]
			if c, ok := v.(*ssa.Const); ok && c.IsNil() {
				continue
			}
			path := f.in.paths.Of(v)
			if common != "" && path != common {
				agree = false
			}
			common = path
		}
		if !agree || common == "" {
			continue
		}
		if from := f.in.paths.Export(common, f.fn); from != "" {
			if _, isParam := from.Param(); isParam || from[0] == 'g' {
				sum.Links = append(sum.Links, effect.Link{To: effect.ResultPath(i), From: from})
			}
			continue
		}
		f.fieldLinks(sum, i, common)
	}
}

// fieldLinks looks for fields of a freshly made struct that are set from
// parameters.
func (f *function) fieldLinks(sum *effect.Summary, result int, path effect.Path) {
	alloc, ok := f.in.paths.Root(path).(*ssa.Alloc)
	if !ok || alloc.Referrers() == nil {
		return
	}
	if _, sel := path.Split(); sel != "" {
		return
	}
	for _, ref := range *alloc.Referrers() {
		fa, ok := ref.(*ssa.FieldAddr)
		if !ok || fa.Referrers() == nil {
			continue
		}
		var val ssa.Value
		n := 0
		for _, r := range *fa.Referrers() {
			if s, ok := r.(*ssa.Store); ok && s.Addr == ssa.Value(fa) {
				val = s.Val
				n++
			}
		}
		if n != 1 || !linkable(val.Type(), !f.in.dependency) {
			continue
		}
		from := f.in.paths.Export(f.in.paths.Of(val), f.fn)
		if _, isParam := from.Param(); !isParam {
			continue
		}
		name := f.in.paths.Of(fa)
		_, sel := name.Split()
		sum.Links = append(sum.Links, effect.Link{To: effect.ResultPath(result) + effect.Path(sel), From: from})
	}
}

// linkable reports whether the identity of a value of type t matters: a pool,
// or something that may contain one. With shares, semaphores, groups and
// channels count, too.
func linkable(t types.Type, shares bool) bool {
	if isPool(t) || shares && isShared(t) {
		return true
	}
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	named, ok := t.(*types.Named)
	if !ok {
		return false
	}
	st, ok := named.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for i := range st.NumFields() {
		if t := st.Field(i).Type(); isPool(t) || shares && isShared(t) {
			return true
		}
	}
	return false
}

func isError(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() == nil && named.Obj().Name() == "error"
}

// pos is a position as it stands in a witness: "file.go:12".
func (in *inference) pos(pos token.Pos) string {
	if pos == in.lastPos {
		return in.lastPlace // every effect of one call asks for it
	}
	p := in.pass.Fset.Position(pos)
	if !p.IsValid() {
		return ""
	}
	in.lastPos, in.lastPlace = pos, filepath.Base(p.Filename)+":"+strconv.Itoa(p.Line)
	return in.lastPlace
}
