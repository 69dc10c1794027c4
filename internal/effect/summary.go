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

	// Field is the struct field behind On, as "(import/path.Type).field": it
	// tells what is waited on where the path is not known.
	Field string

	// Pool is the pool that a connection is taken from, if it takes one.
	Pool Path

	// Without is the parameter that has to be nil for a connection to be taken
	// from Pool: the transaction that the function works in, if it is given one.
	Without Path

	// Free lists locks of the caller that are not held at the operation: the
	// function unlocks them around it.
	Free []Path

	// Repeats reports that the operation stands in a loop, so that Bound is
	// the bound of one round only.
	Repeats bool

	// Rounds reports that Bound adds up the rounds of a loop, which may end
	// earlier.
	Rounds bool

	// Joined reports that a goroutine does it that is waited for.
	Joined bool

	// OnFile reports that the database of a DB is a file of the same machine, as
	// far as the imports of the package show that works on it.
	OnFile bool

	// Does is what the goroutine does that a Spawn starts.
	Does Work

	// Frames leads from the summarised function to the operation, outermost
	// call first. The last frame is the operation itself.
	Frames []Frame
}

// effectKey identifies an effect among those of one function: two effects with
// the same key differ only in their witness.
type effectKey struct {
	kind                            Kind
	bound                           Bound
	api                             string
	on, pool, without               Path
	field, free                     string
	repeats, rounds, joined, onFile bool
	does                            Work
}

func (e *Effect) key() effectKey {
	k := effectKey{e.Kind, e.Bound, e.API, e.On, e.Pool, e.Without, e.Field, "", e.Repeats, e.Rounds, e.Joined, e.OnFile, e.Does}
	for _, p := range e.Free {
		k.free += string(p) + " "
	}
	return k
}

