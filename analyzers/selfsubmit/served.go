package selfsubmit

import (
	"fmt"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/ir"
	"github.com/concvet/concvet/internal/report"
	"github.com/concvet/concvet/internal/summary"
)

// A server that is shut down waits for its handlers. One of them that shuts it
// down waits for itself. That it is the same server has to be seen: an admin
// server whose handler shuts another one down is right. So the handler must be
// registered where the server is made, and the server be kept under the path by
// which the handler shuts it down.

// maxServed is how many calls away a handler may shut its server down.
const maxServed = 3

// A served function is a handler, and the server that runs it.
type served struct {
	fn      *ssa.Function
	path    effect.Path // of the server, where the handler is registered
	recv    effect.Path // what a method is bound to there, "" for a function
	at      ssa.Instruction
	library string
}

// servers reports handlers that wait for the end of their own server.
func (c *checker) servers() {
	for _, fn := range c.res.Funcs() {
		for _, s := range c.handlersIn(fn) {
			c.serves(s)
		}
	}
}

// serves judges one handler.
func (c *checker) serves(s served) {
	for _, w := range c.shutdowns(s.fn, 0) {
		if !c.seen[w.site.Instr] && c.sameServer(s, w.server) {
			c.addServed(s, w)
		}
	}
}

// A shutdown is a wait for the handlers of a server, for as long as they take.
type shutdown struct {
	site   *summary.Site
	effect summary.SiteEffect
	server effect.Path // in the function where the site stands
}

// shutdowns lists the shutdowns that a function makes, itself or by a call.
func (c *checker) shutdowns(fn *ssa.Function, depth int) []shutdown {
	var out []shutdown
	for _, site := range c.res.Sites(fn) {
		call, ok := site.Instr.(*ssa.Call)
		if !ok {
			continue
		}
		for _, e := range site.Effects {
			if e.Lit != nil || e.API != "(*net/http.Server).Shutdown" && e.API != "(*google.golang.org/grpc.Server).GracefulStop" {
				continue
			}
			if server := c.shutDown(fn, call, e, depth); server != "" {
				out = append(out, shutdown{site, e, server})
				break
			}
		}
	}
	return out
}

// shutDown is the path of the server that a call shuts down without a limit, ""
// if that is not known.
func (c *checker) shutDown(fn *ssa.Function, call *ssa.Call, e summary.SiteEffect, depth int) effect.Path {
	if len(e.Frames) == 1 {
		if strings.HasSuffix(e.API, ".Shutdown") && e.Ends.End != effect.EndNever {
			return ""
		}
		return c.res.Path(c.res.Callee(call).Args[0])
	}
	callee := call.Call.StaticCallee()
	if callee == nil || depth >= maxServed {
		return ""
	}
	for _, inner := range c.shutdowns(callee, depth+1) {
		if inner.effect.API == e.API {
			return c.res.Import(c.res.Export(inner.server, callee), call.Call.Args, callee.Signature.Recv() != nil, fn)
		}
	}
	return ""
}

// sameServer reports whether the server at a path of the handler is the one that
// runs it: the same variable, or the same field of the object whose method it is.
func (c *checker) sameServer(s served, on effect.Path) bool {
	if on == s.path {
		return true // a package variable, or one that the literal captures
	}
	root, ok := c.res.Root(on).(*ssa.Parameter)
	if !ok || s.recv == "" || root.Parent() != s.fn || s.fn.Signature.Recv() == nil || root != s.fn.Params[0] {
		return false
	}
	_, sel := on.Split()
	return sel != "" && string(s.path) == string(s.recv)+sel
}

// handlersIn lists the handlers that a function registers with a server which it
// makes, or with the mux of one.
func (c *checker) handlersIn(fn *ssa.Function) []served {
	var out []served
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			switch x := instr.(type) {
			case *ssa.Alloc:
				if ir.IsNamed(x.Type().(*types.Pointer).Elem(), "net/http", "Server") {
					out = append(out, c.handlersOf(x)...)
				}
			case *ssa.Call:
				out = append(out, c.service(x)...)
			}
		}
	}
	return out
}

// handlersOf lists the handlers of a server over HTTP.
func (c *checker) handlersOf(server *ssa.Alloc) []served {
	var handler ssa.Value
	stores := 0
	for _, r := range *server.Referrers() {
		field, ok := r.(*ssa.FieldAddr)
		if !ok || ir.FieldVar(field.X.Type(), field.Field).Name() != "Handler" {
			continue
		}
		for _, r := range *field.Referrers() {
			if s, ok := r.(*ssa.Store); ok {
				handler, stores = s.Val, stores+1
			}
		}
	}
	if stores > 1 {
		return nil // one of several
	}
	var out []served
	for _, path := range c.keptAt(server) {
		for _, h := range c.handlers(server.Parent(), handler) {
			h.path, h.library = path, "http.Server"
			out = append(out, h)
		}
	}
	return out
}

// handlers lists the functions that a handler consists of: those registered with
// a mux, or the one that it is. Without one it is the mux that all share.
func (c *checker) handlers(fn *ssa.Function, handler ssa.Value) []served {
	var mux effect.Path
	if handler != nil {
		if h, ok := c.handler(handler); ok {
			return []served{h}
		}
		if mux = c.res.Path(handler); mux == "" {
			return nil
		}
	}
	var out []served
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(*ssa.Call)
			if !ok || call.Call.StaticCallee() == nil {
				continue
			}
			args := call.Call.Args
			switch call.Call.StaticCallee().String() {
			case "(*net/http.ServeMux).Handle", "(*net/http.ServeMux).HandleFunc":
				if handler == nil || c.res.Path(args[0]) != mux {
					continue
				}
			case "net/http.Handle", "net/http.HandleFunc":
				if handler != nil {
					continue
				}
			default:
				continue
			}
			if h, ok := c.handler(args[len(args)-1]); ok {
				h.at = call
				out = append(out, h)
			}
		}
	}
	return out
}

