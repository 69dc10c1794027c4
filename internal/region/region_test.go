package region_test

import (
	"go/ast"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/region"
)

// The verbs that the programs of these tests are written in. held and free say
// what must be held, and free, where they stand: paths in alphabetical order.
const prelude = `package p

func lock(path string)               {}
func rlock(path string)              {}
func unlock(path string)             {}
func runlock(path string)            {}
func try(path string) bool           { return false }
func begin(path string) error        { return nil }
func maybe(path string) (int, bool)  { return 0, false }
func release(path string)            {}
func drop(path string)               {}
func dropField(name string)          {}
func take(path string) int           { return 0 }
func dropSite(int)                   {}
func next(path string) bool          { return false }
func held(paths string)              {}
func free(paths string)              {}
func other() bool                    { return false }
func fail() error                    { return nil }

`

// compute runs the analysis on every function of a program whose name does not
// occur in prelude, and checks each held and free.
func compute(t *testing.T, source string, entry ...*region.Thing) map[string]*region.Region {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", prelude+source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	pkg, _, err := ssautil.BuildPackage(&types.Config{Importer: importer.Default()}, fset, types.NewPackage("p", "p"), []*ast.File{file}, ssa.SanityCheckFunctions)
	if err != nil {
		t.Fatal(err)
	}
	out := make(map[string]*region.Region)
	checks := 0
	for _, m := range pkg.Members {
		fn, ok := m.(*ssa.Function)
		if !ok || fn.Synthetic != "" || fset.Position(fn.Pos()).Line <= strings.Count(prelude, "\n") {
			continue
		}
		r := region.Compute(fn, entry, events, while)
		out[fn.Name()] = r
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				name, args := callee(instr)
				if name != "held" && name != "free" {
					continue
				}
				checks++
				var got []string
				if name == "held" {
					for _, thing := range r.Held(instr) {
						got = append(got, string(thing.Path))
					}
				} else {
					for _, p := range r.Free(instr) {
						got = append(got, string(p))
					}
				}
				slices.Sort(got)
				if text := strings.Join(got, " "); text != args {
					t.Errorf("line %d of %s: %s %q, want %q", fset.Position(instr.Pos()).Line-strings.Count(prelude, "\n"), fn.Name(), name, text, args)
				}
			}
		}
	}
	if want := strings.Count(source, "held(") + strings.Count(source, "free("); checks != want {
		t.Errorf("%d places were checked, want %d", checks, want)
	}
	return out
}

// callee returns the function that an instruction calls and its constant argument.
func callee(instr ssa.Instruction) (name, arg string) {
	call, ok := instr.(ssa.CallInstruction)
	if !ok || call.Common().StaticCallee() == nil {
		return "", ""
	}
	if args := call.Common().Args; len(args) > 0 {
		if c, ok := args[0].(*ssa.Const); ok && c.Value != nil && c.Value.Kind() == constant.String {
			arg = constant.StringVal(c.Value)
		}
	}
	return call.Common().StaticCallee().Name(), arg
}

func events(instr ssa.Instruction) []region.Event {
	name, arg := callee(instr)
	path := effect.Path(arg)
	acquire := func(class effect.Class) *region.Thing {
		return &region.Thing{Class: class, Path: path, Site: instr, By: name}
	}
	one := func(e region.Event) []region.Event { return []region.Event{e} }
	switch name {
	case "lock":
		return one(region.Event{Verb: region.Acquire, Thing: acquire(effect.Mutex)})
	case "rlock":
		return one(region.Event{Verb: region.Acquire, Thing: acquire(effect.RLock)})
	case "take":
		return one(region.Event{Verb: region.Acquire, Thing: acquire(effect.Slot)})
	case "try":
		thing := acquire(effect.Mutex)
		thing.OK, thing.Try, thing.Failed = true, true, instr.(ssa.Value)
		return one(region.Event{Verb: region.Acquire, Thing: thing})
	case "begin":
		thing := acquire(effect.Tx)
		thing.Failed = instr.(ssa.Value)
		return one(region.Event{Verb: region.Acquire, Thing: thing})
	case "maybe":
		thing := acquire(effect.Conn)
		thing.OK = true
		for _, r := range *instr.(ssa.Value).Referrers() {
			if e, ok := r.(*ssa.Extract); ok && e.Index == 1 {
				thing.Failed = e
			}
		}
		return one(region.Event{Verb: region.Acquire, Thing: thing})
	case "unlock":
		return one(region.Event{Verb: region.Release, Class: effect.Mutex, Path: path})
	case "runlock":
		return one(region.Event{Verb: region.Release, Class: effect.RLock, Path: path})
	case "release":
		return one(region.Event{Verb: region.Release, Path: path})
	case "drop":
		return one(region.Event{Verb: region.Drop, Path: path})
	case "dropField":
		return one(region.Event{Verb: region.DropField, Path: path})
	case "dropSite":
		site, _ := instr.(ssa.CallInstruction).Common().Args[0].(ssa.Instruction)
		return one(region.Event{Verb: region.DropSite, Site: site})
	}
	return nil
}

