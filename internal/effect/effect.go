// Package effect is the vocabulary of concvet: what a function may do to the
// goroutine that calls it, said in plain data.
//
// Nothing in this package knows about syntax, SSA or any API. A [Summary] is
// closed (it needs no other summary to be read), bounded, sorted and free of
// maps and pointers to objects, so that it can travel between packages.
package effect

import (
	"fmt"
	"strings"
	"time"
)

// A Kind says in which way a call may keep its goroutine waiting.
type Kind uint8

// The kinds, in the order in which they are printed and sorted.
const (
	None      Kind = iota
	Sleep          // a timer decides: time.Sleep, a receive from time.After
	Net            // an outbound call: a peer decides
	DB             // a statement on a database connection
	File           // file input or output
	Fsync          // a flush to stable storage
	Exec           // another process decides
	DNS            // name resolution
	ChanSend       // a send that a receiver must take
	ChanRecv       // a receive that a sender must serve
	Select         // a select without a way out
	Lock           // a mutex or read-write lock
	Cond           // a condition variable
	GroupWait      // a wait for other goroutines
	Submit         // a pool that may be full
	Acquire        // a semaphore, token or pooled connection
	Spawn          // starts a goroutine
	Enqueue        // grows a queue
	CPU            // long computation
	IO             // bytes pass through a reader or writer that only a caller knows
	Turn           // the loop of a library that runs callbacks has to come to it; only a callback of that loop minds
	numKinds
)

var kindNames = [numKinds]string{
	"none", "sleep", "net", "db", "file", "fsync", "exec", "dns",
	"chan-send", "chan-recv", "select", "lock", "cond", "group-wait",
	"submit", "acquire", "spawn", "enqueue", "cpu", "io", "turn",
}

func (k Kind) String() string {
	if k < numKinds {
		return kindNames[k]
	}
	return fmt.Sprintf("kind(%d)", uint8(k))
}

// ParseKind is the inverse of [Kind.String].
func ParseKind(s string) (Kind, bool) {
	for k, name := range kindNames {
		if name == s && Kind(k) != None {
			return Kind(k), true
		}
	}
	return None, false
}

// Kinds lists every kind name, for messages about an unknown one.
func Kinds() []string { return append([]string(nil), kindNames[1:]...) }

// A BoundKind says what limits how long an effect can last.
type BoundKind uint8

const (
	Unbounded  BoundKind = iota // nothing known
	ConstBound                  // at most Bound.Dur
	CtxBound                    // the context in parameter Bound.Param
	Deadline                    // a deadline set on the connection
	ClientTimeout
	TryBound    // a try variant: it never waits
	RoomBound   // a buffered channel with room by construction
	EscapeBound // a select with a default, a timer or a done case
	CancelBound // as CtxBound, or a cancel on the way
	ToldBound   // who is waited for has just been told to end
	numBounds
)

var boundNames = [numBounds]string{"", "const", "ctx", "deadline", "client-timeout", "try", "room", "escape", "cancel", "told"}

// A Bound is what ends a wait whatever the other side does.
type Bound struct {
	Kind  BoundKind
	Dur   time.Duration // ConstBound
	Param int           // CtxBound: parameter index, the receiver being -1
}

// Endless reports whether nothing but a context, or nothing at all, ends a wait.
func (b Bound) Endless() bool {
	return b.Kind == Unbounded || b.Kind == CtxBound || b.Kind == CancelBound
}

func (b Bound) String() string {
	switch b.Kind {
	case Unbounded:
		return ""
	case ConstBound:
		return "<=" + b.Dur.String()
	case CtxBound:
		return "ctx=" + ParamPath(b.Param).String()
	case CancelBound:
		return "cancel=" + ParamPath(b.Param).String()
	}
	if int(b.Kind) < len(boundNames) {
		return boundNames[b.Kind]
	}
	return "?"
}

// A Path names a value in terms that mean the same in another function and in
// another package: a root ("recv", "p0" for the first parameter, "r0" for the
// first result, "g:import/path.Var" for a package variable) followed by the
// names of the fields that lead to the value, each after a dot, and the indices
// of elements in brackets. The empty path is an unknown value. Paths longer than [MaxPath] are unknown.
type Path string