// handler is the function that a handler calls, and what it is bound to.
func (c *checker) handler(v ssa.Value) (served, bool) {
	switch x := v.(type) {
	case *ssa.ChangeType: // http.HandlerFunc(f)
		return c.handler(x.X)
	case *ssa.Function:
		return served{fn: x}, true
	case *ssa.MakeClosure:
		fn, ok := x.Fn.(*ssa.Function)
		if !ok {
			return served{}, false
		}
		if m, ok := fn.Object().(*types.Func); ok && fn.Synthetic != "" && len(x.Bindings) == 1 { // s.quit
			method := fn.Prog.FuncValue(m)
			return served{fn: method, recv: c.res.Path(x.Bindings[0])}, method != nil
		}
		return served{fn: fn}, true
	case *ssa.MakeInterface:
		if h, ok := c.handler(x.X); ok {
			return h, true
		}
		if m := c.method(x.X.Type(), "ServeHTTP"); m != nil {
			return served{fn: m, recv: c.res.Path(x.X)}, true
		}
	}
	return served{}, false
}

// method is a method of a type of this package.
func (c *checker) method(t types.Type, name string) *ssa.Function {
	obj, index, _ := types.LookupFieldOrMethod(t, true, c.pass.Pkg, name)
	m, ok := obj.(*types.Func)
	if !ok || len(index) != 1 || m.Pkg() != c.pass.Pkg {
		return nil
	}
	for _, fn := range c.res.Funcs() {
		if fn.Object() == m {
			return fn
		}
	}
	return nil
}

// keptAt lists the paths under which a function knows what it has made: its own
// variables, and the fields and package variables that it is stored to.
func (c *checker) keptAt(made interface {
	ssa.Value
	ssa.Instruction
}) []effect.Path {
	paths := []effect.Path{c.res.Path(made)}
	for _, b := range made.Parent().Blocks {
		for _, instr := range b.Instrs {
			s, ok := instr.(*ssa.Store)
			if !ok || c.res.Path(s.Val) != paths[0] {
				continue
			}
			p := c.res.Path(s.Addr)
			if field, ok := s.Addr.(*ssa.FieldAddr); ok {
				// Of a field that is assigned once, the path is that of the value.
				p = c.res.Path(field.X) + effect.Path("."+ir.FieldVar(field.X.Type(), field.Field).Name())
			}
			if p != "" && p != paths[0] {
				paths = append(paths, p)
			}
		}
	}
	return paths
}

// service lists the methods that a call registers with a gRPC server:
// pb.RegisterFooServer(server, foo).
func (c *checker) service(call *ssa.Call) []served {
	callee := call.Call.StaticCallee()
	if callee == nil || len(call.Call.Args) != 2 || !strings.HasPrefix(callee.Name(), "Register") || !strings.HasSuffix(callee.Name(), "Server") {
		return nil
	}
	server, impl := call.Call.Args[0], call.Call.Args[1]
	if m, ok := server.(*ssa.MakeInterface); ok {
		server = m.X
	}
	if ptr, ok := types.Unalias(server.Type()).(*types.Pointer); !ok || !ir.IsNamed(ptr.Elem(), "google.golang.org/grpc", "Server") {
		return nil
	}
	itf, ok := callee.Signature.Params().At(1).Type().Underlying().(*types.Interface)
	made, isInterface := impl.(*ssa.MakeInterface)
	if !ok || !isInterface {
		return nil
	}
	paths := []effect.Path{c.res.Path(server)}
	_, sel := paths[0].Split()
	if made, ok := c.res.Root(paths[0]).(*ssa.Call); ok && sel == "" && made.Parent() == call.Parent() {
		paths = c.keptAt(made)
	}
	var out []served
	for m := range itf.Methods() {
		fn := c.method(made.X.Type(), m.Name())
		if fn == nil {
			continue
		}
		for _, path := range paths {
			out = append(out, served{fn: fn, path: path, recv: c.res.Path(made.X), at: call, library: "grpc.Server"})
		}
	}
	return out
}

// addServed reports a handler that waits for itself.
func (c *checker) addServed(s served, w shutdown) {
	c.seen[w.site.Instr] = true
	start, end := report.Range(c.pass.Files, w.site.Pos)
	f := report.Finding{
		Pos: start, End: end, Slug: SelfWait, Tier: report.Default, Resource: c.res.NameOf(w.server),
		Message: fmt.Sprintf("%s is a handler of the %s that it shuts down: %s waits until all handlers have returned, this one among them: deadlock",
			c.funcName(s.fn), s.library, effect.Through(w.effect.Frames)),
	}
	if s.at != nil {
		const text = "the handler is registered here"
		f.Frames = append(f.Frames, report.Frame{Pos: report.Place(c.pass.Fset, s.at.Pos()), Text: text})
		f.Related = append(f.Related, analysis.RelatedInformation{Pos: s.at.Pos(), Message: text})
	}
	c.witness(&f, w.effect.Frames)
	c.report.Add(f)
}

// funcName is what a person calls a function.
func (c *checker) funcName(fn *ssa.Function) string {
	if fn.Parent() != nil {
		return "this function"
	}
	return fn.RelString(c.pass.Pkg)
}
