// Package pool tells what is a task of which pool, and which pools a task
// submits to and waits for in its own goroutine.
//
// A pool is whatever has a limited number of goroutines that others hand work
// to: a group with a limit, a worker pool of a library, the goroutines that
// drain a channel, one loop that serves it. It is named by its access path, in
// terms of the function in which the task is handed over, so that the pool of
// another instance, or one that each level makes for itself, is another pool.
//
// The package starts at the tasks and follows their calls downwards. What the
// path of a callee is to the task, is told by translating it upwards along the
// very calls that led there; a path that does not survive that is unknown, and
// no pool.
package pool

import (
	"go/token"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/summary"
)

// A Kind says what runs the tasks of a pool.
type Kind uint8

const (
	Group   Kind = iota // starts a goroutine for each task, below a limit
	Workers             // a pool of a library
	Channel             // goroutines that receive from a channel
	Slots               // a goroutine for each task, as long as a semaphore has slots
	Own                 // a goroutine that tells when it has ended
)

// A Task is a function that runs on a pool.
type Task struct {
	Kind Kind
	Pool effect.Path // in terms of In
	In   *ssa.Function
	At   ssa.Instruction // where it is handed over; the receive of a loop
	Body *ssa.Function

	// Loop is the loop that runs it, for a task of a channel: the body of the
	// loop itself, or a function that it calls.
	Loop *Loop

	// Blocks says whether handing it over waits for a free worker.
	Blocks effect.Blocks

	args    []ssa.Value
	hasRecv bool
	given   []effect.Path // what a worker passes to it, in terms of In
	inLoop  map[*ssa.BasicBlock]bool
	after   *ssa.BasicBlock // only what this dominates is part of the task
	skip    ssa.Instruction
}

// A Verb says what an operation does to a pool, a channel or a group.
type Verb uint8

const (
	Submit  Verb = iota // hands a task over, and waits for room
	Wait                // waits for tasks, or for a group of goroutines
	Send                // on a channel
	Receive             // from a channel
	Run                 // calls a function that is only known by its path
	Take                // waits for a slot of a semaphore
)

// An Op is an operation that a task comes to in its own goroutine.
type Op struct {
	Verb   Verb
	Path   effect.Path // of the pool, channel or function, in terms of the task's In
	Instr  ssa.Instruction
	Pos    token.Pos // of the case of a select, if it is one
	Blocks effect.Blocks
	Ctx    bool // it ends when a context does
	Select bool // one case of several

	// Join is the task whose end is waited for, if the wait is for one that
	// the same function has handed over.
	Join *Task

	Frames []effect.Frame // from Instr on

	args  []effect.Path // what Run passes, in terms of In
	frame *frame
	many  bool // the way there leads through a loop
}

// Calls lists the calls that lead from the task to the operation, outermost
// first.
func (o *Op) Calls() []ssa.CallInstruction {
	var out []ssa.CallInstruction
	for f := o.frame; f.up != nil; f = f.up {
		out = append([]ssa.CallInstruction{f.call}, out...)
	}
	return out
}

// Model is what is known of the pools of one package.
type Model struct {
	res     *summary.Result
	calls   map[ssa.CallInstruction]*summary.Call
	steps   map[*ssa.Function][]step
	plain   map[*ssa.Function][]step
	handed  map[*ssa.Function][]*Task // tasks by the function that hands them over
	kept    []*keptTask
	callers map[*ssa.Function][]caller
	uses    *channels
	memo    map[*Task][]*Op
	created map[string][]*ssa.Call
	fields  *fields

	Tasks []*Task
	Loops []*Loop
}

// New finds the pools and tasks of a package.
func New(res *summary.Result) *Model {
	m := &Model{
		res:     res,
		calls:   make(map[ssa.CallInstruction]*summary.Call),
		steps:   make(map[*ssa.Function][]step),
		plain:   make(map[*ssa.Function][]step),
		handed:  make(map[*ssa.Function][]*Task),
		callers: make(map[*ssa.Function][]caller),
		memo:    make(map[*Task][]*Op),
	}
	m.findTasks()
	m.startTasks()
	m.findLoops()
	m.runLoops()
	clear(m.steps) // more tasks are known now, and so more waits for them
	clear(m.memo)
	return m
}

// call resolves a call once.
func (m *Model) call(instr ssa.CallInstruction) *summary.Call {
	c, ok := m.calls[instr]
	if !ok {
		c = m.res.Call(instr.Common())
		if c.Body == nil && c.Sum == nil && c.Value == nil && c.Method == nil {
			c = &unknown // most calls: one value is enough for all of them
		}
		m.calls[instr] = c
	}
	return c
}

// unknown is a callee that does nothing here.
var unknown summary.Call

// Resolve tells the callee of a call.
func (m *Model) Resolve(instr ssa.CallInstruction) *summary.Call { return m.call(instr) }

// Ops lists what a task comes to in its own goroutine.
func (m *Model) Ops(t *Task) []*Op {
	ops, ok := m.memo[t]
	if !ok {
		ops = m.walk(t)
		m.memo[t] = ops
	}
	return ops
}

// Limited reports whether a group was given a limit, where it is made, where it
// is handed on, or in the field that it stands in.
func (m *Model) Limited(path effect.Path, in *ssa.Function) bool {
	return m.limited(path, in, 3)
}

func (m *Model) limited(path effect.Path, in *ssa.Function, depth int) bool {
	if m.res.Limited(path) || m.collectFields().limited[m.res.Field(path)] {
		return true
	}
	if depth == 0 {
		return false
	}
	root, ok := m.res.Root(path).(*ssa.Parameter)
	if !ok {
		return false
	}
	fn := root.Parent()
	out := m.res.Export(path, fn)
	for _, c := range m.callersOf(fn) {
		p := m.res.Import(out, c.callee.Args, c.callee.HasRecv, c.instr.Parent())
		if p != "" && p != path && m.limited(p, c.instr.Parent(), depth-1) {
			return true
		}
	}
	return false
}

// stem is a path without the elements at its end.
func stem(p effect.Path) effect.Path {
	s := string(p)
	for strings.HasSuffix(s, "]") {
		i := strings.LastIndexByte(s, '[')
		if i < 0 {
			break
		}
		s = s[:i]
	}
	return effect.Path(s)
}

// counterpart translates path from the terms of one function to those of
// another, where a in the one is b in the other.
func counterpart(path, a, b effect.Path) effect.Path {
	if path == "" || a == "" || b == "" {
		return ""
	}
	x, y := string(a), string(b)
	// What the two have in common at their ends are the fields of one struct.
	for {
		i, j := lastSel(x), lastSel(y)
		if i < 0 || j < 0 || x[i:] != y[j:] {
			break
		}
		x, y = x[:i], y[:j]
		if rest, ok := strings.CutPrefix(string(path), x); ok && (rest == "" || rest[0] == '.' || rest[0] == '[') {
			return effect.Path(y + rest)
		}
	}
	return ""
}

// lastSel is where the last field of a path begins, -1 if it has none.
func lastSel(s string) int {
	root, sel := effect.Path(s).Split()
	i := strings.LastIndexByte(sel, '.')
	if i < 0 {
		return -1
	}
	return len(root) + i
}
