// Package knowledge holds what is known of APIs that are not analysed: the
// standard library, and the calls of popular libraries whose effect cannot be
// seen in their code or is worth stating once.
//
// The tables are text, one line a function, in the files *.model of this
// folder, one file a library family. The same grammar is used by the models of
// a user's configuration:
//
//	(*database/sql.DB).QueryContext   db ctx=p0 pool=recv; acquire rows r0 from recv err r1
//	(*database/sql.Rows).Close        release recv
//	(*sync.Mutex).Lock                lock recv
//	time.Sleep                        sleep dur=p0
//	type database/sql.Tx              held tx
//	context.WithCancel                ends r0 cancel p0
//	type net/http.Client              timeout Timeout; through Transport
//
// A key is what [types.Func.FullName] returns for the declared function or
// method; an interface method is keyed by the interface that declares it.
// "recv" is the receiver, p0 the first argument, r0 the first result.
package knowledge

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/nearest"
)

// A Row is what is known of one function, method or type.
type Row struct {
	Key  string
	Type bool // Key names a type, not a function

	Effects  []Effect
	Acquires []Acquire
	Releases []int // parameters given back, -1 the receiver
	Keeps    []int // parameters handed over
	Locks    []LockOp
	Unlocks  []LockOp
	Calls    []Call
	Passes   []int         // readers or writers whose effect this function has
	Links    []effect.Link // result r is the value of a parameter
	Limits   []int         // parameters that this call gives a limit
	Signals  []int         // parameters that this call ends waits on
	Tasks    []Task        // parameters that become tasks of a pool
	Size     int           // parameter that says how many tasks run at once, NoParam if none
	NoWait   bool          // as an option of a constructor: its pool refuses instead of waiting
	Whiles   []int         // parameters that are held only while the result is true
	Bounds   []int         // parameters that get a deadline by this call, -1 the receiver
	Held     effect.Class  // Type: what a parameter of this type holds
	Stops    []int         // parameters of which this call ends every wait: killed, closed
	Ends     []Ends        // when results end that something can wait on
	Carrier  *Carrier      // Type: the settings of a value that say how long its operations last
	Source   effect.Source // how the load arrives, if this call or a parameter of this type hands it out
	Body     []string      // Type: fields and methods that give what a request brings
	Window   *Window       // a result that hands out no more than is settled in time
	Bounding []int         // results that are limited, or that are an option which limits
	Grows    string        // what grows without a limit by this call: one of growing
	Throttle bool          // holds its caller back so that the load does not decide

	Loop  *Loop // where implementations, a parameter or fields run
	Event *Loop // the loop that a loop around the call is
	Apart *Loop // the loop that runs nothing if Param is false

	Awaits string // the loop that has to come to what the call hands in

	// Quiet says that the function does nothing worth mentioning, so that
	// its code need not be looked at.
	Quiet bool

	// File and Line say where the row stands.
	File string
	Line int
}

// An Effect is one effect of a row, in terms of its parameters.
type Effect struct {
	Kind effect.Kind
	Ctx  int           // parameter with the context that bounds it, NoParam if none
	Dur  int           // parameter with the duration that bounds it, NoParam if none
	Max  time.Duration // constant bound, 0 if none
	On   int           // parameter it waits on, NoParam if unsaid
	Pool int           // parameter that is the pool a connection is taken from, NoParam if none

	By    int    // parameter whose own settings bound it, NoParam if none
	ByVar string // package variable whose settings bound it, "" if none
	As    string // what the operation is, as [Roles] names it, "" for any other

	// Limited says that it waits only where On was given a limit.
	Limited bool
}

// An Acquire is a result that the caller holds.
type Acquire struct {
	Class  effect.Class
	Result int // -1: nothing is returned, the slot of Pool itself is held
	Pool   int // parameter, NoParam if none
	Err    int // result that is non-nil on failure, or false if OK; NoParam if it cannot fail
	OK     bool
}

// A LockOp locks or unlocks a parameter, or tries to.
type LockOp struct {
	Class effect.Class
	Param int
	Try   bool
}

// A Call says that a func-typed parameter is called.
type Call struct {
	Param int
	Async bool
	Class effect.Class // what its argument Arg holds meanwhile
	Arg   int
	Pool  int
}

