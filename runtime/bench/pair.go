package bench

import (
	"slices"
	"testing"
)

// A Pair is one operation, done by a primitive of runtime/ and by what people
// would use instead. Both run in one process, in turn, so that the ratio of
// their times means something on a machine that is not quiet.
type Pair struct {
	Name string // "workpool/reject": the primitive, and what is done
	Peer string // "x/sync TryAcquire"

	// Goal is the highest ratio of our time to the peer's that we want, 0 if
	// none was set.
	Goal float64

	Ours, Theirs func(*testing.B)
}

var pairs []Pair

// register adds pairs; each file that has some does so when it is initialised.
func register(p ...Pair) { pairs = append(pairs, p...) }

// Pairs lists all pairs by primitive, in the order they were written down.
func Pairs() []Pair { return slices.Clone(pairs) }
