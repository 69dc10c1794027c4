package knowledge

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/concvet/concvet/internal/effect"
)

// growing is what can grow: a group of goroutines, a pool or its queue, the
// workers of a pool whose size is not positive, a channel, timers.
var growing = []string{"group", "pool", "workers", "chan", "timer"}

// growth parses the clauses that say where the load comes in, what grows with it
// and what holds it back.
func (row *Row) growth(verb string, args []string) error {
	switch verb {
	case "source":
		if len(args) != 1 {
			return fmt.Errorf("source needs conns or items")
		}
		s, ok := effect.ParseSource(args[0])
		if !ok {
			return fmt.Errorf("unknown source %q%s", args[0], Nearest(args[0], []string{"conns", "items"}))
		}
		row.Source = s
	case "bounds":
		if len(args) == 0 {
			return fmt.Errorf("bounds needs a result")
		}
		for _, a := range args {
			r, err := result(a)
			if err != nil {
				return err
			}
			row.Bounding = append(row.Bounding, r)
		}
	case "grows":
		if len(args) != 1 || !slices.Contains(growing, args[0]) {
			return fmt.Errorf("grows needs one of %s", strings.Join(growing, ", "))
		}
		row.Grows = args[0]
	case "body":
		if len(args) == 0 {
			return fmt.Errorf("body needs a field or method")
		}
		for _, a := range args {
			if !identifier(a) {
				return fmt.Errorf("body: %q is not the name of a field or method", a)
			}
		}
		row.Body = append(row.Body, args...)
	case "window":
		return row.window(args)
	case "throttle":
		if len(args) != 0 {
			return fmt.Errorf("throttle takes nothing")
		}
		row.Throttle = true
	}
	return nil
}

// A Window says that a result hands out no more items, before those that it has
// handed out are acknowledged, than the limit of a parameter, unless another
// parameter is true: the items need no acknowledgement then.
type Window struct {
	Result int
	Param  int
	Unless int // NoParam if it always does
}

// window rN pN [unless pN]
func (row *Row) window(args []string) error {
	if len(args) != 2 && (len(args) != 4 || args[2] != "unless") {
		return fmt.Errorf("window: want rN pN [unless pN]")
	}
	w := Window{Unless: NoParam}
	var err error
	if w.Result, err = result(args[0]); err != nil {
		return err
	}
	if w.Param, err = param(args[1]); err != nil {
		return err
	}
	if len(args) == 4 {
		if w.Unless, err = param(args[3]); err != nil {
			return err
		}
	}
	row.Window = &w
	return nil
}

// Body reports whether a field or method of the type gives what a request brings.
func (t *Table) Body(typ types.Type, name string) bool {
	row := t.typeRow(typ)
	return row != nil && slices.Contains(row.Body, name)
}

// resolveBody checks that the type has what a row says gives the body.
func (row *Row) resolveBody(obj *types.TypeName) error {
	for _, name := range row.Body {
		if found, _, _ := types.LookupFieldOrMethod(types.NewPointer(obj.Type()), true, obj.Pkg(), name); found != nil {
			continue
		}
		if found, _, _ := types.LookupFieldOrMethod(obj.Type(), true, obj.Pkg(), name); found == nil {
			return fmt.Errorf("%s: no field or method %s", row.Key, name)
		}
	}
	return nil
}
