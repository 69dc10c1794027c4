// Command stubgen writes the stubs of third-party libraries that the tests of
// the analyzers import, into testdata/src of the repository: the declarations
// that the rows of a package name, what those mention, and what roots.go adds.
// Bodies return zero values, types have the exported fields that need no other
// library, and interfaces only the methods that are wanted.
//
//	go -C internal/knowledge/libraries run ./stubgen
package main

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"log"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/concvet/concvet/internal/knowledge"
)

func main() {
	out := flag.String("out", "../../../testdata/src", "folder to write to")
	flag.Parse()
	files, err := generate()
	if err != nil {
		log.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		path := filepath.Join(*out, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			log.Fatal(err)
		}
		if err := os.WriteFile(path, files[name], 0o644); err != nil {
			log.Fatal(err)
		}
	}
}

// generate returns the text of every stub file by its path below testdata/src.
func generate() (map[string][]byte, error) {
	pkgs, err := load(slices.Sorted(maps.Keys(roots)))
	if err != nil {
		return nil, err
	}
	g := &generator{
		full:    make(map[*types.TypeName]bool),
		types:   make(map[*types.TypeName]bool),
		funcs:   make(map[*types.Func]bool),
		values:  make(map[types.Object]bool),
		methods: make(map[*types.TypeName][]*types.Func),
	}
	for _, row := range knowledge.Builtin().Rows() {
		pkg := pkgs[knowledge.KeyPackage(row.Key)]
		if pkg == nil {
			continue
		}
		if row.Type {
			obj := pkg.Scope().Lookup(row.Key[strings.LastIndexByte(row.Key, '.')+1:]).(*types.TypeName)
			g.fullType(obj)
			for _, name := range row.Body {
				if err := g.want(pkg, obj.Name()+"."+name); err != nil {
					return nil, err
				}
			}
			continue
		}
		typ, method, isMethod := strings.Cut(strings.TrimLeft(row.Key, "(*"), ").")
		name := typ[strings.LastIndexByte(typ, '.')+1:]
		if isMethod {
			name += "." + method
		}
		if err := g.want(pkg, name); err != nil {
			return nil, err
		}
	}
	for _, path := range slices.Sorted(maps.Keys(roots)) {
		for _, name := range strings.Fields(roots[path]) {
			if err := g.want(pkgs[path], name); err != nil {
				return nil, err
			}
		}
	}
	return g.files()
}

func load(paths []string) (map[string]*types.Package, error) {
	loaded, err := packages.Load(&packages.Config{
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
	pkgs := make(map[string]*types.Package)
	for _, pkg := range loaded {
		pkgs[pkg.PkgPath] = pkg.Types
	}
	return pkgs, nil
}

type generator struct {
	full    map[*types.TypeName]bool // declared with fields and embedded types
	types   map[*types.TypeName]bool
	funcs   map[*types.Func]bool
	values  map[types.Object]bool // variables and constants
	methods map[*types.TypeName][]*types.Func
}

// want adds the declaration that name, "F", "T" or "T.M", stands for.
func (g *generator) want(pkg *types.Package, name string) error {
	first, method, isMethod := strings.Cut(name, ".")
	obj := pkg.Scope().Lookup(first)
	switch obj := obj.(type) {
	case nil:
		return fmt.Errorf("%s has no %s", pkg.Path(), first)
	case *types.Func:
		if !g.funcs[obj] {
			g.funcs[obj] = true
			g.walk(obj.Type())
		}
	case *types.TypeName:
		g.fullType(obj)
		if isMethod {
			t := obj.Type()
			if !types.IsInterface(t) {
				t = types.NewPointer(t)
			}
			found, _, _ := types.LookupFieldOrMethod(t, true, pkg, method)
			fn, ok := found.(*types.Func)
			if !ok {
				return fmt.Errorf("%s.%s has no method %s", pkg.Path(), first, method)
			}
			g.method(fn.Origin())
		}
	default:
		g.values[obj] = true
		g.walk(obj.Type())
	}
	return nil
}

func (g *generator) method(fn *types.Func) {
	owner := owner(fn)
	if slices.Contains(g.methods[owner], fn) {
		return
	}
	g.methods[owner] = append(g.methods[owner], fn)
	g.fullType(owner)
	sig := fn.Signature()
	g.walk(sig.Params())
	g.walk(sig.Results())
}

// owner is the type that declares the method fn.
func owner(fn *types.Func) *types.TypeName {
	t := types.Unalias(fn.Signature().Recv().Type())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	return t.(*types.Named).Origin().Obj()
}

// fullType adds a type with its fields, and the types that it embeds, since
// those bring methods.
func (g *generator) fullType(obj *types.TypeName) {
	if g.full[obj] || std(obj.Pkg()) {
		return
	}
	g.full[obj] = true
	g.addType(obj)
	switch u := obj.Type().Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			if f.Embedded() {
				t := types.Unalias(f.Type())
				if p, ok := t.(*types.Pointer); ok {
					t = types.Unalias(p.Elem())
				}
				if named, ok := t.(*types.Named); ok {
					g.fullType(named.Origin().Obj())
					g.walk(named)
				}
			} else if f.Exported() && g.cheap(f.Type()) {
				g.walkField(f.Type())
			}
		}
	case *types.Interface:
		for t := range u.EmbeddedTypes() {
			if named, ok := types.Unalias(t).(*types.Named); ok {
				g.fullType(named.Origin().Obj())
				g.walk(named)
			}
		}
	}
}

