package knowledge

import (
	"embed"
	"fmt"
	"go/types"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/concvet/concvet/internal/effect"
)

//go:embed *.model
var files embed.FS

// A Table answers what is known of a function. It is safe for concurrent use.
//
// A process analyses one package and asks for few of the rows, so a table is
// made by finding the keys only; a row is parsed when it is first asked for.
type Table struct {
	lines    map[string]line     // by key; the key of a type has "type " in front
	packages map[string]bool     // import paths that have rows
	bounding map[string]bool     // import paths with options that bound
	limiting map[string]bool     // types that can be given a limit
	pools    map[string]bool     // types that connections are taken from
	shared   map[string]bool     // types that slots are taken of, or that run tasks
	loops    map[string][]string // keys of rows about loops, by import path
	order    []string            // the keys, in the order of the files
	parsed   sync.Map            // key → *Row
}

// A line is a row that may not have been parsed.
type line struct {
	text string
	file string
	n    int
}

// Builtin returns the built-in table. A mistake in it is a bug that the tests
// of this package find, so it panics.
var Builtin = sync.OnceValue(func() *Table {
	t := &Table{lines: make(map[string]line, 4096), packages: make(map[string]bool), bounding: make(map[string]bool), limiting: make(map[string]bool), pools: make(map[string]bool), shared: make(map[string]bool), loops: make(map[string][]string)}
	names, err := fs.Glob(files, "*.model")
	if err != nil {
		panic(err)
	}
	for _, name := range names {
		data, err := files.ReadFile(name)
		if err != nil {
			panic(err)
		}
		n := 0
		for text := range strings.SplitSeq(string(data), "\n") {
			n++
			if err := t.add(line{text, name, n}); err != nil {
				panic(err)
			}
		}
	}
	return t
})

// With returns a table that has the lines of models on top of t. The error
// names the first line that cannot be read.
func (t *Table) With(models []string) (*Table, error) {
	if len(models) == 0 {
		return t, nil
	}
	n := &Table{lines: maps.Clone(t.lines), packages: maps.Clone(t.packages), bounding: maps.Clone(t.bounding), limiting: maps.Clone(t.limiting), pools: maps.Clone(t.pools), shared: maps.Clone(t.shared), loops: maps.Clone(t.loops), order: slices.Clone(t.order)}
	for i, text := range models {
		row, err := ParseRow(text)
		if err != nil {
			return nil, fmt.Errorf("models[%d]: %w", i, err)
		}
		if row == nil {
			continue
		}
		key := lineKey(row.Key, row.Type)
		delete(n.lines, key) // the user's word goes before ours
		n.order = slices.DeleteFunc(n.order, func(k string) bool { return k == key })
		if err := n.add(line{text, "models", i}); err != nil {
			return nil, err
		}
	}
	return n, nil
}

func lineKey(key string, isType bool) string {
	if isType {
		return "type " + key
	}
	return key
}

// add finds the key of a line, and whether it makes its receiver a pool.
func (t *Table) add(l line) error {
	text := l.text
	if i := strings.IndexByte(text, '#'); i >= 0 {
		text = text[:i]
	}
	text = strings.TrimSpace(text)
	if text == "" {
		return nil
	}
	rest, isType := strings.CutPrefix(text, "type ")
	rest = strings.TrimSpace(rest)
	end := strings.IndexAny(rest, " \t")
	if end < 0 {
		end = len(rest)
	}
	name := rest[:end]
	key := lineKey(name, isType)
	if old, ok := t.lines[key]; ok {
		return fmt.Errorf("%s:%d: %s is already at %s:%d", l.file, l.n, name, old.file, old.n)
	}
	t.lines[key] = l
	t.order = append(t.order, key)
	typ, _, _ := strings.Cut(strings.TrimLeft(name, "(*"), ").")
	dot := strings.LastIndexByte(typ, '.')
	if dot > 0 {
		t.packages[typ[:dot]] = true
		if strings.Contains(rest[end:], "bounds ") {
			t.bounding[typ[:dot]] = true
		}
	}
	if strings.Contains(rest[end:], "limit recv") {
		t.limiting[typ] = true
	}
	if strings.Contains(rest[end:], "pool=recv") {
		t.pools[typ] = true
	}
	if dot > 0 && (strings.Contains(rest[end:], "loop ") || strings.Contains(rest[end:], "event ")) {
		t.loops[typ[:dot]] = append(slices.Clip(t.loops[typ[:dot]]), key)
	}
	if strings.Contains(rest[end:], "acquire slot") || strings.Contains(rest[end:], "; task ") {
		t.shared[typ] = true
	}
	return nil
}

