package report

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Contain runs f, the work on one function or one question, which what names as
// [fmt.Sprint] prints it. A panic in it costs that work only: it is kept for
// [Reporter.Err], and the other findings are reported.
func (r *Reporter) Contain(f func(), what ...any) {
	defer func() {
		if x := recover(); x != nil {
			r.failures = append(r.failures, fmt.Sprintf("internal error in %s on %s (%s): %v; please report it", r.pass.Analyzer.Name, r.pass.Pkg.Path(), fmt.Sprint(what...), x))
		}
	}()
	f()
}

// Err is the error of a pass in which [Reporter.Contain] has caught panics, or
// others had failures before; nil if there were none.
func (r *Reporter) Err(before ...string) error {
	if failures := slices.Concat(before, r.failures); len(failures) > 0 {
		return errors.New(strings.Join(failures, "\n"))
	}
	return nil
}
