// Package ssabuild builds the SSA form of the functions of the current package
// that somebody asks for, and of no other.
//
// Building is the larger half of what an analysis costs, and most functions of
// most packages can have no effect at all, so the caller names those that may.
// The package is built once; there are no facts here, since SSA of a package
// must not need SSA of its imports.
package ssabuild

import (
	"fmt"
	"go/ast"
	"go/types"
	"reflect"
	"slices"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/noreturn"
)

// Analyzer gives a [*Builder], which has built nothing yet.
var Analyzer = &analysis.Analyzer{
	Name:       "concvetssa",
	Doc:        "build SSA form lazily for the functions that may have an effect",
	Run:        run,
	Requires:   []*analysis.Analyzer{noreturn.Analyzer},
	ResultType: reflect.TypeFor[*Builder](),
}

func run(pass *analysis.Pass) (any, error) {
	never, ok := pass.ResultOf[noreturn.Analyzer].(*noreturn.Set)
	if !ok {
		return nil, fmt.Errorf("no result of %s", noreturn.Analyzer.Name)
	}
	return &Builder{pass: pass, never: never}, nil
}

// A Builder builds the package on the first call of [Builder.Build].
type Builder struct {
	pass  *analysis.Pass
	never *noreturn.Set
	once  sync.Once
	pkg   *Package
	err   error
}

// A Package is the SSA form of the functions that were asked for.
type Package struct {
	SSA *ssa.Package

	// Funcs are the functions that have a body, in source order, each before
	// its literals, followed by the literals of package-level variables.
	Funcs []*ssa.Function
}

// Build builds the functions for which keep is true, and every package-level
// initialiser that contains a function literal or for which one of inits is true. Only the first call builds:
// later ones return the same package. The go/ssa builder panics on some valid
// programs; that is returned as an error.
func (b *Builder) Build(keep func(*ast.FuncDecl) bool, inits ...func(*types.Initializer) bool) (*Package, error) {
	b.once.Do(func() {
		b.pkg, b.err = b.build(keep, func(init *types.Initializer) bool {
			return HasFuncLit(init.Rhs) || slices.ContainsFunc(inits, func(f func(*types.Initializer) bool) bool { return f(init) })
		})
	})
	return b.pkg, b.err
}

func (b *Builder) build(keep func(*ast.FuncDecl) bool, keepInit func(*types.Initializer) bool) (pkg *Package, err error) {
	defer func() {
		if x := recover(); x != nil {
			pkg, err = nil, fmt.Errorf("building SSA of %s: %v", b.pass.Pkg.Path(), x)
		}
	}()
	prog := ssa.NewProgram(b.pass.Fset, 0)
	prog.SetNoReturn(b.never.Has)
	for _, p := range b.pass.Pkg.Imports() {
		prog.CreatePackage(p, nil, nil, true)
	}
	var wanted []*types.Func
	files := make([]*ast.File, len(b.pass.Files))
	for i, f := range b.pass.Files {
		clone := *f
		clone.Decls = make([]ast.Decl, len(f.Decls))
		for j, d := range f.Decls {
			clone.Decls[j] = d
			decl, ok := d.(*ast.FuncDecl)
			if !ok || decl.Body == nil {
				continue
			}
			if keep(decl) {
				if fn, ok := b.pass.TypesInfo.Defs[decl.Name].(*types.Func); ok {
					wanted = append(wanted, fn)
				}
				continue
			}
			bare := *decl
			bare.Body = nil // go/ssa takes it for a function implemented elsewhere
			clone.Decls[j] = &bare
		}
		files[i] = &clone
	}
	info := *b.pass.TypesInfo
	info.InitOrder = nil
	for _, init := range b.pass.TypesInfo.InitOrder {
		if keepInit(init) {
			info.InitOrder = append(info.InitOrder, init)
		}
	}
	for i, f := range files {
		// The language version of a file is looked up by the file itself.
		if v, ok := info.FileVersions[b.pass.Files[i]]; ok {
			if i == 0 {
				versions := make(map[*ast.File]string, len(files))
				for k, v := range info.FileVersions {
					versions[k] = v
				}
				info.FileVersions = versions
			}
			info.FileVersions[f] = v
		}
	}
	p := prog.CreatePackage(b.pass.Pkg, files, &info, false)
	p.Build()
	pkg = &Package{SSA: p}
	var add func(f *ssa.Function)
	add = func(f *ssa.Function) {
		if len(f.Blocks) > 0 {
			pkg.Funcs = append(pkg.Funcs, f)
		}
		for _, lit := range f.AnonFuncs { // as deep as the source nests
			add(lit)
		}
	}
	for _, fn := range wanted {
		if f := prog.FuncValue(fn); f != nil {
			add(f)
		}
	}
	if init := p.Func("init"); init != nil {
		for _, lit := range init.AnonFuncs {
			add(lit)
		}
	}
	return pkg, nil
}

// HasFuncLit reports whether an expression contains a function literal.
func HasFuncLit(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok {
			found = true
		}
		return !found
	})
	return found
}