// row parses the row of a key, nil if there is none. Every line is parsed by a
// test, and the lines of a user when they are added, so an error is a bug.
func (t *Table) row(key string) *Row {
	l, ok := t.lines[key]
	if !ok {
		return nil
	}
	if r, ok := t.parsed.Load(key); ok {
		return r.(*Row)
	}
	r, err := ParseRow(l.text)
	if err != nil {
		panic(fmt.Sprintf("%s:%d: %v", l.file, l.n, err))
	}
	r.File, r.Line = l.file, l.n
	kept, _ := t.parsed.LoadOrStore(key, r)
	return kept.(*Row)
}

// Row returns the row of a function key, or of one that [Row.ID] returned, nil if
// there is none.
func (t *Table) Row(key string) *Row { return t.row(key) }

// ID tells the row from all others of the table, also in another process.
func (r *Row) ID() string { return lineKey(r.Key, r.Type) }

// IsPool reports whether some row takes a connection from values of the type.
func (t *Table) IsPool(typ *types.TypeName) bool {
	if typ.Pkg() == nil {
		return false
	}
	path := packagePath(typ.Pkg())
	return t.packages[path] && t.pools[path+"."+typ.Name()]
}

// IsShared reports whether some row takes a slot of values of the type, or hands
// them a task.
func (t *Table) IsShared(typ *types.TypeName) bool {
	if typ.Pkg() == nil {
		return false
	}
	path := packagePath(typ.Pkg())
	return t.packages[path] && t.shared[path+"."+typ.Name()]
}

// Rows returns every row, in the order of the files.
func (t *Table) Rows() []*Row {
	out := make([]*Row, 0, len(t.order))
	for _, key := range t.order {
		out = append(out, t.row(key))
	}
	return out
}

// Func returns the row of fn: its own, or, for a method of an instantiated
// type, that of the generic one; failing that, one made from the shape of a
// generated client's method. It returns nil when nothing is known.
func (t *Table) Func(fn *types.Func) *Row {
	if fn == nil || fn.Pkg() == nil {
		return nil
	}
	fn = fn.Origin()
	if t.packages[packagePath(fn.Pkg())] {
		if row := t.row(FullName(fn)); row != nil {
			return row
		}
	}
	return shape(fn)
}

// HasBounding reports whether a package has options with which the operations of
// what it makes end.
func (t *Table) HasBounding(pkg *types.Package) bool {
	path := packagePath(pkg)
	return t.bounding[path] || strings.HasPrefix(path, awsServices)
}

// CanLimit reports whether typ, or what it points to, is a group or pool that a
// method gives a limit.
func (t *Table) CanLimit(typ types.Type) bool {
	typ = types.Unalias(typ)
	if p, ok := typ.(*types.Pointer); ok {
		typ = types.Unalias(p.Elem())
	}
	named, ok := typ.(*types.Named)
	return ok && named.Obj().Pkg() != nil && t.limiting[packagePath(named.Obj().Pkg())+"."+named.Obj().Name()]
}

// HasRows reports whether a package has rows.
func (t *Table) HasRows(path string) bool { return t.packages[path] }

// typeRow returns the row of a named type, or of the one it points to.
func (t *Table) typeRow(typ types.Type) *Row {
	typ = types.Unalias(typ)
	if p, ok := typ.(*types.Pointer); ok {
		typ = types.Unalias(p.Elem())
	}
	named, ok := typ.(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return nil
	}
	path := packagePath(named.Obj().Pkg())
	if !t.packages[path] {
		return shapeType(path, named.Obj().Name())
	}
	return t.row("type " + path + "." + named.Obj().Name())
}

// Source says how the load arrives by a parameter of type typ: once for each
// request or message.
func (t *Table) Source(typ types.Type) effect.Source {
	if row := t.typeRow(typ); row != nil {
		return row.Source
	}
	return effect.NoSource
}

// Held returns what a parameter of type typ holds by its type, such as a
// transaction.
func (t *Table) Held(typ types.Type) effect.Class {
	if row := t.typeRow(typ); row != nil {
		return row.Held
	}
	return 0
}

// FullName is the key of fn. A vendored package has the key of the original.
func FullName(fn *types.Func) string {
	name := fn.FullName()
	sig, _ := fn.Type().(*types.Signature)
	if sig == nil {
		return name
	}
	if recv := sig.Recv(); recv != nil {
		typ := types.Unalias(recv.Type())
		star := ""
		if p, ok := typ.(*types.Pointer); ok {
			typ, star = types.Unalias(p.Elem()), "*"
		}
		if named, ok := typ.(*types.Named); ok && named.Obj().Pkg() != nil {
			// FullName prints type parameters; a key has none.
			return "(" + star + packagePath(named.Obj().Pkg()) + "." + named.Obj().Name() + ")." + fn.Name()
		}
		return name
	}
	if fn.Pkg() != nil {
		return packagePath(fn.Pkg()) + "." + fn.Name()
	}
	return name
}

func packagePath(pkg *types.Package) string {
	path := pkg.Path()
	if i := strings.LastIndex(path, "/vendor/"); i >= 0 {
		return path[i+len("/vendor/"):]
	}
	return strings.TrimPrefix(path, "vendor/")
}
