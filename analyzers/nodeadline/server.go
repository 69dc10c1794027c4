package nodeadline

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/ir"
)

// aside reports whether a server is one that nobody depends on: for profiles or
// demonstrations, by its name, that of the function, or its routes; one that says
// that a migration runs; one for the measurements of the project's own machines.
func (c *checker) aside(v *verdict, args []ssa.Value) bool {
	if c.profiles(args) || c.migrates(v.fn) {
		return true
	}
	fn := ir.Outermost(v.fn)
	names := strings.ToLower(fn.Name() + " " + receiverName(fn))
	for _, word := range []string{"pprof", "profiler", "debug", "playground", "helloworld"} {
		if strings.Contains(names, word) {
			return true
		}
	}
	measured, profiled := c.measures(v, args)
	return measured && (profiled || strings.Contains("/"+c.pass.Pkg.Path()+"/", "/infra/"))
}

// measures reports whether everything that a server answers to serves its
// operators: measurements, profiles, its health. What it is asked takes moments.
func (c *checker) measures(v *verdict, args []ssa.Value) (only, profiles bool) {
	routes := c.routes(args)
	if len(routes) == 0 && len(args) > 0 && isNil(args[len(args)-1]) {
		for _, fn := range c.res.Funcs() {
			routes = append(routes, defaultRoutes(fn)...)
		}
		if profiles = slices.ContainsFunc(c.pass.Pkg.Imports(), func(p *types.Package) bool { return p.Path() == "net/http/pprof" }); profiles {
			routes = append(routes, "/debug/pprof/")
		}
	}
	only = len(routes) > 0
	for _, r := range routes {
		switch {
		case strings.Contains(r, "pprof"):
			profiles = true
		case strings.Contains(r, "metrics"), strings.Contains(r, "debug"), strings.Contains(r, "health"), strings.Contains(r, "ready"):
		default:
			only = false
		}
	}
	return only, profiles
}

// receiverName is the name of the type that a method belongs to, "" for others.
func receiverName(fn *ssa.Function) string {
	if t := ir.Receiver(fn.Signature); t != nil {
		return t.Name()
	}
	return ""
}

// routes lists what a server made in this function answers to, as far as it is
// seen: the patterns that its mux is given, and the names of what is given the
// mux to add more.
func (c *checker) routes(args []ssa.Value) []string {
	for _, a := range args {
		if lit, ok := c.res.Root(c.res.Path(a)).(*ssa.Alloc); ok && isNamed(lit.Type(), "net/http", "Server") {
			if a = stored(lit, "Handler"); a == nil {
				continue
			}
		}
		mux, ok := c.res.Root(c.res.Path(a)).(*ssa.Call)
		if !ok || mux.Referrers() == nil || mux.Call.StaticCallee() == nil || mux.Call.StaticCallee().String() != "net/http.NewServeMux" {
			continue
		}
		var out []string
		for _, call := range callsWith(mux) {
			callee := call.Call.StaticCallee()
			switch {
			case callee == nil && call.Call.IsInvoke():
				out = append(out, call.Call.Method.Name())
			case callee == nil:
				out = append(out, "")
			case callee.Signature.Recv() != nil && isNamed(callee.Signature.Recv().Type(), "net/http", "ServeMux"):
				pattern := ""
				if len(call.Call.Args) > 1 {
					pattern, _ = text(call.Call.Args[1])
				}
				out = append(out, strings.ToLower(pattern))
			case callee.Pkg != nil && callee.Pkg.Pkg.Path() == "net/http":
			default:
				out = append(out, strings.ToLower(callee.Name()))
			}
		}
		return out
	}
	return nil
}

// defaultRoutes lists the patterns that a function gives to the mux that all
// share, which a server without a handler answers by.
func defaultRoutes(fn *ssa.Function) []string {
	var out []string
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(*ssa.Call)
			if !ok || call.Call.StaticCallee() == nil {
				continue
			}
			switch call.Call.StaticCallee().String() {
			case "net/http.Handle", "net/http.HandleFunc":
				pattern, _ := text(call.Call.Args[0])
				out = append(out, strings.ToLower(pattern))
			}
		}
	}
	return out
}

