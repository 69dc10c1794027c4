package nodeadline

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// asked are the arguments of an operation and, for a request that is made in
// sight, those that it is made of: its address is among them.
func (c *checker) asked(args []ssa.Value) []ssa.Value {
	out := args
	for _, a := range args {
		if !isNamed(a.Type(), "net/http", "Request") {
			continue
		}
		if made, ok := c.madeBy(a); ok {
			out = append(out[:len(out):len(out)], made...)
		}
	}
	return out
}

// metadata are the services by which a provider tells a machine about itself: the
// hypervisor answers. One of them drops what comes from a container.
var metadata = []string{"http://169.254.169.254/metadata/", "http://metadata.google.internal/", "http://metadata/"}

// asksMachine reports whether a request is to such a service, by its address or
// by the header that it wants to see.
func asksMachine(fn *ssa.Function, args []ssa.Value) bool {
	if slices.ContainsFunc(args, func(a ssa.Value) bool {
		s, _ := text(a)
		return slices.ContainsFunc(metadata, func(url string) bool { return strings.HasPrefix(s, url) })
	}) {
		return true
	}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(*ssa.Call)
			if !ok || len(call.Call.Args) != 3 {
				continue
			}
			callee := call.Call.StaticCallee()
			if callee == nil || callee.Signature.Recv() == nil || !isNamed(callee.Signature.Recv().Type(), "net/http", "Header") {
				continue
			}
			if name, _ := text(call.Call.Args[1]); name == "Metadata" || name == "Metadata-Flavor" {
				return true
			}
		}
	}
	return false
}

// overSocket reports whether the HTTP clients of the package talk to a daemon of
// the same machine: a transport in it dials a socket of the file system.
func (c *checker) overSocket() bool {
	if c.socket == nil {
		found := false
		for _, f := range c.pass.Files {
			ast.Inspect(f, func(n ast.Node) bool {
				if lit, ok := n.(*ast.CompositeLit); ok && !found && isNamed(c.pass.TypesInfo.TypeOf(lit), "net/http", "Transport") {
					found = dialsSocket(lit)
				}
				return !found
			})
		}
		c.socket = &found
	}
	return *c.socket
}

// dialsSocket reports whether the dial function of a transport, written in place,
// has a socket for its network.
func dialsSocket(transport *ast.CompositeLit) bool {
	found := false
	for _, elt := range transport.Elts {
		kv, ok := elt.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		if key, ok := kv.Key.(*ast.Ident); !ok || key.Name != "Dial" && key.Name != "DialContext" {
			continue
		}
		ast.Inspect(kv.Value, func(n ast.Node) bool {
			if s, ok := n.(*ast.BasicLit); ok && s.Kind == token.STRING && s.Value == `"unix"` {
				found = true
			}
			return !found
		})
	}
	return found
}