// addType adds a type whose fields do not matter.
func (g *generator) addType(obj *types.TypeName) {
	if g.types[obj] || std(obj.Pkg()) {
		return
	}
	g.types[obj] = true
	if obj.IsAlias() {
		g.walk(types.Unalias(obj.Type()))
		return
	}
	if named, ok := obj.Type().(*types.Named); ok {
		for p := range named.TypeParams().TypeParams() {
			g.walk(p.Constraint())
		}
	}
	switch u := obj.Type().Underlying().(type) {
	case *types.Struct:
	case *types.Interface:
		if !u.IsMethodSet() {
			g.walk(u)
		}
	default:
		g.walk(u)
	}
}

// walk adds every named type that t mentions.
func (g *generator) walk(t types.Type) {
	switch t := t.(type) {
	case *types.Alias:
		g.addType(t.Origin().Obj())
		for a := range t.TypeArgs().Types() {
			g.walk(a)
		}
	case *types.Named:
		g.addType(t.Origin().Obj())
		for a := range t.TypeArgs().Types() {
			g.walk(a)
		}
	case *types.Signature:
		for p := range t.TypeParams().TypeParams() {
			g.walk(p.Constraint())
		}
		g.walk(t.Params())
		g.walk(t.Results())
	case *types.Tuple:
		for v := range t.Variables() {
			g.walk(v.Type())
		}
	case *types.Map:
		g.walk(t.Key())
		g.walk(t.Elem())
	case interface{ Elem() types.Type }:
		g.walk(t.Elem())
	case *types.Struct:
		g.walkField(t)
	case *types.Union:
		for term := range t.Terms() {
			g.walk(term.Type())
		}
	case *types.Interface:
		for m := range t.ExplicitMethods() {
			g.walk(m.Signature())
		}
		for e := range t.EmbeddedTypes() {
			g.walk(e)
		}
	}
}

// walkField is walk for the type of a field, of which only cheap parts are
// written.
func (g *generator) walkField(t types.Type) {
	s, ok := t.(*types.Struct)
	if !ok {
		g.walk(t)
		return
	}
	for f := range s.Fields() {
		if f.Exported() && g.cheap(f.Type()) {
			g.walkField(f.Type())
		}
	}
}

// cheap reports whether t mentions only the standard library and packages that
// have a stub anyway.
func (g *generator) cheap(t types.Type) bool {
	switch t := t.(type) {
	case *types.Basic, *types.TypeParam, *types.Struct:
		return true
	case *types.Alias:
		return g.local(t.Obj()) && g.cheap(types.Unalias(t))
	case *types.Named:
		for a := range t.TypeArgs().Types() {
			if !g.cheap(a) {
				return false
			}
		}
		return g.local(t.Obj())
	case *types.Signature:
		return g.cheapTuple(t.Params()) && g.cheapTuple(t.Results())
	case *types.Map:
		return g.cheap(t.Key()) && g.cheap(t.Elem())
	case interface{ Elem() types.Type }:
		return g.cheap(t.Elem())
	case *types.Interface:
		return t.NumMethods() == 0
	}
	return false
}

func (g *generator) cheapTuple(t *types.Tuple) bool {
	for v := range t.Variables() {
		if !g.cheap(v.Type()) {
			return false
		}
	}
	return true
}

func (g *generator) local(obj *types.TypeName) bool {
	if std(obj.Pkg()) {
		return true
	}
	_, ok := roots[obj.Pkg().Path()]
	return ok
}

func std(pkg *types.Package) bool {
	if pkg == nil {
		return true
	}
	first, _, _ := strings.Cut(pkg.Path(), "/")
	return !strings.Contains(first, ".")
}
