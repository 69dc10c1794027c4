package effect

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// MaxPerKind is how many effects of one kind a summary keeps.
const MaxPerKind = 4

// MaxFrames is how many frames a witness keeps. The middle of a longer one is
// cut: its first frames say where to look, its last what blocks.
const MaxFrames = 6

// An Effect is one way in which a call may keep its goroutine waiting, with the
// shortest witness that was found.
type Effect struct {
	Kind  Kind
	Bound Bound

	// API is the operation that waits: "(*net/http.Client).Do", "send".
	API string

	// On is what it waits on: the channel, the lock, the wait group.
	On Path

	// Pool is the pool that a connection is taken from, if it takes one.
	Pool Path

	// Free lists locks of the caller that are not held at the operation: the
	// function unlocks them around it.
	Free []Path

	// Repeats reports that the operation stands in a loop, so that Bound is
	// the bound of one round only.
	Repeats bool

	// Joined reports that a goroutine does it that is waited for.
	Joined bool

	// Frames leads from the summarised function to the operation, outermost
	// call first. The last frame is the operation itself.
	Frames []Frame
}

// Key identifies the effect among those of one function: two effects with the
// same key differ only in their witness.
func (e Effect) key() string {
	return strings.Join([]string{e.Bound.String(), e.API, string(e.On), string(e.Pool), fmt.Sprint(e.Repeats, e.Joined), fmt.Sprint(e.Free)}, "\x00")
}

func compareEffects(a, b Effect) int {
	return cmp.Or(
		cmp.Compare(a.Kind, b.Kind),
		cmp.Compare(rank(a), rank(b)),
		cmp.Compare(len(a.Frames), len(b.Frames)),
		cmp.Compare(a.key(), b.key()),
		slices.CompareFunc(a.Frames, b.Frames, func(x, y Frame) int {
			return cmp.Or(cmp.Compare(x.Pos, y.Pos), cmp.Compare(x.Call, y.Call))
		}),
	)
}

// rank puts what is least bounded first, so that a cut keeps the worst.
func rank(e Effect) int {
	switch e.Bound.Kind {
	case Unbounded:
		return 0
	case CtxBound:
		return 1
	case ConstBound:
		if e.Repeats {
			return 2
		}
		return 3
	}
	return 4
}

// A Held is something that is held while a parameter is called.
type Held struct {
	Class Class
	Path  Path // the lock, or the pool that the connection is from
	Arg   int  // index of the argument that carries it, -1 if none
}

// A Mode says in which goroutine a parameter is called.
type Mode uint8

const (
	Sync  Mode = iota // in the caller's goroutine, before the function returns
	Async             // in another goroutine, or later
)

// A ParamCall says that a function calls one of its func-typed parameters.
type ParamCall struct {
	Param  int
	Mode   Mode
	Held   []Held // what is held meanwhile
	Frames []Frame
}

// An Acquired says that a result must be given back by the caller.
type Acquired struct {
	Class  Class
	Result int
	Pool   Path
	Err    int  // index of the error or bool result that tells whether it succeeded, -1 if it always does
	OK     bool // Err is a bool that is true on success
}

// A LockOp is a lock that a function leaves locked, or unlocks for its caller.
type LockOp struct {
	Class Class
	Path  Path
}

// A Link says that the value at path To of a result is the value at path From of a parameter.
type Link struct{ To, From Path }

// A Symbolic is a call of an interface method that nothing in sight answers.
type Symbolic struct {
	Method string // (import/path.Iface).Method
	Frames []Frame
}

// A Summary is what a function may do, as its callers see it. The zero Summary
// says that nothing is known, which every analyzer takes as nothing happens.
type Summary struct {
	Effects  []Effect
	Omitted  int // effects of any kind left out
	Calls    []ParamCall
	Acquires []Acquired
	Releases []Path // what is given back: parameters, or fields of them
	Keeps    []Path // what is stored or handed to a goroutine
	Locks    []LockOp
	Unlocks  []LockOp
	Links    []Link
	Symbolic []Symbolic
}

// MaxSymbolic, MaxCalls and the others bound the lists of a summary.
const (
	MaxSymbolic = 8
	MaxCalls    = 8
	MaxLinks    = 8
	MaxOps      = 8
)

// Empty reports whether the summary says nothing.
func (s *Summary) Empty() bool {
	return s == nil || len(s.Effects) == 0 && len(s.Calls) == 0 && len(s.Acquires) == 0 &&
		len(s.Releases) == 0 && len(s.Keeps) == 0 && len(s.Locks) == 0 && len(s.Unlocks) == 0 &&
		len(s.Links) == 0 && len(s.Symbolic) == 0
}