// A Task says that a func-typed parameter becomes a task of a pool: of a
// parameter, or of the result that the call makes.
type Task struct {
	Param int
	Pool  int // NoParam if Result says it
	// Result is the result that is the pool, -1 if Pool is.
	Result int
}

// NoParam stands for no parameter.
const NoParam = -2

// Clauses lists the verbs of the grammar, for messages about an unknown one.
func Clauses() []string {
	return append(effect.Kinds(), "acquire", "release", "keep", "lock", "rlock", "unlock", "runlock",
		"trylock", "tryrlock", "call", "go", "pass", "same", "deadline", "while", "limit", "signal", "task", "size", "nowait", "source", "body", "bounds", "grows", "throttle", "window", "held", "loop", "event", "noloop", "awaits", "quiet", "stop", "ends", "timeout", "through", "once", "wraps")
}

// ParseRow parses one line of a table. It returns nil for a blank line and for
// a comment. The error names what is wrong and the nearest valid word.
func ParseRow(line string) (*Row, error) {
	if i := strings.Index(line, "#"); i >= 0 {
		line = line[:i]
	}
	line = strings.TrimSpace(line)
	if line == "" {
		return nil, nil
	}
	row := &Row{Size: NoParam}
	if rest, ok := strings.CutPrefix(line, "type "); ok {
		row.Type = true
		line = strings.TrimSpace(rest)
	}
	key, rest, _ := strings.Cut(line, " ")
	if i := strings.IndexByte(key, '\t'); i >= 0 {
		key, rest = line[:i], line[i:]
	}
	if err := CheckKey(key, row.Type); err != nil {
		return nil, err
	}
	row.Key = key
	if strings.TrimSpace(rest) == "" {
		return nil, fmt.Errorf("%s: no clause after the key", key)
	}
	for clause := range strings.SplitSeq(rest, ";") {
		words := strings.Fields(clause)
		if len(words) == 0 {
			return nil, fmt.Errorf("%s: empty clause", key)
		}
		if err := row.clause(words); err != nil {
			return nil, fmt.Errorf("%s: %w", key, err)
		}
	}
	return row, nil
}

func (row *Row) clause(words []string) error {
	verb, args := words[0], words[1:]
	if row.Type != (verb == "held" || verb == "timeout" || verb == "through" || verb == "once" || verb == "wraps" || verb == "body") && verb != "loop" && verb != "source" && verb != "ends" {
		if row.Type {
			return fmt.Errorf("a type has only the clauses %q, %q, %q and %q, not %q", "held", "timeout", "through", "loop", verb)
		}
		return fmt.Errorf("clause %q belongs to a type: write %q before the key", verb, "type")
	}
	if kind, ok := effect.ParseKind(verb); ok && verb != "lock" && !(verb == "acquire" && !attributes(args)) {
		return row.effect(kind, args)
	}
	switch verb {
	case "acquire":
		return row.acquire(args)
	case "release", "keep", "pass", "deadline", "while", "limit", "signal", "stop":
		if len(args) == 0 {
			return fmt.Errorf("%s needs a parameter", verb)
		}
		for _, a := range args {
			p, err := param(a)
			if err != nil {
				return err
			}
			switch verb {
			case "release":
				row.Releases = append(row.Releases, p)
			case "keep":
				row.Keeps = append(row.Keeps, p)
			case "pass":
				row.Passes = append(row.Passes, p)
			case "deadline":
				row.Bounds = append(row.Bounds, p)
			case "while":
				row.Whiles = append(row.Whiles, p)
			case "limit":
				row.Limits = append(row.Limits, p)
			case "signal":
				row.Signals = append(row.Signals, p)
			case "stop":
				row.Stops = append(row.Stops, p)
			}
		}
		return nil
	case "lock", "rlock", "unlock", "runlock", "trylock", "tryrlock":
		return row.lock(verb, args)
	case "call", "go":
		return row.call(verb == "go", args)
	case "same":
		if len(args) != 2 {
			return fmt.Errorf("same needs a result and a parameter")
		}
		r, err := result(args[0])
		if err != nil {
			return err
		}
		p, err := param(args[1])
		if err != nil {
			return err
		}
		row.Links = append(row.Links, effect.Link{To: effect.ResultPath(r), From: effect.ParamPath(p)})
		return nil
	case "task":
		return row.task(args)
	case "size":
		if len(args) != 1 {
			return fmt.Errorf("size needs one parameter")
		}
		var err error
		row.Size, err = param(args[0])
		return err
	case "nowait":
		if len(args) != 0 {
			return fmt.Errorf("nowait takes nothing")
		}
		row.NoWait = true
		return nil
	case "held":
		if len(args) != 1 {
			return fmt.Errorf("held needs one class")
		}
		c, err := class(args[0])
		row.Held = c
		return err
	case "ends":
		return row.ends(args)
	case "timeout", "through", "once", "wraps":
		return row.carrier(verb, args)
	case "loop", "event", "noloop", "awaits":
		return row.loop(verb, args)
	case "source", "body", "bounds", "grows", "throttle", "window":
		return row.growth(verb, args)
	case "quiet":
		if len(args) != 0 {
			return fmt.Errorf("quiet takes nothing")
		}
		row.Quiet = true
		return nil
	}
	return fmt.Errorf("unknown clause %q%s", verb, Nearest(verb, Clauses()))
}

