package knowledge

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/concvet/concvet/internal/effect"
)

// Roles are the kinds of operations that differ in what has to bound them.
var Roles = []string{"http", "serve", "dial", "io", "exec", "sql", "rpc", "shutdown", "lifetime"}

// An Ends says when a result ends: a context, or something that carries one, or
// that has settings which bound what is done with it. The row of a variable
// has one with Result -1.
type Ends struct {
	Result int
	End    effect.End
	Param  int // EndCaller: as this parameter; EndCancel: where this parameter never ends; EndDeadline: after this duration
	Or     int // EndCaller: or as this one, if it is a client or the like, NoParam if there is none
}

// A Carrier says which fields of a struct bound the operations that use it.
type Carrier struct {
	Timeouts []string // any of them that is not zero does
	Through  []string // carriers that it uses
	Once     []string // functions that a program runs once: it is a command
	Wraps    string   // of an interface: the method that an implementation hands on
}

// ends [rN] never | with pN [pN] | cancel pN | at [pN]
func (row *Row) ends(args []string) error {
	e := Ends{Result: -1, Param: NoParam, Or: NoParam}
	var err error
	if len(args) > 0 && len(args[0]) > 1 && args[0][0] == 'r' {
		if e.Result, err = result(args[0]); err != nil {
			return err
		}
		args = args[1:]
	}
	if len(args) == 3 && args[0] == "with" {
		if e.Or, err = param(args[2]); err != nil {
			return err
		}
		args = args[:2]
	}
	if len(args) == 0 || len(args) > 2 {
		return fmt.Errorf("ends: want [rN] never, with pN [pN], cancel pN or at [pN]")
	}
	if len(args) == 2 {
		if e.Param, err = param(args[1]); err != nil {
			return err
		}
	}
	want := args[0] == "with" || args[0] == "cancel"
	if want && e.Param == NoParam || args[0] == "never" && e.Param != NoParam {
		return fmt.Errorf("ends: %s and its parameter do not fit", args[0])
	}
	switch args[0] {
	case "never":
		e.End = effect.EndNever
	case "with":
		e.End = effect.EndCaller
	case "cancel":
		e.End = effect.EndCancel
	case "at":
		e.End = effect.EndDeadline
	default:
		return fmt.Errorf("ends: unknown word %q%s", args[0], Nearest(args[0], []string{"never", "with", "cancel", "at"}))
	}
	if row.Type && (e.End != effect.EndNever || e.Result >= 0) {
		return fmt.Errorf("ends: of a type it is only known that what is kept never ends")
	}
	row.Ends = append(row.Ends, e)
	return nil
}

// Kept reports whether values of a type, which may carry a context, carry none
// that ends where they are kept in a field or a variable.
func (t *Table) Kept(typ types.Type) bool {
	row := t.typeRow(typ)
	return row != nil && len(row.Ends) > 0
}

func (row *Row) carrier(verb string, args []string) error {
	if row.Carrier == nil {
		row.Carrier = &Carrier{}
	}
	for _, a := range args {
		if !identifier(a) {
			return fmt.Errorf("%s: %q is not the name of a field", verb, a)
		}
	}
	switch verb {
	case "wraps":
		if len(args) != 1 {
			return fmt.Errorf("wraps needs one method")
		}
		row.Carrier.Wraps = args[0]
	case "timeout":
		row.Carrier.Timeouts = append(row.Carrier.Timeouts, args...)
	case "through":
		row.Carrier.Through = append(row.Carrier.Through, args...)
	default:
		row.Carrier.Once = append(row.Carrier.Once, args...)
	}
	return nil
}

// Carrier returns the settings of the struct type behind typ that bound what is
// done with it, nil if typ is none of which that is known.
func (t *Table) Carrier(typ types.Type) *Carrier {
	if c := t.settings(typ); c != nil && len(c.Once) == 0 && c.Wraps == "" {
		return c
	}
	return nil
}

// Wraps names the method of the interface typ by which an implementation hands
// on what it is asked for to another one, "" if there is none.
func (t *Table) Wraps(typ types.Type) string {
	if c := t.settings(typ); c != nil {
		return c.Wraps
	}
	return ""
}

// Once lists the fields of the struct type typ with functions that a program
// runs once, as one command.
func (t *Table) Once(typ types.Type) []string {
	if c := t.settings(typ); c != nil {
		return c.Once
	}
	return nil
}

func (t *Table) settings(typ types.Type) *Carrier {
	if row := t.typeRow(typ); row != nil {
		return row.Carrier
	}
	return nil
}

// Var returns when a package variable ends, or what is done with its value.
func (t *Table) Var(v *types.Var) (effect.End, bool) {
	if v == nil || v.Pkg() == nil {
		return 0, false
	}
	path := packagePath(v.Pkg())
	if !t.packages[path] {
		return 0, false
	}
	if row := t.row(path + "." + v.Name()); row != nil && len(row.Ends) > 0 {
		return row.Ends[0].End, true
	}
	return 0, false
}

// Passive reports whether a row only tells of values: a function that calls it
// need not be looked at for it.
func (row *Row) Passive() bool {
	return len(row.Ends)+len(row.Stops) > 0 && !row.Quiet && row.Source == effect.NoSource && len(row.Effects)+len(row.Acquires)+len(row.Releases)+len(row.Keeps)+len(row.Locks)+
		len(row.Unlocks)+len(row.Calls)+len(row.Passes)+len(row.Links)+len(row.Limits)+len(row.Signals)+len(row.Whiles)+len(row.Bounds) == 0
}

// Kills reports whether what the row stops is ended by force, such as a process,
// which nobody does but to end a wait. A connection is closed after use, too.
func (row *Row) Kills() bool {
	return strings.HasPrefix(row.Key, "(*os.Process).") || row.Key == "syscall.Kill" || len(row.Bounds) > 0
}

// WritesOnly reports whether the deadline that the row sets is none for reads.
func (row *Row) WritesOnly() bool { return strings.HasSuffix(row.Key, ".SetWriteDeadline") }

// resolveCarrier checks that the fields exist.
func resolveCarrier(row *Row, obj *types.TypeName) error {
	if row.Carrier == nil {
		return nil
	}
	if name := row.Carrier.Wraps; name != "" {
		f, _, _ := types.LookupFieldOrMethod(obj.Type(), true, obj.Pkg(), name)
		if _, ok := f.(*types.Func); !ok {
			return fmt.Errorf("%s: no method %s", row.Key, name)
		}
	}
	for _, list := range [][]string{row.Carrier.Timeouts, row.Carrier.Through, row.Carrier.Once} {
		for _, name := range list {
			f, _, _ := types.LookupFieldOrMethod(obj.Type(), true, obj.Pkg(), name)
			if _, ok := f.(*types.Var); !ok {
				return fmt.Errorf("%s: no field %s", row.Key, name)
			}
		}
	}
	return nil
}

// isVar reports whether the key of a row names a package variable.
func isVar(row *Row, pkg *types.Package) bool {
	if len(row.Ends) != 1 || row.Ends[0].Result >= 0 || len(row.Effects) > 0 {
		return false
	}
	_, ok := pkg.Scope().Lookup(row.Key[strings.LastIndexByte(row.Key, '.')+1:]).(*types.Var)
	return ok
}