// Normalize sorts every list, drops duplicates and cuts what is over the
// limits. A cut is made in a sorted order, so that it is the same in every run.
func (s *Summary) Normalize() {
	s.Effects, s.Omitted = normalizeEffects(s.Effects, s.Omitted)
	slices.SortFunc(s.Calls, func(a, b ParamCall) int {
		return cmp.Or(cmp.Compare(a.Param, b.Param), cmp.Compare(a.Mode, b.Mode), cmp.Compare(len(a.Frames), len(b.Frames)), cmp.Compare(fmt.Sprint(a.Held), fmt.Sprint(b.Held)), cmp.Compare(fmt.Sprint(a.Frames), fmt.Sprint(b.Frames)))
	})
	s.Calls = slices.CompactFunc(s.Calls, func(a, b ParamCall) bool {
		return a.Param == b.Param && a.Mode == b.Mode && fmt.Sprint(a.Held) == fmt.Sprint(b.Held)
	})
	s.Calls = cut(s.Calls, MaxCalls)
	slices.SortFunc(s.Acquires, func(a, b Acquired) int {
		return cmp.Or(cmp.Compare(a.Result, b.Result), cmp.Compare(a.Class, b.Class), cmp.Compare(a.Pool, b.Pool))
	})
	s.Acquires = cut(slices.CompactFunc(s.Acquires, func(a, b Acquired) bool { return a == b }), MaxOps)
	slices.Sort(s.Releases)
	s.Releases = cut(slices.Compact(s.Releases), MaxOps)
	slices.Sort(s.Keeps)
	s.Keeps = cut(slices.Compact(s.Keeps), MaxOps)
	s.Locks = normalizeOps(s.Locks)
	s.Unlocks = normalizeOps(s.Unlocks)
	slices.SortFunc(s.Links, func(a, b Link) int { return cmp.Or(cmp.Compare(a.To, b.To), cmp.Compare(a.From, b.From)) })
	s.Links = cut(slices.Compact(s.Links), MaxLinks)
	slices.SortFunc(s.Symbolic, func(a, b Symbolic) int {
		return cmp.Or(cmp.Compare(a.Method, b.Method), cmp.Compare(len(a.Frames), len(b.Frames)), cmp.Compare(fmt.Sprint(a.Frames), fmt.Sprint(b.Frames)))
	})
	s.Symbolic = slices.CompactFunc(s.Symbolic, func(a, b Symbolic) bool { return a.Method == b.Method })
	s.Symbolic = cut(s.Symbolic, MaxSymbolic)
}

func normalizeEffects(effects []Effect, omitted int) ([]Effect, int) {
	for i := range effects {
		effects[i].Frames = CutFrames(effects[i].Frames, MaxFrames)
	}
	slices.SortFunc(effects, compareEffects)
	out := effects[:0:0]
	n := 0
	var kind Kind
	seen := make(map[string]bool)
	for _, e := range effects {
		if e.Kind != kind {
			kind, n = e.Kind, 0
			clear(seen)
		}
		k := e.key()
		if seen[k] {
			continue
		}
		seen[k] = true
		if n == MaxPerKind {
			omitted++
			continue
		}
		n++
		out = append(out, e)
	}
	return out, omitted
}

func normalizeOps(ops []LockOp) []LockOp {
	slices.SortFunc(ops, func(a, b LockOp) int { return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Class, b.Class)) })
	return cut(slices.Compact(ops), MaxOps)
}

func cut[T any](s []T, max int) []T {
	if len(s) > max {
		return s[:max:max]
	}
	return s
}

// CutFrames shortens a witness to max frames by leaving out its middle.
func CutFrames(frames []Frame, max int) []Frame {
	if len(frames) <= max {
		return frames
	}
	out := make([]Frame, 0, max)
	out = append(out, frames[:max-1]...)
	return append(out, frames[len(frames)-1])
}

// String is canonical and short: it is the language of the fact tests.
//
//	blocks(net) calls(p0) acquires(tx r0 from recv.db) locks(recv.mu)
func (s *Summary) String() string {
	if s.Empty() {
		return "nothing"
	}
	var out []string
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	for _, e := range s.Effects {
		t := e.Kind.String()
		if b := e.Bound.String(); b != "" {
			t += " " + b
		}
		if e.Repeats {
			t += " repeats"
		}
		if e.Joined {
			t += " joined"
		}
		if e.On != "" {
			t += " on " + string(e.On)
		}
		if e.Pool != "" {
			t += " pool " + string(e.Pool)
		}
		for _, p := range e.Free {
			t += " free " + string(p)
		}
		if text := "blocks(" + t + ")"; !slices.Contains(out, text) {
			add("%s", text)
		}
	}
	for _, c := range s.Calls {
		t := ParamPath(c.Param).String()
		if c.Mode == Async {
			t += " async"
		}
		for _, h := range c.Held {
			t += fmt.Sprintf(" under %s %s", h.Class, h.Path)
		}
		add("calls(%s)", t)
	}
	for _, a := range s.Acquires {
		if a.Pool != "" {
			add("acquires(%s r%d from %s)", a.Class, a.Result, a.Pool)
		} else {
			add("acquires(%s r%d)", a.Class, a.Result)
		}
	}
	for _, p := range s.Releases {
		add("releases(%s)", p)
	}
	for _, p := range s.Keeps {
		add("keeps(%s)", p)
	}
	for _, l := range s.Locks {
		add("locks(%s %s)", l.Class, l.Path)
	}
	for _, l := range s.Unlocks {
		add("unlocks(%s %s)", l.Class, l.Path)
	}
	for _, l := range s.Links {
		add("links(%s=%s)", l.To, l.From)
	}
	for _, y := range s.Symbolic {
		add("iface(%s)", y.Method)
	}
	return strings.Join(out, " ")
}