// attributes reports whether args are NAME=VALUE, which tells the effect
// "acquire ctx=p0 on=recv", the wait for a token, from the result that is held.
func attributes(args []string) bool {
	return len(args) > 0 && strings.Contains(args[0], "=")
}

func (row *Row) effect(kind effect.Kind, args []string) error {
	e := Effect{Kind: kind, Ctx: NoParam, Dur: NoParam, On: NoParam, Pool: NoParam, By: NoParam}
	for _, a := range args {
		name, value, ok := strings.Cut(a, "=")
		if a == "limited" {
			e.Limited = true
			continue
		}
		if !ok {
			return fmt.Errorf("%s: want NAME=VALUE, not %q", kind, a)
		}
		var err error
		switch name {
		case "ctx":
			e.Ctx, err = param(value)
		case "dur":
			e.Dur, err = param(value)
		case "on":
			e.On, err = param(value)
		case "pool":
			e.Pool, err = param(value)
		case "max":
			e.Max, err = time.ParseDuration(value)
		case "by":
			if strings.Contains(value, ".") {
				e.ByVar = value
			} else {
				e.By, err = param(value)
			}
		case "as":
			if e.As = value; !slices.Contains(Roles, value) {
				err = fmt.Errorf("%s: unknown role %q%s", kind, value, Nearest(value, Roles))
			}
		default:
			err = fmt.Errorf("%s: unknown attribute %q%s", kind, name, Nearest(name, []string{"ctx", "dur", "on", "pool", "max", "by", "as"}))
		}
		if err != nil {
			return err
		}
	}
	row.Effects = append(row.Effects, e)
	return nil
}

// acquire CLASS rN|slot [from pN] [err rN | ok rN]
func (row *Row) acquire(args []string) error {
	if len(args) < 2 {
		return fmt.Errorf("acquire needs a class and a result")
	}
	c, err := class(args[0])
	if err != nil {
		return err
	}
	a := Acquire{Class: c, Result: -1, Pool: NoParam, Err: NoParam}
	if args[1] != "slot" {
		if a.Result, err = result(args[1]); err != nil {
			return err
		}
	}
	for rest := args[2:]; len(rest) > 0; rest = rest[2:] {
		if len(rest) < 2 {
			return fmt.Errorf("acquire: %q needs a value", rest[0])
		}
		switch rest[0] {
		case "from":
			a.Pool, err = param(rest[1])
		case "err", "ok":
			a.OK = rest[0] == "ok"
			a.Err, err = result(rest[1])
		default:
			err = fmt.Errorf("acquire: unknown word %q%s", rest[0], Nearest(rest[0], []string{"from", "err", "ok"}))
		}
		if err != nil {
			return err
		}
	}
	row.Acquires = append(row.Acquires, a)
	return nil
}

func (row *Row) lock(verb string, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("%s needs one parameter", verb)
	}
	p, err := param(args[0])
	if err != nil {
		return err
	}
	op := LockOp{Class: effect.Mutex, Param: p, Try: strings.HasPrefix(verb, "try")}
	if strings.Contains(verb, "rlock") || verb == "runlock" {
		op.Class = effect.RLock
	}
	if strings.HasSuffix(verb, "unlock") {
		row.Unlocks = append(row.Unlocks, op)
	} else {
		row.Locks = append(row.Locks, op)
	}
	return nil
}