func (k effectKey) compare(o effectKey) int {
	return cmp.Or(
		cmp.Compare(k.bound.Kind, o.bound.Kind), cmp.Compare(k.bound.Dur, o.bound.Dur), cmp.Compare(k.bound.Param, o.bound.Param),
		cmp.Compare(k.api, o.api), cmp.Compare(k.on, o.on), cmp.Compare(k.pool, o.pool), cmp.Compare(k.without, o.without), cmp.Compare(k.field, o.field), cmp.Compare(k.free, o.free),
		compareBool(k.repeats, o.repeats), compareBool(k.rounds, o.rounds), compareBool(k.joined, o.joined), compareBool(k.onFile, o.onFile),
		cmp.Compare(k.does, o.does),
	)
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

func compareFrames(a, b []Frame) int {
	return cmp.Or(cmp.Compare(len(a), len(b)), slices.CompareFunc(a, b, func(x, y Frame) int {
		return cmp.Or(cmp.Compare(x.Pos, y.Pos), cmp.Compare(x.Call, y.Call))
	}))
}

func compareHeld(a, b []Held) int {
	return slices.CompareFunc(a, b, func(x, y Held) int {
		return cmp.Or(cmp.Compare(x.Class, y.Class), cmp.Compare(x.Path, y.Path), cmp.Compare(x.Arg, y.Arg))
	})
}

// rank puts what is least bounded first, so that a cut keeps the worst.
func rank(e *Effect) int {
	switch e.Bound.Kind {
	case Unbounded:
		return 0
	case CtxBound, CancelBound:
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
	Free   []Path // locks of the caller that are not held meanwhile
	Frames []Frame

	// List is the parameter, counted from 1, for each of whose elements one
	// goroutine calls it, all at once; 0 if there is none. Group reports that
	// they belong to a group that could have a limit.
	List  int
	Group bool
}

// An Acquired says that a result must be given back by the caller.
type Acquired struct {
	Class  Class
	Result int // -1: nothing is returned, a slot of Pool is held
	Pool   Path
	Err    int  // index of the error or bool result that tells whether it succeeded, -1 if it always does
	OK     bool // Err is a bool that is true on success
}

// A LockOp is a lock that a function leaves locked, or unlocks for its caller.
type LockOp struct {
	Class Class
	Path  Path
}

// A How says in which way a function becomes a task.
type How uint8

const (
	OnPool   How = iota // handed to a pool of a library, which runs it
	OnChan              // sent on a channel: who receives it may run it
	Kept                // stored in a field: who reads that may call it
	OnLoop              // a loop that drains the channel runs it
	Callback            // a library runs it on its loop; Pool is the key of the row that says so
	numHows
)

// A Blocks says whether handing a task over waits for a free worker.
type Blocks uint8

const (
	Never     Blocks = iota
	IfLimited        // where the pool was given a limit
	Always
	numBlocks
)

// A Task says that a func-typed parameter becomes a task.
type Task struct {
	Param  int
	Pool   Path // the pool, the channel or the field
	How    How
	Blocks Blocks
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
	Ends     []Ending // contexts, clients, dialers, connections among the results
	Symbolic []Symbolic
	Tasks    []Task
	Limits   []Path // pools that the function gives a limit: parameters, or results

	// Made is what an iterator does that the function makes and returns, nil if
	// it makes none. Its parameters are those of the function, then its own.
	Made *Summary
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
		len(s.Links) == 0 && len(s.Ends) == 0 && len(s.Symbolic) == 0 && len(s.Tasks) == 0 && len(s.Limits) == 0 && s.Made.Empty()
}

func sameCall(a, b ParamCall) bool {
	return a.Param == b.Param && a.Mode == b.Mode && compareHeld(a.Held, b.Held) == 0 && slices.Equal(a.Free, b.Free) && a.List == b.List && a.Group == b.Group
}

// Same reports whether two normalized summaries say the same to callers, apart
// from the ways that lead to the effects.
func (s *Summary) Same(o *Summary) bool {
	if s.Empty() || o.Empty() {
		return s.Empty() && o.Empty()
	}
	return slices.EqualFunc(s.Effects, o.Effects, func(a, b Effect) bool { return a.key() == b.key() }) &&
		slices.EqualFunc(s.Calls, o.Calls, sameCall) &&
		slices.Equal(s.Acquires, o.Acquires) && slices.Equal(s.Releases, o.Releases) && slices.Equal(s.Keeps, o.Keeps) &&
		slices.Equal(s.Locks, o.Locks) && slices.Equal(s.Unlocks, o.Unlocks) && slices.Equal(s.Links, o.Links) && slices.Equal(s.Ends, o.Ends) &&
		slices.Equal(s.Tasks, o.Tasks) && slices.Equal(s.Limits, o.Limits) && s.Made.Same(o.Made) &&
		slices.EqualFunc(s.Symbolic, o.Symbolic, func(a, b Symbolic) bool { return a.Method == b.Method })
}

// Normalize sorts every list, drops duplicates and cuts what is over the
// limits. A cut is made in a sorted order, so that it is the same in every run.
func (s *Summary) Normalize() {
	s.Effects, s.Omitted = normalizeEffects(s.Effects, s.Omitted)
	slices.SortFunc(s.Calls, func(a, b ParamCall) int {
		return cmp.Or(cmp.Compare(a.Param, b.Param), cmp.Compare(a.Mode, b.Mode), compareHeld(a.Held, b.Held), slices.Compare(a.Free, b.Free), cmp.Compare(a.List, b.List), compareBool(a.Group, b.Group), compareFrames(a.Frames, b.Frames))
	})
	s.Calls = slices.CompactFunc(s.Calls, func(a, b ParamCall) bool {
		return sameCall(a, b)
	})
	s.Calls = cut(s.Calls, MaxCalls)
	slices.SortFunc(s.Acquires, func(a, b Acquired) int {
		return cmp.Or(cmp.Compare(a.Result, b.Result), cmp.Compare(a.Class, b.Class), cmp.Compare(a.Pool, b.Pool), cmp.Compare(a.Err, b.Err), compareBool(a.OK, b.OK))
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
	slices.SortFunc(s.Ends, func(a, b Ending) int { return cmp.Compare(a.Result, b.Result) }) // one a result
	slices.SortFunc(s.Tasks, func(a, b Task) int {
		return cmp.Or(cmp.Compare(a.Param, b.Param), cmp.Compare(a.Pool, b.Pool), cmp.Compare(a.How, b.How), cmp.Compare(a.Blocks, b.Blocks))
	})
	s.Tasks = cut(slices.Compact(s.Tasks), MaxOps)
	slices.Sort(s.Limits)
	s.Limits = cut(slices.Compact(s.Limits), MaxOps)
	best := make(map[string]int)
	unique := s.Symbolic[:0:0]
	for _, y := range s.Symbolic {
		i, seen := best[y.Method]
		if !seen {
			best[y.Method] = len(unique)
			unique = append(unique, y)
		} else if compareFrames(y.Frames, unique[i].Frames) < 0 {
			unique[i] = y
		}
	}
	slices.SortFunc(unique, func(a, b Symbolic) int { return cmp.Compare(a.Method, b.Method) })
	s.Symbolic = cut(unique, MaxSymbolic)
}

func normalizeEffects(effects []Effect, omitted int) ([]Effect, int) {
	index := make(map[effectKey]int, len(effects))
	keys := make([]effectKey, 0, len(effects))
	unique := make([]*Effect, 0, len(effects))
	for i := range effects {
		e := &effects[i]
		e.Frames = CutFrames(e.Frames, MaxFrames)
		k := e.key()
		if j, seen := index[k]; !seen {
			index[k] = len(unique)
			unique, keys = append(unique, e), append(keys, k)
		} else if compareFrames(e.Frames, unique[j].Frames) < 0 {
			unique[j] = e
		}
	}
	order := make([]int, len(unique))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		a, b := unique[i], unique[j]
		return cmp.Or(
			cmp.Compare(a.Kind, b.Kind), cmp.Compare(rank(a), rank(b)),
			compareFrames(a.Frames, b.Frames), keys[i].compare(keys[j]),
		)
	})
	var out []Effect
	var n [numKinds]int
	for _, i := range order {
		e := unique[i]
		if n[e.Kind]++; n[e.Kind] > MaxPerKind {
			omitted++
			continue
		}
		out = append(out, *e)
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
		if e.Kind == Spawn && e.Does != 0 {
			t += " " + e.Does.String()
		}
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
		verb := "blocks"
		if e.Kind == Spawn {
			verb = "starts" // it keeps nobody waiting
		}
		if e.Kind == Enqueue {
			verb = "queues" // nor does this
		}
		if text := verb + "(" + t + ")"; !slices.Contains(out, text) {
			add("%s", text)
		}
	}
	for _, c := range s.Calls {
		t := ParamPath(c.Param).String()
		if c.Mode == Async {
			t += " async"
		}
		if c.List > 0 {
			t += " each " + ParamPath(c.List-1).String()
		}
		if c.Group {
			t += " group"
		}
		for _, h := range c.Held {
			t += fmt.Sprintf(" under %s %s", h.Class, h.Path)
		}
		for _, p := range c.Free {
			t += " free " + string(p)
		}
		add("calls(%s)", t)
	}
	for _, a := range s.Acquires {
		if a.Result < 0 {
			add("acquires(%s %s)", a.Class, a.Pool)
		} else if a.Pool != "" {
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
	for _, x := range s.Ends {
		add("ends(%s)", x)
	}
	for _, y := range s.Symbolic {
		add("iface(%s)", y.Method)
	}
	for _, t := range s.Tasks {
		verb := [...]string{"on", "sent on", "kept in", "run by the loop of", "run as"}[min(t.How, Callback)]
		add("task(%s %s %s%s)", ParamPath(t.Param), verb, t.Pool, [...]string{"", " limited", " waits"}[min(t.Blocks, Always)])
	}
	for _, p := range s.Limits {
		add("limits(%s)", p)
	}
	if !s.Made.Empty() {
		add("makes(%s)", s.Made)
	}
	return strings.Join(out, " ")
}
