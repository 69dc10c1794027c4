package ir

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
)

// Paths gives every value of a package its access path: a root and the fields
// that lead to the value. A pointer and what it points to have the same path.
//
// A path in local form is rooted in a package variable ("g:import/path.Var") or
// in a value of some function of the package ("l:17", its number in this
// Paths). A literal shares the roots of the functions around it. [Paths.Export]
// turns a local path into one that callers understand.
//
// Two equal paths name the same variable; two different ones may still name the
// same. Paths is not safe for concurrent use.
type Paths struct {
	ids     map[ssa.Value]int
	roots   []ssa.Value
	memo    map[ssa.Value]effect.Path
	stores  map[*ssa.Alloc]*allocInfo
	links   func(call *ssa.Call) []effect.Link
	fields  map[*types.Var]ssa.Value   // func-typed fields and variables assigned once
	methods map[*types.Var]*types.Func // those whose value is a method of some receiver
	types   map[*types.Var]types.Type  // interface-typed ones, by what is in all that is assigned
	makes   map[*ssa.Function]*ssa.MakeClosure
	globals map[effect.Path]*ssa.Global
}

type allocInfo struct {
	stores []*ssa.Store
	opaque bool // its address goes where stores cannot be seen
}

// NewPaths returns a Paths. The function links says which results of a call are
// the value of a parameter; it may be nil.
func NewPaths(links func(*ssa.Call) []effect.Link) *Paths {
	return &Paths{
		ids:     make(map[ssa.Value]int),
		memo:    make(map[ssa.Value]effect.Path),
		stores:  make(map[*ssa.Alloc]*allocInfo),
		fields:  make(map[*types.Var]ssa.Value),
		methods: make(map[*types.Var]*types.Func),
		types:   make(map[*types.Var]types.Type),
		makes:   make(map[*ssa.Function]*ssa.MakeClosure),
		globals: make(map[effect.Path]*ssa.Global),
		links:   links,
	}
}

// AssignOnce says that v is all that is ever assigned to a func-typed field or
// package variable.
func (p *Paths) AssignOnce(field *types.Var, v ssa.Value) { p.fields[field] = v }

// Forget drops what was computed for values of fn, after the links of its
// callees have changed.
func (p *Paths) Forget() { clear(p.memo) }

// Root returns the value a local path is rooted in, nil for a package variable
// and for a path that is not local.
func (p *Paths) Root(path effect.Path) ssa.Value {
	root, _ := path.Split()
	if !strings.HasPrefix(root, "l:") {
		return nil
	}
	n, err := strconv.Atoi(root[2:])
	if err != nil || n >= len(p.roots) {
		return nil
	}
	return p.roots[n]
}

// Global returns the package variable that a path is rooted in, nil if it is
// rooted elsewhere, or only a summary of another package speaks of it.
func (p *Paths) Global(path effect.Path) *ssa.Global {
	root, _ := path.Split()
	return p.globals[effect.Path(root)]
}

func (p *Paths) local(v ssa.Value) effect.Path {
	id, ok := p.ids[v]
	if !ok {
		id = len(p.roots)
		p.ids[v] = id
		p.roots = append(p.roots, v)
	}
	return effect.Path("l:" + strconv.Itoa(id))
}

// Of returns the path of v in local form. It is never empty, except for a
// constant and for a path that is too long.
func (p *Paths) Of(v ssa.Value) effect.Path {
	if path, ok := p.memo[v]; ok {
		return path
	}
	path := p.resolve(v, 0)
	if len(path) > effect.MaxPath {
		path = ""
	}
	p.memo[v] = path
	return path
}