// call|go pN [CLASS aM [from pK]]
func (row *Row) call(async bool, args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("call needs a parameter")
	}
	p, err := param(args[0])
	if err != nil {
		return err
	}
	c := Call{Param: p, Async: async, Arg: -1, Pool: NoParam}
	if rest := args[1:]; len(rest) > 0 {
		if len(rest) != 2 && len(rest) != 4 {
			return fmt.Errorf("call: want CLASS aN [from pN] after the parameter")
		}
		if c.Class, err = class(rest[0]); err != nil {
			return err
		}
		if rest[1] != "-" {
			if c.Arg, err = indexed(rest[1], 'a'); err != nil {
				return err
			}
		}
		if len(rest) == 4 {
			if rest[2] != "from" {
				return fmt.Errorf("call: unknown word %q%s", rest[2], Nearest(rest[2], []string{"from"}))
			}
			if c.Pool, err = param(rest[3]); err != nil {
				return err
			}
		}
	}
	row.Calls = append(row.Calls, c)
	return nil
}

// task pN recv|pN|rN
func (row *Row) task(args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("task needs a parameter and its pool")
	}
	p, err := param(args[0])
	if err != nil {
		return err
	}
	t := Task{Param: p, Pool: NoParam, Result: -1}
	if strings.HasPrefix(args[1], "r") && args[1] != "recv" {
		t.Result, err = result(args[1])
	} else {
		t.Pool, err = param(args[1])
	}
	row.Tasks = append(row.Tasks, t)
	return err
}

func class(s string) (effect.Class, error) {
	c, ok := effect.ParseClass(s)
	if !ok {
		return 0, fmt.Errorf("unknown class %q%s", s, Nearest(s, []string{"lock", "rlock", "tx", "conn", "rows", "slot"}))
	}
	return c, nil
}

func param(s string) (int, error) {
	if s == "recv" {
		return -1, nil
	}
	return indexed(s, 'p')
}

func result(s string) (int, error) { return indexed(s, 'r') }

func indexed(s string, prefix byte) (int, error) {
	if len(s) > 1 && s[0] == prefix {
		if n, err := strconv.ParseUint(s[1:], 10, 6); err == nil {
			return int(n), nil
		}
	}
	want := string(prefix) + "0"
	if prefix == 'p' {
		want = "recv or p0"
	}
	return 0, fmt.Errorf("%q is not of the form %s", s, want)
}

// CheckKey reports whether key has the form of a function key, or of a type
// key: "path.Func", "(path.Type).Method", "(*path.Type).Method", "path.Type".
func CheckKey(key string, isType bool) error {
	bad := func(why string) error {
		return fmt.Errorf("key %q: %s; write path.Func, (path.Type).Method or (*path.Type).Method", key, why)
	}
	name := key
	if strings.HasPrefix(key, "(") {
		if isType {
			return bad("a type key has no parentheses")
		}
		typ, method, ok := strings.Cut(key[1:], ").")
		if !ok || !identifier(method) {
			return bad("no method after the type")
		}
		name = strings.TrimPrefix(typ, "*")
	}
	slash := strings.LastIndexByte(name, '/')
	dot := strings.LastIndexByte(name, '.')
	if dot <= slash+1 && !(slash < 0 && dot > 0) {
		return bad("no package path before the name")
	}
	if !identifier(name[dot+1:]) {
		return bad(fmt.Sprintf("%q is not a name", name[dot+1:]))
	}
	if path := name[:dot]; path == "" || strings.ContainsAny(path, " \t\"'`<>|()*[]{}\\") {
		return bad("the package path has characters that no import path has")
	}
	return nil
}

// KeyPackage is the import path of a valid key.
func KeyPackage(key string) string {
	name := strings.TrimPrefix(strings.TrimPrefix(key, "("), "*")
	if typ, _, ok := strings.Cut(name, ")."); ok {
		name = typ
	}
	return name[:strings.LastIndexByte(name, '.')]
}

func identifier(s string) bool {
	for i, c := range s {
		if !(c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c > 127 || i > 0 && c >= '0' && c <= '9') {
			return false
		}
	}
	return s != ""
}

// Nearest returns `; did you mean "x"?` for the word of list that is closest to
// s, or nothing where none is close.
func Nearest(s string, list []string) string { return nearest.Hint(s, list) }
