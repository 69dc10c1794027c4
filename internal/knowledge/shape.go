package knowledge

import (
	"go/types"
	"strings"

	"github.com/concvet/concvet/internal/effect"
)

// shape answers for the methods of generated clients, which are too many to
// list and all alike. It goes by the declared signature, and, where that alone
// would not be enough, by the import path of the client.
func shape(fn *types.Func) *Row {
	sig, ok := fn.Type().(*types.Signature)
	if !ok || sig.Recv() == nil || !fn.Exported() {
		return nil
	}
	params := sig.Params()
	if params.Len() == 0 || !isNamed(params.At(0).Type(), "context", "Context") {
		return nil
	}
	outbound := &Row{Key: FullName(fn), Effects: []Effect{{Kind: effect.Net, Ctx: 0, Dur: NoParam, On: -1, Pool: NoParam}}}
	if sig.Variadic() {
		last := params.At(params.Len() - 1).Type()
		slice, ok := last.(*types.Slice)
		if !ok {
			return nil
		}
		elem := slice.Elem()
		switch {
		case isNamed(elem, "google.golang.org/grpc", "CallOption"):
			// A stream's constructor returns when the stream is opened, which
			// waits for a connection.
			return outbound
		case isNamed(elem, "github.com/googleapis/gax-go/v2", "CallOption"):
			return outbound
		case strings.HasPrefix(packagePath(fn.Pkg()), "github.com/aws/aws-sdk-go-v2/service/") && isFunc(elem):
			return outbound
		}
		return nil
	}
	if path := packagePath(fn.Pkg()); strings.HasPrefix(path, "k8s.io/client-go/kubernetes/typed/") {
		switch fn.Name() {
		case "Get", "List", "Create", "Update", "UpdateStatus", "Patch", "Delete", "DeleteCollection", "Apply", "ApplyStatus", "Watch", "GetScale", "UpdateScale", "ApplyScale":
			return outbound
		}
	}
	return nil
}

func isNamed(t types.Type, path, name string) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Name() == name && named.Obj().Pkg() != nil && packagePath(named.Obj().Pkg()) == path
}

func isFunc(t types.Type) bool {
	_, ok := types.Unalias(t).Underlying().(*types.Signature)
	return ok
}