func (p *Paths) resolve(v ssa.Value, depth int) effect.Path {
	if path, ok := p.memo[v]; ok {
		return path
	}
	if depth > maxSteps {
		return p.local(v)
	}
	sub := func(x ssa.Value, sel string) effect.Path {
		base := p.resolve(x, depth+1)
		if base == "" || len(base)+len(sel) > effect.MaxPath {
			return ""
		}
		return p.follow(base+effect.Path(sel), depth)
	}
	switch x := v.(type) {
	case *ssa.Const:
		return ""
	case *ssa.Global:
		if x.Pkg == nil {
			return p.local(v)
		}
		path := effect.Path("g:" + x.Pkg.Pkg.Path() + "." + x.Name())
		p.globals[path] = x
		return path
	case *ssa.FieldAddr:
		return sub(x.X, "."+fieldName(x.X.Type(), x.Field))
	case *ssa.Field:
		return sub(x.X, "."+fieldName(x.X.Type(), x.Field))
	case *ssa.IndexAddr:
		return sub(x.X, "["+p.index(x.Index, depth)+"]")
	case *ssa.Index:
		return sub(x.X, "["+p.index(x.Index, depth)+"]")
	case *ssa.Lookup:
		if x.CommaOk {
			return p.local(v)
		}
		return sub(x.X, "["+p.index(x.Index, depth)+"]")
	case *ssa.UnOp:
		if x.Op == token.MUL {
			if alloc, ok := x.X.(*ssa.Alloc); ok {
				if s := reachingStore(x, alloc); s != nil {
					return p.resolve(s.Val, depth+1)
				}
			}
			return p.resolve(x.X, depth+1)
		}
		return p.local(v)
	case *ssa.Alloc:
		if s := p.onlyStore(x); s != nil {
			_, param := s.Val.(*ssa.Parameter)
			param = param && !setsFields(x) // a receiver by value: its fields are the caller's
			if s.Val != v && (param || !isStruct(s.Val.Type())) {
				return p.resolve(s.Val, depth+1)
			}
		}
		return p.local(v)
	case *ssa.FreeVar:
		if b := p.binding(x); b != nil {
			return p.resolve(b, depth+1)
		}
		return p.local(v)
	case *ssa.MakeInterface:
		return p.resolve(x.X, depth+1)
	case *ssa.ChangeInterface:
		return p.resolve(x.X, depth+1)
	case *ssa.ChangeType:
		return p.resolve(x.X, depth+1)
	case *ssa.TypeAssert:
		if x.CommaOk {
			return p.local(v)
		}
		return p.resolve(x.X, depth+1)
	case *ssa.Extract:
		switch t := x.Tuple.(type) {
		case *ssa.TypeAssert:
			if x.Index == 0 {
				return p.resolve(t.X, depth+1)
			}
		case *ssa.Lookup:
			if x.Index == 0 {
				return sub(t.X, "["+p.index(t.Index, depth)+"]")
			}
		case *ssa.Call:
			return p.callResult(v, t, x.Index, depth)
		}
		return p.local(v)
	case *ssa.Call:
		return p.callResult(v, x, 0, depth)
	case *ssa.Phi:
		return p.phi(x, depth)
	}
	return p.local(v)
}

// phi has the path of its edges if they all agree. Edges that lead back to the
// phi itself say nothing.
func (p *Paths) phi(x *ssa.Phi, depth int) effect.Path {
	self := p.local(x)
	if depth > 8 {
		return self
	}
	p.memo[x] = self // breaks the cycle
	defer delete(p.memo, x)
	var path effect.Path
	for _, e := range x.Edges {
		q := p.resolve(e, depth+4)
		if q == self {
			continue
		}
		if q == "" || path != "" && q != path {
			return self
		}
		path = q
	}
	if path == "" {
		return self
	}
	return path
}

func (p *Paths) callResult(v ssa.Value, call *ssa.Call, index, depth int) effect.Path {
	if path := p.throughLinks(call, index, "", depth); path != "" {
		return path
	}
	return p.local(v)
}

// throughLinks looks for a link of the callee that says where result index,
// with the fields sel, comes from.
func (p *Paths) throughLinks(call *ssa.Call, index int, sel string, depth int) effect.Path {
	if p.links == nil || depth > maxSteps/2 {
		return ""
	}
	want := string(effect.ResultPath(index)) + sel
	for _, l := range p.links(call) {
		rest, ok := strings.CutPrefix(want, string(l.To))
		if !ok || rest != "" && rest[0] != '.' && rest[0] != '[' {
			continue
		}
		if from := p.argument(call.Common(), l.From, depth); from != "" {
			return from + effect.Path(rest)
		}
	}
	return ""
}

// follow resolves a path that is rooted in the result of a call by what the
// callee says of that result's fields.
func (p *Paths) follow(path effect.Path, depth int) effect.Path {
	for range 4 {
		root, sel := path.Split()
		_ = root
		switch v := p.Root(path).(type) {
		case *ssa.Call:
			next := p.throughLinks(v, 0, sel, depth+1)
			if next == "" {
				return path
			}
			path = next
		case *ssa.Extract:
			call, ok := v.Tuple.(*ssa.Call)
			if !ok {
				return path
			}
			next := p.throughLinks(call, v.Index, sel, depth+1)
			if next == "" {
				return path
			}
			path = next
		default:
			return path
		}
	}
	return path
}

