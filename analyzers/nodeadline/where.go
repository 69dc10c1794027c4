package nodeadline

import (
	"go/types"
	"strings"
	"unicode"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/ir"
	"github.com/concvet/concvet/internal/report"
)

// excused are the linters that report the same, by category: where a comment
// silences one of them, the maintainers have looked at it before.
var excused = map[string][]string{
	HTTPClient: {"noctx"},
	HTTPServer: {"gosec", "G112", "G114"},
	Dial:       {"noctx"},
	Exec:       {"noctx"},
	SQL:        {"noctx"},
	CtxNone:    {"noctx", "contextcheck"},
	Shutdown:   {"contextcheck"},
}

// decided reports whether the maintainers have said, to another linter, that they
// leave it as it is.
func (c *checker) decided(v *verdict) bool {
	names := excused[v.slug]
	return len(names) > 0 && (report.Excused(c.pass, v.site.Pos, names...) || report.Excused(c.pass, v.ends.Pos, names...))
}

// setsUp reports whether a call belongs to what happens before a service serves:
// it stands in a constructor, or in what starts or sets up an object, by its name.
// Who is given a context there, or serves a request, can do better.
func (c *checker) setsUp(v *verdict) bool {
	fn := v.fn
	for fn.Parent() != nil {
		if !calledInPlace(fn) {
			return false
		}
		fn = fn.Parent()
	}
	if c.handed(fn) || c.res.Delivers(fn) != effect.NoSource {
		return false
	}
	if begins(fn.Name(), "init", "setup", "setUp", "bootstrap", "onStart") || begins(fn.Name(), "new") && makes(fn) {
		return true
	}
	if c.res.Loops(v.site.Instr) {
		return false // it serves
	}
	return begins(fn.Name(), "start") || begins(fn.Name(), "build") && configured(fn)
}

// makes reports whether a function gives something else than an error.
func makes(fn *ssa.Function) bool {
	results := fn.Signature.Results()
	return results.Len() > 0 && !types.Identical(results.At(0).Type(), types.Universe.Lookup("error").Type())
}

// configured reports whether a function makes something by a configuration.
func configured(fn *ssa.Function) bool {
	for _, p := range fn.Params {
		t := types.Unalias(p.Type())
		if ptr, ok := t.(*types.Pointer); ok {
			t = types.Unalias(ptr.Elem())
		}
		name := p.Name()
		if named, ok := t.(*types.Named); ok {
			name += " " + named.Obj().Name()
		}
		name = strings.ToLower(name)
		if strings.Contains(name, "conf") || strings.Contains(name, "cfg") || strings.Contains(name, "option") {
			return true
		}
	}
	return false
}

// begins reports whether a name begins with one of some words, in either case of
// the first letter.
func begins(name string, words ...string) bool {
	for _, w := range words {
		for _, w := range []string{w, strings.ToUpper(w[:1]) + w[1:]} {
			if rest, ok := strings.CutPrefix(name, w); ok && (rest == "" || !unicode.IsLower(rune(rest[0]))) {
				return true
			}
		}
	}
	return false
}

// besideLimit reports whether a function has a sibling of the same name that takes
// a context or a limit, as Dial has DialTimeout: who has one calls that.
func (c *checker) besideLimit(fn *ssa.Function) bool {
	fn = ir.Outermost(fn)
	has := func(name string) bool { return c.pass.Pkg.Scope().Lookup(name) != nil }
	if recv := fn.Signature.Recv(); recv != nil {
		has = func(name string) bool {
			obj, _, _ := types.LookupFieldOrMethod(recv.Type(), true, c.pass.Pkg, name)
			_, ok := obj.(*types.Func)
			return ok
		}
	}
	for _, suffix := range []string{"Timeout", "Context", "WithTimeout", "WithContext", "Ctx", "WithDeadline"} {
		if has(fn.Name() + suffix) {
			return true
		}
	}
	return false
}

// probes reports whether a connection is only made to see whether the peer is
// there: it is closed, and nothing else. The kernel gives up by itself.
func (c *checker) probes(instr ssa.Instruction) bool {
	call, ok := instr.(*ssa.Call)
	if !ok || call.Referrers() == nil {
		return false
	}
	for _, r := range *call.Referrers() {
		if x, ok := r.(*ssa.Extract); ok && x.Index == 0 {
			closed := false
			return c.onlyClosed(x, &closed, make(map[ssa.Value]bool)) && closed
		}
	}
	return false
}

// onlyClosed reports whether nothing is done with a value, or with the variables
// that it is stored to, but to close it.
func (c *checker) onlyClosed(v ssa.Value, closed *bool, seen map[ssa.Value]bool) bool {
	if seen[v] || v.Referrers() == nil {
		return true
	}
	seen[v] = true
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case ssa.CallInstruction:
			common := r.Common()
			if !common.IsInvoke() || common.Value != v {
				return false
			}
			switch common.Method.Name() {
			case "Close":
				*closed = true
			case "RemoteAddr", "LocalAddr":
			default:
				return false
			}
		case *ssa.BinOp, *ssa.DebugRef:
		case *ssa.Phi:
			if !c.onlyClosed(r, closed, seen) {
				return false
			}
		case *ssa.UnOp:
			if !c.onlyClosed(r, closed, seen) {
				return false
			}
		case *ssa.MakeClosure: // of a variable
			for i, b := range r.Bindings {
				if fn, ok := r.Fn.(*ssa.Function); ok && b == v && !c.onlyClosed(fn.FreeVars[i], closed, seen) {
					return false
				}
			}
		case *ssa.Store:
			if r.Addr == v {
				continue
			}
			if fv, ok := r.Addr.(*ssa.FreeVar); ok {
				if b := c.res.Binding(fv); b == nil || !c.onlyClosed(b, closed, seen) {
					return false
				}
				continue
			}
			if a, ok := r.Addr.(*ssa.Alloc); !ok || !c.onlyClosed(a, closed, seen) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// controls reports whether a method belongs to the client by which a command line
// talks to its daemon, by the name of its type: a person waits, and can interrupt.
func controls(fn *ssa.Function) bool {
	name := strings.ToLower(receiverName(ir.Outermost(fn)))
	return strings.HasSuffix(name, "client") && (strings.HasPrefix(name, "control") || strings.HasPrefix(name, "ctl") || strings.HasPrefix(name, "cli") && !strings.HasPrefix(name, "client"))
}
