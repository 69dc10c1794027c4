package knowledge

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/concvet/concvet/internal/effect"
)

// A Loop says that a library runs a function of its user on a loop of its own,
// which waits for that function.
type Loop struct {
	Label  string        // what a person calls the loop: "bubbletea event loop"
	Param  int           // the func-typed parameter that runs there, NoParam if none
	Fields []string      // Type: the func-typed fields that run there
	Kinds  []effect.Kind // what does not belong there; nil for every wait
	Free   bool          // whatever runs there may take its time
}

// loop LABEL [pN | FIELD…] [kinds=KIND,… | free]
//
// Of an interface method: its implementations run on the loop. Of a function:
// its parameter pN does. Of a type: these fields do. What runs on one that is free
// may take its time, but must not wait for the loop.
//
// awaits LABEL: a call waits until that loop, of the receiver, comes to it.
//
// event LABEL [kinds=KIND,…]: a loop around the call, or around a receive from
// the channel that it returns, is that loop.
//
// noloop LABEL pN: where pN is false the library has no such loop, and runs each
// function in a goroutine.
func (row *Row) loop(verb string, args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("%s needs the name of a loop, with hyphens", verb)
	}
	l := Loop{Label: strings.ReplaceAll(args[0], "-", " "), Param: NoParam}
	for _, a := range args[1:] {
		if a == "free" && verb == "loop" {
			l.Free = true
			continue
		}
		if list, ok := strings.CutPrefix(a, "kinds="); ok {
			for name := range strings.SplitSeq(list, ",") {
				k, ok := effect.ParseKind(name)
				if !ok {
					return fmt.Errorf("%s: unknown kind %q%s", verb, name, Nearest(name, effect.Kinds()))
				}
				l.Kinds = append(l.Kinds, k)
			}
			continue
		}
		switch {
		case verb == "event":
			return fmt.Errorf("event: want kinds=KIND,…, not %q", a)
		case row.Type && identifier(a):
			l.Fields = append(l.Fields, a)
		case l.Param == NoParam:
			p, err := param(a)
			if err != nil {
				return err
			}
			l.Param = p
		default:
			return fmt.Errorf("loop: one parameter is enough, %q is too many", a)
		}
	}
	if row.Type && len(l.Fields) == 0 {
		return fmt.Errorf("loop: a type needs the names of fields")
	}
	switch verb {
	case "awaits":
		if l.Param != NoParam || len(l.Kinds) > 0 {
			return fmt.Errorf("awaits: the name of a loop is enough")
		}
		row.Awaits = l.Label
		return row.effect(effect.Turn, []string{"on=recv"})
	case "event":
		row.Event = &l
	case "noloop":
		if l.Param == NoParam || len(l.Kinds) > 0 {
			return fmt.Errorf("noloop: want a name and the parameter that is false")
		}
		row.Apart = &l
	default:
		row.Loop = &l
	}
	return nil
}

// resolveLoop checks what a row says of loops against the package of its key.
func (row *Row) resolveLoop(sig *types.Signature) error {
	if row.Loop == nil {
		return nil
	}
	if p := row.Loop.Param; p >= 0 && p < sig.Params().Len() && !runnable(sig.Params().At(p).Type()) {
		return fmt.Errorf("%s: p%d is not a function", row.Key, p)
	}
	if row.Loop.Param == NoParam && (sig.Recv() == nil || !types.IsInterface(sig.Recv().Type())) {
		return fmt.Errorf("%s: it is no method of an interface; name the parameter that runs on the loop", row.Key)
	}
	return nil
}

// runnable reports whether a value of the type is a function, or an object with
// methods that are.
func runnable(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Signature, *types.Interface:
		return true
	}
	return false
}

// resolveFields checks the fields that a row of a type names.
func (row *Row) resolveFields(obj *types.TypeName) error {
	if row.Loop == nil {
		return nil
	}
	st, ok := obj.Type().Underlying().(*types.Struct)
	if !ok {
		return fmt.Errorf("%s: it is no struct, so it has no fields that run on a loop", row.Key)
	}
	var names []string
	isFunc := make(map[string]bool)
	for f := range st.Fields() {
		names = append(names, f.Name())
		_, isFunc[f.Name()] = f.Type().Underlying().(*types.Signature)
	}
	for _, name := range row.Loop.Fields {
		if known, ok := isFunc[name]; !ok {
			return fmt.Errorf("%s: no field %s%s", row.Key, name, Nearest(name, names))
		} else if !known {
			return fmt.Errorf("%s: field %s is not a function", row.Key, name)
		}
	}
	return nil
}

// TypeRow returns the row of a type, nil if there is none.
func (t *Table) TypeRow(typ *types.TypeName) *Row {
	if typ.Pkg() == nil {
		return nil
	}
	path := packagePath(typ.Pkg())
	if !t.packages[path] {
		return nil
	}
	return t.row("type " + path + "." + typ.Name())
}

// LoopMethods lists, by name, the interfaces of a package of which some methods
// run on a loop: their rows.
func (t *Table) LoopMethods(pkg *types.Package) []*Row {
	var out []*Row
	for _, key := range t.loops[packagePath(pkg)] {
		if row := t.row(key); row != nil && row.Loop != nil && !row.Type && row.Loop.Param == NoParam {
			out = append(out, row)
		}
	}
	return out
}

// HasLoops reports whether a row of the package speaks of a loop.
func (t *Table) HasLoops(pkg *types.Package) bool { return len(t.loops[packagePath(pkg)]) > 0 }