// argument translates a path rooted in a parameter of the callee.
func (p *Paths) argument(common *ssa.CallCommon, from effect.Path, depth int) effect.Path {
	if strings.HasPrefix(string(from), "g:") {
		return from
	}
	i, ok := from.Param()
	if !ok {
		return ""
	}
	_, sel := from.Split()
	var arg ssa.Value
	switch {
	case common.IsInvoke() && i < 0:
		arg = common.Value
	case common.IsInvoke():
		if i < len(common.Args) {
			arg = common.Args[i]
		}
	default:
		if common.Signature().Recv() != nil {
			i++
		}
		if i >= 0 && i < len(common.Args) {
			arg = common.Args[i]
		}
	}
	if arg == nil {
		return ""
	}
	base := p.resolve(arg, depth+1)
	if base == "" {
		return ""
	}
	return base + effect.Path(sel)
}

func (p *Paths) index(v ssa.Value, depth int) string {
	if c, ok := v.(*ssa.Const); ok && c.Value != nil {
		if c.Value.Kind() == constant.String {
			return strings.ReplaceAll(strconv.Quote(constant.StringVal(c.Value)), ".", "·")
		}
		return c.Value.ExactString()
	}
	path := p.resolve(v, depth+1)
	if path == "" {
		return "?" + string(p.local(v))
	}
	return strings.ReplaceAll(string(path), ".", "·")
}

// binding returns what a free variable stands for in the enclosing function.
func (p *Paths) binding(x *ssa.FreeVar) ssa.Value {
	fn := x.Parent()
	mc := p.closure(fn)
	if mc == nil {
		return nil
	}
	for i, fv := range fn.FreeVars {
		if fv == x && i < len(mc.Bindings) {
			return mc.Bindings[i]
		}
	}
	return nil
}

// closure returns the instruction that makes fn. A literal has one.
func (p *Paths) closure(fn *ssa.Function) *ssa.MakeClosure {
	if mc, ok := p.makes[fn]; ok {
		return mc
	}
	parent := fn.Parent()
	if parent == nil {
		return nil
	}
	for _, b := range parent.Blocks {
		for _, instr := range b.Instrs {
			if mc, ok := instr.(*ssa.MakeClosure); ok {
				if f, ok := mc.Fn.(*ssa.Function); ok {
					p.makes[f] = mc
				}
			}
		}
	}
	mc := p.makes[fn]
	p.makes[fn] = mc
	return mc
}

// assigned returns the value that a variable or field always has, nil if that
// is not known.
func (p *Paths) assigned(v ssa.Value) ssa.Value {
	switch x := v.(type) {
	case *ssa.UnOp:
		if x.Op != token.MUL {
			return nil
		}
		switch addr := x.X.(type) {
		case *ssa.Alloc:
			if s := reachingStore(x, addr); s != nil {
				return s.Val
			}
			if s := p.onlyStore(addr); s != nil {
				return s.Val
			}
		case *ssa.FreeVar:
			if b, ok := p.binding(addr).(*ssa.Alloc); ok {
				if s := p.onlyStore(b); s != nil {
					return s.Val
				}
			}
		default:
			return p.fields[Variable(v)]
		}
	case *ssa.Field:
		return p.fields[Variable(v)]
	case *ssa.FreeVar:
		return p.binding(x)
	}
	return nil
}

// FieldVar returns field i of the struct behind t, nil if t has no such field.
func FieldVar(t types.Type, i int) *types.Var {
	t = types.Unalias(t)
	if ptr, ok := t.Underlying().(*types.Pointer); ok {
		t = types.Unalias(ptr.Elem())
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok || i >= s.NumFields() {
		return nil
	}
	return s.Field(i)
}

func fieldName(t types.Type, i int) string {
	if f := FieldVar(t, i); f != nil {
		return f.Name()
	}
	return fmt.Sprintf("#%d", i)
}

func isStruct(t types.Type) bool {
	switch types.Unalias(t).Underlying().(type) {
	case *types.Struct, *types.Array:
		return true
	}
	return false
}
