package knowledge_test

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/concvet/concvet/internal/knowledge"
)

const stubRoot = "../../testdata/src"

// Every package of testdata/src that stands for a library type-checks as the
// GOPATH tree of analysistest has it, and every row about it resolves there.
// Against the libraries themselves the rows are resolved in libraries/.
func TestStubsTypeCheckAndHaveEveryRow(t *testing.T) {
	rows := make(map[string][]*knowledge.Row)
	for _, row := range knowledge.Builtin().Rows() {
		p := knowledge.KeyPackage(row.Key)
		rows[p] = append(rows[p], row)
	}
	imp := newStubImporter()
	checked := 0
	for _, p := range stubPaths(t) {
		pkg, err := imp.Import(p)
		if err != nil {
			t.Errorf("%s: %v", p, err)
			continue
		}
		for _, row := range rows[p] {
			if err := knowledge.Resolve(row, pkg); err != nil {
				t.Errorf("%s:%d: in the stub: %v", row.File, row.Line, err)
			}
			checked++
		}
		delete(rows, p)
	}
	if checked < 1000 {
		t.Errorf("only %d rows were resolved in a stub", checked)
	}
	for _, p := range []string{
		"github.com/IBM/sarama",
		"github.com/gomodule/redigo/redis",
		"github.com/jackc/pgx/v5",
		"github.com/jackc/pgx/v5/pgxpool",
		"github.com/jmoiron/sqlx",
		"github.com/nats-io/nats.go",
		"github.com/redis/go-redis/v9",
		"github.com/uptrace/bun",
		"go.etcd.io/bbolt",
		"go.mongodb.org/mongo-driver/v2/mongo",
		"golang.org/x/sync/errgroup",
		"golang.org/x/sync/semaphore",
		"golang.org/x/sync/singleflight",
		"google.golang.org/grpc",
		"gorm.io/gorm",
	} {
		if rows[p] != nil {
			t.Errorf("%s has no stub", p)
		}
	}
}

// No stub has a function that panics: the analyzers would take it for one that
// never returns, and the code after each call of it for unreachable.
func TestStubsReturn(t *testing.T) {
	fset := token.NewFileSet()
	for _, p := range stubPaths(t) {
		for _, name := range goFiles(p) {
			file, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Error(err)
				continue
			}
			ast.Inspect(file, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok {
					if id, ok := call.Fun.(*ast.Ident); ok && id.Name == "panic" {
						t.Errorf("%s: panic in a stub", fset.Position(call.Pos()))
					}
				}
				return true
			})
		}
	}
}

// stubPaths are the import paths below testdata/src that begin with a domain.
func stubPaths(t *testing.T) []string {
	t.Helper()
	var paths []string
	root := os.DirFS(stubRoot)
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() || name == "." {
			return err
		}
		if first, _, _ := strings.Cut(name, "/"); !strings.Contains(first, ".") {
			return fs.SkipDir
		}
		if len(goFiles(name)) > 0 {
			paths = append(paths, name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// goFiles are the files of a package of testdata/src. A folder may be called
// nats.go.
func goFiles(importPath string) []string {
	dir := filepath.Join(stubRoot, filepath.FromSlash(importPath))
	entries, _ := os.ReadDir(dir) // none: the package has no stub
	var names []string
	for _, e := range entries {
		if !e.IsDir() && strings.HasSuffix(e.Name(), ".go") {
			names = append(names, filepath.Join(dir, e.Name()))
		}
	}
	return names
}

// A stubImporter finds packages in testdata/src, and others in the standard
// library.
type stubImporter struct {
	fset *token.FileSet
	std  types.Importer
	pkgs map[string]*types.Package
}

func newStubImporter() *stubImporter {
	fset := token.NewFileSet()
	return &stubImporter{fset: fset, std: importer.ForCompiler(fset, "source", nil), pkgs: make(map[string]*types.Package)}
}

func (imp *stubImporter) Import(p string) (*types.Package, error) {
	if pkg := imp.pkgs[p]; pkg != nil {
		return pkg, nil
	}
	names := goFiles(p)
	if len(names) == 0 {
		if first, _, _ := strings.Cut(p, "/"); strings.Contains(first, ".") {
			return nil, fmt.Errorf("no stub of %s", p)
		}
		return imp.std.Import(p)
	}
	var files []*ast.File
	for _, name := range names {
		file, err := parser.ParseFile(imp.fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	pkg, err := (&types.Config{Importer: imp}).Check(p, imp.fset, files, nil)
	if err != nil {
		return nil, err
	}
	imp.pkgs[p] = pkg
	return pkg, nil
}
