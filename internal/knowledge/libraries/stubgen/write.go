package main

import (
	"bytes"
	"cmp"
	"fmt"
	"go/format"
	"go/types"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
)

// files writes, for every package of which something is wanted, types.go and
// funcs.go.
func (g *generator) files() (map[string][]byte, error) {
	type decls struct {
		pkg    *types.Package
		types  []*types.TypeName
		values []types.Object
		funcs  []*types.Func
	}
	byPath := make(map[string]*decls)
	of := func(pkg *types.Package) *decls {
		if byPath[pkg.Path()] == nil {
			byPath[pkg.Path()] = &decls{pkg: pkg}
		}
		return byPath[pkg.Path()]
	}
	for obj := range g.types {
		of(obj.Pkg()).types = append(of(obj.Pkg()).types, obj)
	}
	for obj := range g.values {
		of(obj.Pkg()).values = append(of(obj.Pkg()).values, obj)
	}
	for fn := range g.funcs {
		of(fn.Pkg()).funcs = append(of(fn.Pkg()).funcs, fn)
	}
	for obj, methods := range g.methods {
		if !types.IsInterface(obj.Type()) {
			of(obj.Pkg()).funcs = append(of(obj.Pkg()).funcs, methods...)
		}
	}
	out := make(map[string][]byte)
	for _, p := range slices.Sorted(maps.Keys(byPath)) {
		d := byPath[p]
		f := newFile(g, d.pkg)
		byName := func(a, b *types.TypeName) int { return cmp.Compare(a.Name(), b.Name()) }
		slices.SortFunc(d.types, byName)
		slices.SortFunc(d.values, func(a, b types.Object) int { return cmp.Compare(a.Name(), b.Name()) })
		slices.SortFunc(d.funcs, func(a, b *types.Func) int { return cmp.Compare(funcKey(a), funcKey(b)) })
		for _, v := range d.values {
			f.value(v)
		}
		for _, obj := range d.types {
			f.typeDecl(obj)
		}
		if err := f.write(out, p+"/types.go"); err != nil {
			return nil, err
		}
		f = newFile(g, d.pkg)
		for _, fn := range d.funcs {
			f.function(fn)
		}
		if len(d.funcs) > 0 {
			if err := f.write(out, p+"/funcs.go"); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

func funcKey(fn *types.Func) string {
	if fn.Signature().Recv() == nil {
		return fn.Name()
	}
	return owner(fn).Name() + "." + fn.Name()
}

type file struct {
	g       *generator
	pkg     *types.Package
	imports map[string]string // path to name
	body    bytes.Buffer
}

func newFile(g *generator, pkg *types.Package) *file {
	return &file{g: g, pkg: pkg, imports: make(map[string]string)}
}

// qualify names pkg in this file, and imports it.
func (f *file) qualify(pkg *types.Package) string {
	if pkg == f.pkg {
		return ""
	}
	if name, ok := f.imports[pkg.Path()]; ok {
		return name
	}
	name := pkg.Name()
	for n := 2; slices.Contains(slices.Collect(maps.Values(f.imports)), name); n++ {
		name = pkg.Name() + strconv.Itoa(n)
	}
	f.imports[pkg.Path()] = name
	return name
}

func (f *file) str(t types.Type) string {
	if s, ok := t.(*types.Struct); ok {
		var b strings.Builder
		f.structType(&b, s)
		return b.String()
	}
	return types.TypeString(t, f.qualify)
}

func (f *file) signature(sig *types.Signature) string {
	return strings.TrimPrefix(types.TypeString(types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), sig.Variadic()), f.qualify), "func")
}

func (f *file) typeParams(list *types.TypeParamList, constraints bool) string {
	var parts []string
	for p := range list.TypeParams() {
		s := p.Obj().Name()
		if constraints {
			s += " " + f.str(p.Constraint())
		}
		parts = append(parts, s)
	}
	if parts == nil {
		return ""
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

func (f *file) value(v types.Object) {
	if c, ok := v.(*types.Const); ok {
		fmt.Fprintf(&f.body, "const %s %s = %s\n\n", c.Name(), constType(f, c), c.Val().ExactString())
		return
	}
	fmt.Fprintf(&f.body, "var %s %s\n\n", v.Name(), f.str(v.Type()))
}

func constType(f *file, c *types.Const) string {
	if b, ok := c.Type().(*types.Basic); ok && b.Info()&types.IsUntyped != 0 {
		return ""
	}
	return f.str(c.Type())
}

func (f *file) typeDecl(obj *types.TypeName) {
	if obj.IsAlias() {
		fmt.Fprintf(&f.body, "type %s = %s\n\n", obj.Name(), f.str(types.Unalias(obj.Type())))
		return
	}
	named := obj.Type().(*types.Named)
	fmt.Fprintf(&f.body, "type %s%s ", obj.Name(), f.typeParams(named.TypeParams(), true))
	switch u := named.Underlying().(type) {
	case *types.Struct:
		if !f.g.full[obj] {
			fmt.Fprint(&f.body, "struct{}\n\n")
			return
		}
		var b strings.Builder
		f.structType(&b, u)
		fmt.Fprintf(&f.body, "%s\n\n", b.String())
	case *types.Interface:
		if !u.IsMethodSet() {
			fmt.Fprintf(&f.body, "%s\n\n", f.str(u))
			return
		}
		f.interfaceType(obj, u)
	default:
		fmt.Fprintf(&f.body, "%s\n\n", f.str(u))
	}
}

// structType writes the embedded and the cheap exported fields of s.
func (f *file) structType(b *strings.Builder, s *types.Struct) {
	b.WriteString("struct {")
	for field := range s.Fields() {
		switch {
		case field.Embedded():
			fmt.Fprintf(b, "\n\t%s", f.str(field.Type()))
		case field.Exported() && f.g.cheap(field.Type()):
			fmt.Fprintf(b, "\n\t%s %s", field.Name(), f.str(field.Type()))
		}
	}
	b.WriteString("\n}")
}

// interfaceType writes the methods of the interface that are wanted.
func (f *file) interfaceType(obj *types.TypeName, u *types.Interface) {
	fmt.Fprint(&f.body, "interface {")
	if f.g.full[obj] {
		for t := range u.EmbeddedTypes() {
			fmt.Fprintf(&f.body, "\n\t%s", f.str(t))
		}
	}
	methods := slices.Clone(f.g.methods[obj])
	slices.SortFunc(methods, func(a, b *types.Func) int { return cmp.Compare(a.Name(), b.Name()) })
	for _, m := range methods {
		fmt.Fprintf(&f.body, "\n\t%s%s", m.Name(), f.signature(m.Signature()))
	}
	fmt.Fprint(&f.body, "\n}\n\n")
}

func (f *file) function(fn *types.Func) {
	sig := fn.Signature()
	recv := ""
	if r := sig.Recv(); r != nil {
		star := ""
		if _, ok := types.Unalias(r.Type()).(*types.Pointer); ok {
			star = "*"
		}
		recv = fmt.Sprintf("(%s%s%s) ", star, owner(fn).Name(), f.typeParams(sig.RecvTypeParams(), false))
	}
	body := "{}"
	if sig.Results().Len() > 0 {
		body = "{ return }"
	}
	fmt.Fprintf(&f.body, "func %s%s%s%s %s\n", recv, fn.Name(), f.typeParams(sig.TypeParams(), true), f.signature(withNamedResults(sig)), body)
}

// withNamedResults names the results of sig, so that its body can be a bare
// return. A body that panics would make the function one that never returns,
// and the code after each call of it unreachable.
func withNamedResults(sig *types.Signature) *types.Signature {
	var results []*types.Var
	for r := range sig.Results().Variables() {
		results = append(results, types.NewParam(r.Pos(), r.Pkg(), cmp.Or(r.Name(), "_"), r.Type()))
	}
	return types.NewSignatureType(nil, nil, nil, sig.Params(), types.NewTuple(results...), sig.Variadic())
}

func (f *file) write(out map[string][]byte, name string) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "// Code generated by stubgen from %s. DO NOT EDIT.\n\npackage %s\n\n", f.pkg.Path(), f.pkg.Name())
	if len(f.imports) > 0 {
		b.WriteString("import (\n")
		for _, p := range slices.SortedFunc(maps.Keys(f.imports), func(a, b string) int {
			return cmp.Or(cmp.Compare(dots(a), dots(b)), cmp.Compare(a, b))
		}) {
			if f.imports[p] == path.Base(p) {
				fmt.Fprintf(&b, "\t%q\n", p)
			} else {
				fmt.Fprintf(&b, "\t%s %q\n", f.imports[p], p)
			}
		}
		b.WriteString(")\n\n")
	}
	b.Write(f.body.Bytes())
	text, err := format.Source(b.Bytes())
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", name, err, b.Bytes())
	}
	out[name] = text
	return nil
}

// dots sorts the standard library first.
func dots(p string) int {
	first, _, _ := strings.Cut(p, "/")
	return min(strings.Count(first, "."), 1)
}
