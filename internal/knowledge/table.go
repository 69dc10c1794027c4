package knowledge

import (
	"embed"
	"fmt"
	"go/types"
	"io/fs"
	"strings"
	"sync"

	"github.com/concvet/concvet/internal/effect"
)

//go:embed *.model
var files embed.FS

// A Table answers what is known of a function.
type Table struct {
	funcs map[string]*Row
	types map[string]*Row
	pools map[string]bool // types that connections are taken from
	rows  []*Row
}

// Builtin returns the built-in table. It is parsed once; a mistake in it is a
// bug that the tests of this package find, so it panics.
var Builtin = sync.OnceValue(func() *Table {
	t := &Table{funcs: make(map[string]*Row), types: make(map[string]*Row), pools: make(map[string]bool)}
	names, err := fs.Glob(files, "*.model")
	if err != nil {
		panic(err)
	}
	for _, name := range names {
		data, err := files.ReadFile(name)
		if err != nil {
			panic(err)
		}
		if err := t.add(name, string(data)); err != nil {
			panic(err)
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
	n := &Table{funcs: make(map[string]*Row, len(t.funcs)), types: make(map[string]*Row, len(t.types)), pools: make(map[string]bool, len(t.pools)), rows: t.rows[:len(t.rows):len(t.rows)]}
	for k, r := range t.funcs {
		n.funcs[k] = r
	}
	for k, r := range t.types {
		n.types[k] = r
	}
	for k := range t.pools {
		n.pools[k] = true
	}
	for i, line := range models {
		row, err := ParseRow(line)
		if err != nil {
			return nil, fmt.Errorf("models[%d]: %w", i, err)
		}
		if row != nil {
			row.File, row.Line = "models", i
			n.put(row)
		}
	}
	return n, nil
}

func (t *Table) add(name, text string) error {
	n := 0
	for line := range strings.SplitSeq(text, "\n") {
		n++
		row, err := ParseRow(line)
		if err != nil {
			return fmt.Errorf("%s:%d: %w", name, n, err)
		}
		if row == nil {
			continue
		}
		row.File, row.Line = name, n
		if old := t.lookup(row); old != nil {
			return fmt.Errorf("%s:%d: %s is already at %s:%d", name, n, row.Key, old.File, old.Line)
		}
		t.put(row)
	}
	return nil
}

func (t *Table) lookup(row *Row) *Row {
	if row.Type {
		return t.types[row.Key]
	}
	return t.funcs[row.Key]
}

func (t *Table) put(row *Row) {
	if row.Type {
		t.types[row.Key] = row
	} else {
		t.funcs[row.Key] = row
	}
	for _, e := range row.Effects {
		if e.Pool == -1 {
			typ, _, _ := strings.Cut(strings.TrimLeft(row.Key, "(*"), ").")
			t.pools[typ] = true
		}
	}
	t.rows = append(t.rows, row)
}

// IsPool reports whether some row takes a connection from values of the type.
func (t *Table) IsPool(typ *types.TypeName) bool {
	return typ.Pkg() != nil && t.pools[packagePath(typ.Pkg())+"."+typ.Name()]
}

// Rows returns every row, in the order of the files.
func (t *Table) Rows() []*Row { return t.rows }

// Func returns the row of fn: its own, or, for a method of an instantiated
// type, that of the generic one; failing that, one made from the shape of a
// generated client's method. It returns nil when nothing is known.
func (t *Table) Func(fn *types.Func) *Row {
	if fn == nil || fn.Pkg() == nil {
		return nil
	}
	fn = fn.Origin()
	if row, ok := t.funcs[FullName(fn)]; ok {
		return row
	}
	return shape(fn)
}

// Held returns what a parameter of type typ holds by its type, such as a
// transaction.
func (t *Table) Held(typ types.Type) effect.Class {
	typ = types.Unalias(typ)
	if p, ok := typ.(*types.Pointer); ok {
		typ = types.Unalias(p.Elem())
	}
	named, ok := typ.(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return 0
	}
	if row := t.types[packagePath(named.Obj().Pkg())+"."+named.Obj().Name()]; row != nil {
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