func while(cond ssa.Value) effect.Path {
	instr, ok := cond.(ssa.Instruction)
	if !ok {
		return ""
	}
	if name, arg := callee(instr); name == "next" {
		return effect.Path(arg)
	}
	return ""
}

func TestStraightLine(t *testing.T) {
	compute(t, `
func f() {
	held("")
	lock("a")
	held("a")
	rlock("b")
	held("a b")
	unlock("a")
	held("b")
	runlock("b")
	held("")
	lock("a")
	lock("a")
	held("a")
	unlock("a")
	held("")
}

// A release of the other kind of lock is none.
func kinds() {
	rlock("a")
	unlock("a")
	held("a")
	runlock("a")
	held("")
}

// A release that is of no kind gives back whatever has the path.
func any() {
	rlock("a")
	begin("tx")
	release("a")
	held("tx")
	release("tx")
	held("")
}
`)
}

// Must-hold: what is held after a join is what is held on all its edges.
func TestJoins(t *testing.T) {
	compute(t, `
func both(c bool) {
	if c {
		lock("a")
	} else {
		lock("a")
	}
	held("a")
}

func one(c bool) {
	if c {
		lock("a")
	}
	held("")
}

func releasedOnOne(c bool) {
	lock("a")
	lock("b")
	if c {
		unlock("a")
	}
	held("b")
}

func loop(n int) {
	lock("a")
	for range n {
		held("")
		unlock("a")
		held("")
	}
	held("")
}

func relock(n int) {
	lock("a")
	for range n {
		held("a")
		unlock("a")
		held("")
		lock("a")
	}
	held("a")
}

func jump(n int) {
	lock("a")
again:
	held("a")
	if n--; n > 0 {
		goto again
	}
	unlock("a")
	held("")
}

func cases(n int) {
	lock("a")
	switch n {
	case 1:
		unlock("a")
	case 2:
		held("a")
		unlock("a")
	default:
		unlock("a")
	}
	held("")
}

func panics(c bool) {
	lock("a")
	if !c {
		unlock("a")
		panic("no")
	}
	held("a")
}

func forever() {
	for {
		lock("a")
		held("a")
		unlock("a")
		held("")
	}
}
`)
}

func TestFailureBranches(t *testing.T) {
	compute(t, `
func plain() {
	err := begin("tx")
	held("tx")
	if err != nil {
		held("")
		return
	}
	held("tx")
}

func reversed() {
	if err := begin("tx"); err == nil {
		held("tx")
	} else {
		held("")
	}
	held("")
}

func swapped() {
	err := begin("tx")
	if nil != err {
		held("")
		return
	}
	held("tx")
}

func negated() {
	err := begin("tx")
	if !(err != nil) {
		held("tx")
		return
	}
	held("")
}

// Another error tells nothing.
func otherError() {
	begin("tx")
	if fail() != nil {
		held("tx")
		return
	}
	held("tx")
}

func ok() {
	_, ok := maybe("c")
	if !ok {
		held("")
		return
	}
	held("c")
}

// The result of a try is looked at before it is held.
func tried() {
	if try("a") {
		held("a")
		return
	}
	held("")
}

func triedVariable() {
	ok := try("a")
	held("")
	if !ok {
		held("")
		return
	}
	held("a")
}

func triedAnd(c bool) {
	if c && try("a") {
		held("a")
	}
}

func triedOr(c bool) {
	if c || !try("a") {
		held("")
		return
	}
	held("a")
}

func triedLoop() {
	for !try("a") {
		held("")
	}
	held("a")
}

// Of an error that is stored in a variable first.
func stored() (err error) {
	defer func() { _ = err }()
	err = begin("tx")
	if err != nil {
		held("")
		return err
	}
	held("tx")
	return nil
}

// The variable has been assigned again since.
func overwritten() {
	err := begin("tx")
	err = fail()
	if err != nil {
		held("tx")
		return
	}
	held("tx")
}
`)
}

