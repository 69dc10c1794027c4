package fix

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
	"honnef.co/go/tools/analysis/edit"
)

// Import returns the name by which a package can be used at pos, and the edits
// that import it if the file does not. It fails if the name means something
// else at pos or would in the file: an import is never renamed to make a fix
// possible.
func (f *File) Import(pkg *types.Package, pos token.Pos, path, name string) (use string, edits []analysis.TextEdit, ok bool) {
	inner := pkg.Scope().Innermost(pos)
	if inner == nil {
		return "", nil, false
	}
	for _, spec := range f.Syntax.Imports {
		if got, err := strconv.Unquote(spec.Path.Value); err != nil || got != path {
			continue
		}
		use = name
		if spec.Name != nil {
			use = spec.Name.Name
		}
		if use == "_" {
			continue
		}
		_, obj := inner.LookupParent(use, pos)
		if p, isPkg := obj.(*types.PkgName); isPkg && p.Imported().Path() == path {
			return use, nil, true
		}
		return "", nil, false
	}
	if _, obj := inner.LookupParent(name, pos); obj != nil {
		return "", nil, false
	}
	if pkg.Scope().Lookup(name) != nil || f.declares(name) {
		return "", nil, false
	}
	e, ok := f.addImport(path)
	return name, []analysis.TextEdit{e}, ok
}

// Imports is [File.Import] for several packages, each a path and its name.
func (f *File) Imports(pkg *types.Package, pos token.Pos, specs ...[2]string) (names []string, edits []analysis.TextEdit, ok bool) {
	for _, spec := range specs {
		name, more, ok := f.Import(pkg, pos, spec[0], spec[1])
		if !ok {
			return nil, nil, false
		}
		names = append(names, name)
		for _, e := range more {
			if n := len(edits); n > 0 && edits[n-1].Pos == e.Pos {
				edits[n-1].NewText = append(edits[n-1].NewText, e.NewText...) // one after the other
			} else {
				edits = append(edits, e)
			}
		}
	}
	return names, edits, true
}

// declares reports whether anything in the file is called name: the new import
// would be hidden there, or hide it.
func (f *File) declares(name string) bool {
	for _, spec := range f.Syntax.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err == nil && spec.Name == nil && path[strings.LastIndexByte(path, '/')+1:] == name || spec.Name != nil && spec.Name.Name == name {
			return true
		}
	}
	return false
}

// addImport puts a path in the first group of imports that has its kind (of the
// standard library or not), in order.
func (f *File) addImport(path string) (analysis.TextEdit, bool) {
	quoted := strconv.Quote(path)
	var decl *ast.GenDecl
	for _, d := range f.Syntax.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
			decl = g
			break
		}
	}
	if decl == nil {
		at := f.LineEnd(f.Syntax.Name.End())
		return edit.ReplaceWithString(edit.Range{at, at}, "\nimport "+quoted+"\n"), true
	}
	if !decl.Lparen.IsValid() {
		if !f.OwnLines(decl) {
			return analysis.TextEdit{}, false
		}
		at := f.LineEnd(decl.End())
		return edit.ReplaceWithString(edit.Range{at, at}, "import "+quoted+"\n"), true
	}
	var after ast.Spec
	for _, s := range decl.Specs {
		spec, ok := s.(*ast.ImportSpec)
		if !ok || !f.OwnLines(spec) {
			return analysis.TextEdit{}, false
		}
		other, err := strconv.Unquote(spec.Path.Value)
		if err != nil || isStd(other) != isStd(path) {
			if after != nil {
				break // the end of its group
			}
			continue
		}
		if other > path {
			if after == nil {
				return f.InsertBefore(spec, quoted), true
			}
			break
		}
		after = spec
	}
	if after != nil {
		return f.InsertAfter(after, quoted), true
	}
	if n := len(decl.Specs); n > 0 && !isStd(path) { // a group of its own, the last
		at := f.LineEnd(decl.Specs[n-1].End())
		return edit.ReplaceWithString(edit.Range{at, at}, "\n\t"+quoted+"\n"), true
	}
	at := f.LineEnd(decl.Lparen)
	return edit.ReplaceWithString(edit.Range{at, at}, "\t"+quoted+"\n\n"), len(decl.Specs) > 0
}

func isStd(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}
