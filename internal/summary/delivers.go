package summary

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/ir"
)

// Delivers says whether fn is called once for each message (Items) or request
// (Conns), by the types of its parameters. Requests run in goroutines of their
// own anyway; messages come one after the other.
func (r *Result) Delivers(fn *ssa.Function) effect.Source {
	for i, p := range fn.Params {
		if i == 0 && fn.Signature.Recv() != nil {
			continue
		}
		if s := table().Source(p.Type()); s != effect.NoSource {
			return s
		}
	}
	if serviceMethod(fn) {
		return effect.Conns
	}
	return effect.NoSource
}

// serviceMethod reports whether fn answers one call of a gRPC service: its
// receiver embeds what protoc-gen-go-grpc generates for the service, which has a
// method of this name. A stream is a source of its own.
func serviceMethod(fn *ssa.Function) bool {
	sig := fn.Signature
	if sig.Recv() == nil || fn.Object() == nil || !fn.Object().Exported() || sig.Params().Len() != 2 || sig.Results().Len() != 2 || !ir.IsContext(sig.Params().At(0).Type()) || !isError(sig.Results().At(1).Type()) {
		return false
	}
	t := types.Unalias(sig.Recv().Type())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range st.Fields() {
		name := f.Name()
		if !f.Embedded() || !strings.HasPrefix(name, "Unimplemented") || !strings.HasSuffix(name, "Server") {
			continue
		}
		obj, _, _ := types.LookupFieldOrMethod(f.Type(), true, fn.Object().Pkg(), fn.Name())
		if m, ok := obj.(*types.Func); ok && types.Identical(m.Signature().Params(), sig.Params()) {
			return true
		}
	}
	return false
}

// Body reports whether v is what a request or message brings, in a function that
// is called once for each: its body, what the framework decodes from it, the
// message of a gRPC call.
func (r *Result) Body(v ssa.Value) bool {
	switch x := v.(type) {
	case *ssa.Parameter:
		fn := x.Parent()
		return len(fn.Params) == 3 && x == fn.Params[2] && serviceMethod(fn)
	case *ssa.Call:
		recv, name := receiverOf(x)
		return recv != nil && table().Body(recv.Type(), name)
	case *ssa.FieldAddr:
		st, ok := types.Unalias(x.X.Type()).(*types.Pointer)
		if !ok {
			return false
		}
		s, ok := st.Elem().Underlying().(*types.Struct)
		if !ok || !table().Body(st, s.Field(x.Field).Name()) {
			return false
		}
		switch root := r.in.paths.Root(r.in.paths.Of(x.X)).(type) {
		case *ssa.Parameter: // and not of a client that builds one
			return r.delivered(root)
		case *ssa.Call: // c.Request() of a framework
			recv, _ := receiverOf(root)
			p, ok := recv.(*ssa.Parameter)
			return ok && r.delivered(p)
		}
	}
	return false
}

// delivered reports whether a function is called once a request with p.
func (r *Result) delivered(p *ssa.Parameter) bool {
	fn := p.Parent()
	return fn != nil && r.Delivers(fn) != effect.NoSource && (fn.Signature.Recv() == nil || p != fn.Params[0])
}

// receiverOf is what a method is called on, and its name; nil for a function.
func receiverOf(call *ssa.Call) (ssa.Value, string) {
	common := call.Common()
	if common.IsInvoke() {
		return common.Value, common.Method.Name()
	}
	if fn := common.StaticCallee(); fn != nil && fn.Signature.Recv() != nil && len(common.Args) > 0 {
		return common.Args[0], fn.Name()
	}
	return nil, ""
}

// OwnModule reports whether a package belongs to the module that is analysed.
func (r *Result) OwnModule(pkg *types.Package) bool { return pkg != nil && r.in.sameModule(pkg.Path()) }
