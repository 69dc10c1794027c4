package main

import (
	"math"
	"runtime"
	"runtime/debug"
)

const (
	// uncollected is how many bytes a unit may use before anything is collected:
	// most packages never need more, and end before a collection would pay.
	uncollected = 64 << 20

	// gcPercent is what holds from then on. One process analyses one package, so
	// that a little memory saves much time.
	gcPercent = 150
)

// tuneGC sets the garbage collector for the analysis of one unit. It turns it
// off up to uncollected, which SetGCPercent alone cannot.
func tuneGC() {
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(uncollected)
	type sentinel struct{ _ *byte } // is found dead by the first collection
	runtime.AddCleanup(new(sentinel), func(int) {
		debug.SetGCPercent(gcPercent)
		debug.SetMemoryLimit(math.MaxInt64)
	}, 0)
}
