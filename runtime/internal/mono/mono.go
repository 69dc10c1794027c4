// Package mono reads the monotonic clock. time.Since of a fixed time costs half
// of time.Now, which reads the wall clock too.
package mono

import "time"

// base lies a century back: in a testing/synctest bubble it is the year 2000.
var base = time.Now().Add(-100 * 365 * 24 * time.Hour)

// Now returns the time since an arbitrary moment. It is positive, and follows
// the clock of a testing/synctest bubble.
func Now() time.Duration { return time.Since(base) }