func isNil(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.IsNil()
}

// callsWith lists the calls that are given a value, also through a variable, in
// literals too, or an interface.
func callsWith(v ssa.Value) []*ssa.Call {
	var out []*ssa.Call
	seen := make(map[ssa.Value]bool)
	var visit func(ssa.Value)
	visit = func(v ssa.Value) {
		if seen[v] || v.Referrers() == nil {
			return
		}
		seen[v] = true
		for _, r := range *v.Referrers() {
			switch r := r.(type) {
			case *ssa.Call:
				out = append(out, r)
			case *ssa.MakeInterface:
				visit(r)
			case *ssa.UnOp:
				visit(r)
			case *ssa.Store:
				if a, ok := r.Addr.(*ssa.Alloc); ok && r.Val == v {
					visit(a)
				}
			case *ssa.MakeClosure:
				for i, b := range r.Bindings {
					if fn, ok := r.Fn.(*ssa.Function); ok && b == v {
						visit(fn.FreeVars[i])
					}
				}
			}
		}
	}
	visit(v)
	return out
}

// stored is what a literal sets a field to.
func stored(lit *ssa.Alloc, field string) ssa.Value {
	if lit.Referrers() == nil {
		return nil
	}
	for _, r := range *lit.Referrers() {
		fa, ok := r.(*ssa.FieldAddr)
		if !ok || fa.Referrers() == nil || ir.FieldVar(fa.X.Type(), fa.Field).Name() != field {
			continue
		}
		for _, fr := range *fa.Referrers() {
			if s, ok := fr.(*ssa.Store); ok && s.Addr == ssa.Value(fa) {
				return s.Val
			}
		}
	}
	for _, r := range *lit.Referrers() {
		// A variable that a literal captures is a copy of what was written down.
		if s, ok := r.(*ssa.Store); ok && s.Addr == ssa.Value(lit) {
			if load, ok := s.Val.(*ssa.UnOp); ok && load.Op == token.MUL {
				if from, ok := load.X.(*ssa.Alloc); ok && from != lit {
					return stored(from, field)
				}
			}
		}
	}
	return nil
}

// unattended reports whether nobody waits for a shutdown that goes on for long: it
// is a goroutine of its own, or part of one that tells nobody that it is done.
func (c *checker) unattended(v *verdict) bool {
	if _, isGo := v.site.Instr.(*ssa.Go); isGo {
		return true
	}
	if !c.onlyStarted(v.fn) {
		return false
	}
	for _, b := range v.fn.Blocks {
		for _, instr := range b.Instrs {
			switch x := instr.(type) {
			case *ssa.Send, *ssa.Select:
				if !before(x, v.site.Instr) {
					return false
				}
			case ssa.CallInstruction:
				if b, ok := x.Common().Value.(*ssa.Builtin); ok && b.Name() == "close" {
					return false
				}
				if callee := c.res.Callee(x); callee.Func == nil || callee.Func.Name() == "Done" && callee.Func.Pkg() != nil && callee.Func.Pkg().Path() == "sync" {
					if _, isBuiltin := x.Common().Value.(*ssa.Builtin); !isBuiltin {
						return false // or nobody knows whom it tells
					}
				}
			}
		}
	}
	return true
}

// limitedRequests reports whether a server limits how long a request takes, both
// ways: so long a shutdown waits.
func (c *checker) limitedRequests(args []ssa.Value) bool {
	if len(args) == 0 {
		return false
	}
	lit, ok := c.res.Root(c.res.Path(args[0])).(*ssa.Alloc)
	return ok && isNamed(lit.Type(), "net/http", "Server") && stored(lit, "ReadTimeout") != nil && stored(lit, "WriteTimeout") != nil
}