func TestWhileConditions(t *testing.T) {
	compute(t, `
func read() {
	take("rows")
	for next("rows") {
		held("rows")
	}
	held("")
}

func leave() {
	take("rows")
	for next("rows") {
		if other() {
			held("rows")
			return
		}
	}
	held("")
}

func once() {
	take("rows")
	if !next("rows") {
		held("")
		return
	}
	held("rows")
}
`)
}

// Deferred calls run at the exit, last first.
func TestDeferredCalls(t *testing.T) {
	rs := compute(t, `
func simple() {
	lock("a")
	defer unlock("a")
	held("a")
}

func order() {
	defer held("")
	lock("a")
	defer unlock("a")
	defer held("a")
}

func conditional(c bool) {
	lock("a")
	if c {
		defer unlock("a")
	}
	held("a")
}

func locks() {
	defer lock("a")
	held("")
}

func leaves() {
	lock("a")
}

func many(c bool) {
	lock("a")
	if c {
		return
	}
	unlock("a")
}
`)
	exits := func(name string) string {
		var out []string
		for _, x := range rs[name].Exits() {
			var paths []string
			for _, thing := range x.Held {
				paths = append(paths, string(thing.Path))
			}
			out = append(out, strings.Join(paths, " "))
		}
		slices.Sort(out)
		return strings.Join(out, "|")
	}
	for name, want := range map[string]string{"simple": "", "order": "", "locks": "a", "leaves": "a", "many": "|a"} {
		if got := exits(name); got != want {
			t.Errorf("%s: at its exits %q is held, want %q", name, got, want)
		}
	}
}

// A lock that is not held belongs to the caller: until it is locked again it is
// free, and on one path is enough.
func TestFreeLocks(t *testing.T) {
	rs := compute(t, `
func around() {
	free("")
	unlock("a")
	free("a")
	held("")
	lock("a")
	free("")
	held("")
}

func onePath(c bool) {
	if c {
		unlock("a")
	}
	free("a")
}

func own() {
	lock("b")
	unlock("b")
	free("")
}
`)
	for name, want := range map[string]int{"around": 0, "onePath": 1, "own": 0} {
		exits := rs[name].Exits()
		if len(exits) != 1 || len(exits[0].Free) != want {
			t.Errorf("%s: %+v, want one exit with %d free locks", name, exits, want)
		}
	}
}

func TestTransfers(t *testing.T) {
	compute(t, `
func dropped() {
	begin("tx")
	lock("s.mu")
	lock("t.mu")
	drop("tx")
	held("s.mu t.mu")
	dropField("mu")
	held("")
}

func field() {
	lock("s.mu")
	lock("s.other")
	begin("s.mu2")
	dropField("mu")
	held("s.mu2 s.other")
}

func site() {
	a := take("x")
	take("y")
	held("x y")
	dropSite(a)
	held("y")
}

// A drop of what is not held frees nothing.
func nothing() {
	drop("a")
	dropField("a")
	free("")
	held("")
}
`)
}

// A connection is given back through what it embeds, a lock is not.
func TestReleaseThroughWrapper(t *testing.T) {
	compute(t, `
func wrapped() {
	begin("tx")
	lock("mu")
	release("tx.Tx")
	held("mu")
	release("mu.inner")
	held("mu")
}
`)
}

func TestEntry(t *testing.T) {
	outer := &region.Thing{Class: effect.Tx, Path: "tx", Outer: true}
	compute(t, `
func f(c bool) {
	held("tx")
	if c {
		release("tx")
		held("")
		return
	}
	held("tx")
}
`, outer)
}

func TestUnreachableCodeHoldsNothing(t *testing.T) {
	compute(t, `
func f() {
	lock("a")
	held("a")
	for {
	}
}

func empty() {}
`)
}

// Hundreds of variables that meet in hundreds of joins still end.
func TestManyJoinsEnd(t *testing.T) {
	var b strings.Builder
	b.WriteString("func f(n int) {\n\tlock(\"a\")\n\tfor {\n")
	for range 300 {
		b.WriteString("\t\tif other() {\n\t\t\tunlock(\"b\")\n\t\t\tlock(\"b\")\n\t\t} else if n == 0 {\n\t\t\tlock(\"b\")\n\t\t\tcontinue\n\t\t}\n")
	}
	b.WriteString("\t\theld(\"a\")\n\t}\n}\n")
	compute(t, b.String())
}
