package effect

import "strings"

// Work is a set of kinds: what a goroutine does, whatever the way there.
type Work uint32

// What a Work says besides kinds.
const (
	// Opaque: it calls something that nothing is known of.
	Opaque Work = 1 << (31 - iota)
	// Context: it is given a context.
	Context
	// Forever: it has a loop without an end, so it is there for good.
	Forever
)

// WorkOf is the set of some kinds.
func WorkOf(kinds ...Kind) Work {
	var w Work
	for _, k := range kinds {
		w |= 1 << k
	}
	return w
}

// Has reports whether the set has one of the kinds.
func (w Work) Has(kinds ...Kind) bool { return w&WorkOf(kinds...) != 0 }

func (w Work) String() string {
	var out []string
	for k := None + 1; k < numKinds; k++ {
		if w.Has(k) {
			out = append(out, k.String())
		}
	}
	for _, f := range []struct {
		flag Work
		name string
	}{{Context, "context"}, {Forever, "forever"}, {Opaque, "opaque"}} {
		if w&f.flag != 0 {
			out = append(out, f.name)
		}
	}
	return strings.Join(out, "+")
}
