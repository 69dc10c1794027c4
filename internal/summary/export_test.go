package summary

import (
	"runtime"
	"strings"

	"github.com/concvet/concvet/internal/knowledge"
)

// PanicAt makes the n-th look into the tables panic, counted over those that
// the inference of a function makes. It returns how many there have been, and
// what puts the tables back. Every function is in danger for some n.
func PanicAt(n int) (count func() int, restore func()) {
	old, seen := table, 0
	table = func() *knowledge.Table {
		if inferring() {
			if seen == n {
				seen++
				panic("injected")
			}
			seen++
		}
		return old()
	}
	return func() int { return seen }, func() { table = old }
}

func inferring() bool {
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs[:])])
	for {
		f, more := frames.Next()
		if strings.HasSuffix(f.Function, ".(*inference).infer") {
			return true
		}
		if !more {
			return false
		}
	}
}

// Export is what leaves the package, for a dependency of the main module if dep.
var Export = export
