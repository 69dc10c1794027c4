package knowledge

import (
	"fmt"
	"slices"
	"strings"

	"github.com/concvet/concvet/internal/effect"
)

// growing is what can grow: a group of goroutines, a pool or its queue, the
// workers of a pool whose size is not positive, a channel.
var growing = []string{"group", "pool", "workers", "chan"}

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
	case "throttle":
		if len(args) != 0 {
			return fmt.Errorf("throttle takes nothing")
		}
		row.Throttle = true
	}
	return nil
}
