package libraries

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/knowledge"
)

// shaped lists packages that have no row of their own: shape.go answers.
var shaped = []string{
	"cloud.google.com/go/pubsub/v2/apiv1",
	"github.com/aws/aws-sdk-go-v2/service/dynamodb",
	"github.com/aws/aws-sdk-go-v2/service/s3",
	"github.com/aws/aws-sdk-go-v2/service/sqs",
	"github.com/elastic/go-elasticsearch/v8/typedapi/core/search",
	"go.etcd.io/etcd/api/v3/etcdserverpb",
	"google.golang.org/grpc/health/grpc_health_v1",
	"k8s.io/client-go/kubernetes/typed/apps/v1",
	"k8s.io/client-go/kubernetes/typed/core/v1",
	"k8s.io/client-go/kubernetes/typed/core/v1/fake",
}

// libraryRows are the rows about a package that is not in the standard library.
func libraryRows() []*knowledge.Row {
	var rows []*knowledge.Row
	for _, row := range knowledge.Builtin().Rows() {
		if first, _, _ := strings.Cut(knowledge.KeyPackage(row.Key), "/"); strings.Contains(first, ".") {
			rows = append(rows, row)
		}
	}
	return rows
}

// load type-checks every package that a row or shaped names, from its source
// and without function bodies: nothing is compiled.
var load = sync.OnceValues(func() (map[string]*types.Package, error) {
	var paths []string
	for _, row := range libraryRows() {
		paths = append(paths, knowledge.KeyPackage(row.Key))
	}
	paths = append(paths, shaped...)
	slices.Sort(paths)
	paths = slices.Compact(paths)
	pkgs, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
			packages.NeedDeps | packages.NeedTypes | packages.NeedSyntax,
		Env: append(os.Environ(), "CGO_ENABLED=0"),
		ParseFile: func(fset *token.FileSet, name string, src []byte) (*ast.File, error) {
			file, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
			if file != nil {
				for _, decl := range file.Decls {
					if fn, ok := decl.(*ast.FuncDecl); ok {
						fn.Body = nil
					}
				}
			}
			return file, err
		},
	}, paths...)
	if err != nil {
		return nil, err
	}
	byPath := make(map[string]*types.Package)
	for _, pkg := range pkgs {
		byPath[pkg.PkgPath] = pkg.Types
	}
	return byPath, nil
})

func loaded(t *testing.T) map[string]*types.Package {
	t.Helper()
	pkgs, err := load()
	if err != nil {
		t.Fatal(err)
	}
	return pkgs
}

// Every row about a library names something that exists there, and every
// family of them has rows.
func TestLibraryRowsResolve(t *testing.T) {
	pkgs := loaded(t)
	families := make(map[string]int)
	for _, row := range libraryRows() {
		families[row.File]++
		path := knowledge.KeyPackage(row.Key)
		pkg := pkgs[path]
		if pkg == nil || len(pkg.Scope().Names()) == 0 {
			t.Errorf("%s:%d: package %s was not found", row.File, row.Line, path)
			continue
		}
		if err := knowledge.Resolve(row, pkg); err != nil {
			t.Errorf("%s:%d: %v", row.File, row.Line, err)
		}
	}
	files, err := os.ReadDir("..")
	if err != nil {
		t.Fatal(err)
	}
	tables := 0
	for _, file := range files {
		if name := file.Name(); strings.HasPrefix(name, "lib_") && strings.HasSuffix(name, ".model") {
			tables++
			if families[name] == 0 {
				t.Errorf("%s has no row about a library", name)
			}
		}
	}
	if tables < 20 || len(libraryRows()) < 1500 {
		t.Errorf("%d tables with %d rows, want at least 20 and 1500", tables, len(libraryRows()))
	}
}

// A row of a function that takes a context first says that it is bounded by
// it, unless the function is known not to heed it.
func TestLibraryRowsNameTheContext(t *testing.T) {
	ignoresContext := map[string]bool{
		"(*github.com/rabbitmq/amqp091-go.Channel).ConsumeWithContext":                    true,
		"(*github.com/rabbitmq/amqp091-go.Channel).PublishWithContext":                    true,
		"(*github.com/rabbitmq/amqp091-go.Channel).PublishWithDeferredConfirmWithContext": true,
	}
	pkgs := loaded(t)
	for _, row := range libraryRows() {
		if row.Type || len(row.Effects) == 0 || ignoresContext[row.Key] {
			continue
		}
		fn := find(pkgs, row.Key)
		if fn == nil {
			continue // TestLibraryRowsResolve says so
		}
		params := fn.Type().(*types.Signature).Params()
		if params.Len() == 0 || types.TypeString(params.At(0).Type(), nil) != "context.Context" {
			continue
		}
		for _, e := range row.Effects {
			if e.Ctx != 0 && waits(e.Kind) {
				t.Errorf("%s:%d: %s takes a context, but its %s does not name it", row.File, row.Line, row.Key, e.Kind)
			}
		}
	}
}

func waits(k effect.Kind) bool {
	switch k {
	case effect.Net, effect.DB, effect.Submit, effect.Acquire, effect.Sleep:
		return true
	}
	return false
}

// find returns the function or method of key.
func find(pkgs map[string]*types.Package, key string) *types.Func {
	pkg := pkgs[knowledge.KeyPackage(key)]
	if pkg == nil {
		return nil
	}
	typ, method, ok := strings.Cut(strings.TrimLeft(key, "(*"), ").")
	if !ok {
		fn, _ := pkg.Scope().Lookup(key[strings.LastIndexByte(key, '.')+1:]).(*types.Func)
		return fn
	}
	obj := pkg.Scope().Lookup(typ[strings.LastIndexByte(typ, '.')+1:])
	if obj == nil {
		return nil
	}
	t := obj.Type()
	if !types.IsInterface(t) {
		t = types.NewPointer(t)
	}
	found, _, _ := types.LookupFieldOrMethod(t, true, pkg, method)
	fn, _ := found.(*types.Func)
	return fn
}
