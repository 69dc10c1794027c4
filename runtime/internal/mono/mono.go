// Package mono reads the monotonic clock. time.Since of a fixed time costs half
// of time.Now, which reads the wall clock too.
package mono

import "time"

var base = time.Now()

// Now returns the time since an arbitrary moment. It follows the clock of a
// testing/synctest bubble.
func Now() time.Duration { return time.Since(base) }