// MaxPath bounds the length of a path in bytes.
const MaxPath = 160

// ParamPath is the path of parameter i, the receiver being -1.
func ParamPath(i int) Path {
	if i < 0 {
		return "recv"
	}
	return Path(fmt.Sprintf("p%d", i))
}

// ResultPath is the path of result i.
func ResultPath(i int) Path { return Path(fmt.Sprintf("r%d", i)) }

func (p Path) String() string { return string(p) }

// Split separates the root of a path from its fields. The fields keep their
// leading dot or bracket. Package variables contain dots and slashes in their root.
func (p Path) Split() (root, fields string) {
	s := string(p)
	if strings.HasPrefix(s, "g:") {
		slash := strings.LastIndexByte(s, '/')
		dot := strings.IndexByte(s[slash+1:], '.')
		if dot < 0 {
			return s, ""
		}
		dot += slash + 1
		next := strings.IndexAny(s[dot+1:], ".[")
		if next < 0 {
			return s, ""
		}
		return s[:dot+1+next], s[dot+1+next:]
	}
	if i := strings.IndexAny(s, ".["); i >= 0 {
		return s[:i], s[i:]
	}
	return s, ""
}

// Param returns the parameter index a path is rooted in (the receiver is -1).
func (p Path) Param() (index int, ok bool) {
	root, _ := p.Split()
	if root == "recv" {
		return -1, true
	}
	return parseIndexed(root, 'p')
}

// Result returns the result index a path is rooted in.
func (p Path) Result() (index int, ok bool) {
	root, _ := p.Split()
	return parseIndexed(root, 'r')
}

func parseIndexed(root string, prefix byte) (int, bool) {
	if len(root) < 2 || root[0] != prefix {
		return 0, false
	}
	n := 0
	for _, c := range root[1:] {
		if c < '0' || c > '9' || n > 1000 {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return n, true
}

// Last is the last field of the path, or its root: the name a person knows the
// value by.
func (p Path) Last() string {
	root, fields := p.Split()
	if i := strings.LastIndexByte(fields, '.'); i >= 0 {
		name, _, _ := strings.Cut(fields[i+1:], "[")
		return name
	}
	if i := strings.LastIndexByte(root, '.'); i >= 0 {
		return root[i+1:]
	}
	return root
}

// A Frame is one call on the way to an effect.
type Frame struct {
	Pos  string // import/path/file.go:line; the import path is left out inside the same package
	Call string // what is called or done there: "(*Client).fetch", "receive from s.done"
}

// A Class says what kind of scarce thing is held.
type Class uint8

const (
	NoClass Class = iota
	Mutex         // exclusive lock
	RLock         // read lock
	Tx            // database transaction: pins a connection
	Conn          // pooled connection
	Rows          // open result set: pins a connection
	Slot          // semaphore or channel token
	numClasses
)

var classNames = [numClasses]string{"none", "lock", "rlock", "tx", "conn", "rows", "slot"}

func (c Class) String() string {
	if c < numClasses {
		return classNames[c]
	}
	return "?"
}

// ParseClass is the inverse of [Class.String].
func ParseClass(s string) (Class, bool) {
	for c, name := range classNames {
		if name == s && Class(c) != NoClass {
			return Class(c), true
		}
	}
	return NoClass, false
}

// Pinned reports whether holding c keeps a pooled connection from others.
func (c Class) Pinned() bool { return c == Tx || c == Conn || c == Rows }

// IsLock reports whether c is a mutex, held for writing or reading.
func (c Class) IsLock() bool { return c == Mutex || c == RLock }

// A Source says what a call hands out, if that is how the load arrives.
type Source uint8

const (
	NoSource Source = iota
	Conns           // connections of peers, or streams of one
	Items           // messages, packets, lines
	numSources
)

var sourceNames = [numSources]string{"", "conns", "items"}

func (s Source) String() string {
	if s < numSources {
		return sourceNames[s]
	}
	return "?"
}

// ParseSource is the inverse of [Source.String].
func ParseSource(name string) (Source, bool) {
	for s, n := range sourceNames {
		if n == name && Source(s) != NoSource {
			return Source(s), true
		}
	}
	return NoSource, false
}
