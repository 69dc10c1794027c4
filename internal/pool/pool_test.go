package pool_test

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/concvet/concvet/internal/pool"
	"github.com/concvet/concvet/internal/summary"
)

const prelude = `package p

import (
	"context"
	"sync"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"
)

var (
	_ context.Context
	_ sync.Mutex
	_ *errgroup.Group
	_ *semaphore.Weighted
)

type owner struct {
	g, other errgroup.Group
	p        *errgroup.Group
	next     *owner
	jobs     chan func()
	second   chan func()
	sem      chan struct{}
	slots    *semaphore.Weighted
}

func newOwner() *owner {
	o := &owner{jobs: make(chan func(), 4), second: make(chan func(), 4), sem: make(chan struct{}, 3), slots: semaphore.NewWeighted(5), p: new(errgroup.Group)}
	o.g.SetLimit(2)
	o.other.SetLimit(2)
	o.p.SetLimit(6)
	return o
}

func work() error { return nil }
`

// stubs imports the standard library as the compiler left it, and everything else
// from the stubs of the analyzers' tests.
type stubs struct{ std types.Importer }

func (s stubs) Import(path string) (*types.Package, error) {
	dir := filepath.Join("../../testdata/src", path)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return s.std.Import(path)
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for _, e := range entries {
		f, err := parser.ParseFile(fset, filepath.Join(dir, e.Name()), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return (&types.Config{Importer: s}).Check(path, fset, files, nil)
}

// model is what is found in a package with some code.
func model(t *testing.T, code string, look func(*pool.Model, *summary.Result)) {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", prelude+code, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{
		Types: make(map[ast.Expr]types.TypeAndValue), Defs: make(map[*ast.Ident]types.Object), Uses: make(map[*ast.Ident]types.Object),
		Implicits: make(map[ast.Node]types.Object), Instances: make(map[*ast.Ident]types.Instance), Scopes: make(map[ast.Node]*types.Scope),
		Selections: make(map[*ast.SelectorExpr]*types.Selection), FileVersions: make(map[*ast.File]string),
	}
	pkg, err := (&types.Config{Importer: stubs{importer.Default()}}).Check("p", fset, []*ast.File{f}, info)
	if err != nil {
		t.Fatal(err)
	}
	looked := false
	a := &analysis.Analyzer{
		Name: "pools", Doc: "look at the pools of a package", Requires: []*analysis.Analyzer{summary.Analyzer},
		Run: func(pass *analysis.Pass) (any, error) {
			res, done, err := summary.Use(pass)
			if err != nil {
				return nil, err
			}
			defer done()
			looked = true
			look(pool.New(res), res)
			return nil, nil
		},
	}
	graph, err := checker.Analyze([]*analysis.Analyzer{a}, []*packages.Package{{
		ID: "p", PkgPath: "p", Name: "p", Fset: fset, Syntax: []*ast.File{f}, Types: pkg, TypesInfo: info, TypesSizes: types.SizesFor("gc", "amd64"),
	}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for act := range graph.All() {
		if act.Err != nil {
			t.Fatalf("%s: %v", act.Analyzer.Name, act.Err)
		}
	}
	if !looked {
		t.Fatal("no model was made")
	}
}

var verbs = map[pool.Verb]string{pool.Submit: "submits", pool.Wait: "waits", pool.Send: "sends", pool.Receive: "receives", pool.Take: "takes a slot"}

// cycles says in a line each which tasks come back to their own pool.
func cycles(t *testing.T, code string) []string {
	t.Helper()
	var out []string
	model(t, code, func(m *pool.Model, res *summary.Result) {
		for _, c := range m.Cycles() {
			text := fmt.Sprintf("task of %s %s", res.Name(c.Task.Pool), verbs[c.Op.Verb])
			if c.Task.Kind == pool.Own {
				text = "goroutine " + verbs[c.Op.Verb]
			}
			if c.Size > 0 {
				text += fmt.Sprintf(", %d", c.Size)
			}
			if c.End {
				text += ", for its end"
			}
			if c.Back != nil {
				text += ", and back from " + res.Name(c.Op.Path)
			}
			if c.Op.Verb == pool.Send && m.Judge(c) == pool.Fine {
				continue
			}
			out = append(out, text)
		}
	})
	slices.Sort(out)
	return slices.Compact(out)
}

// Which pool it is, is told by the access path from a variable, through
// parameters, results, fields and literals, and by the instance.
func TestIdentity(t *testing.T) {
	for _, c := range []struct{ name, code, want string }{
		{"one variable", `
func f() { var g errgroup.Group; g.SetLimit(2); g.Go(func() error { g.Go(work); return nil }) }`,
			"task of g submits, 2"},
		{"another variable", `
func f() { var g, h errgroup.Group; g.SetLimit(2); h.SetLimit(2); g.Go(func() error { h.Go(work); return nil }) }`, ""},
		{"no limit", `
func f() { var g errgroup.Group; g.Go(func() error { g.Go(work); return nil }) }`, ""},
		{"a limit that is none", `
func f() { var g errgroup.Group; g.SetLimit(-1); g.Go(func() error { g.Go(work); return nil }) }`, ""},
		{"limit in a helper", `
func limit(g *errgroup.Group) { g.SetLimit(3) }
func f() { var g errgroup.Group; limit(&g); g.Go(func() error { g.Go(work); return nil }) }`,
			"task of g submits, 3"},
		{"package variable", `
var all errgroup.Group
func init() { all.SetLimit(2) }
func f() { all.Go(task) }
func task() error { all.Go(work); return nil }`,
			"task of all submits, 2"},
		{"parameter by another name", `
func f() { g := new(errgroup.Group); g.SetLimit(2); g.Go(func() error { return task(g) }) }
func task(x *errgroup.Group) error { x.Go(work); return nil }`,
			"task of g submits, 2"},
		{"second of two parameters", `
func f() { g, h := new(errgroup.Group), new(errgroup.Group); g.SetLimit(2); h.SetLimit(2); g.Go(func() error { return task(h, g) }) }
func task(x, y *errgroup.Group) error { x.Go(work); return nil }`, ""},
		{"field of the receiver", `
func (o *owner) f() { o.g.Go(o.task) }
func (o *owner) task() error { o.g.Go(work); return nil }`,
			"task of o.g submits, 2"},
		{"another field", `
func (o *owner) f() { o.g.Go(o.task) }
func (o *owner) task() error { o.other.Go(work); return nil }`, ""},
		{"pointer in a field", `
func (o *owner) f() { o.p.Go(o.task) }
func (o *owner) task() error { o.p.Go(work); return nil }`,
			"task of o.p submits, 6"},
		{"field of another object", `
func (o *owner) f(x *owner) { o.g.Go(func() error { x.g.Go(work); return nil }) }`, ""},
		{"field of the next object", `
func (o *owner) f() { o.g.Go(func() error { o.next.g.Go(work); return nil }) }`, ""},
		{"the same field twice removed", `
func (o *owner) f() { o.next.g.Go(func() error { return o.next.task() }) }
func (o *owner) task() error { o.g.Go(work); return nil }`,
			"task of o.next.g submits, 2"},
		{"a variable for the field", `
func (o *owner) f() { g := &o.g; g.Go(func() error { o.g.Go(work); return nil }) }`,
			"task of o.g submits, 2"},
		{"a copy of the pointer", `
func (o *owner) f() { g := o.p; g.Go(func() error { o.p.Go(work); return nil }) }`,
			"task of o.p submits, 6"},
		{"result of a constructor", `
func limited() *errgroup.Group { g := new(errgroup.Group); g.SetLimit(4); return g }
func f() { g := limited(); g.Go(func() error { g.Go(work); return nil }) }`,
			"task of g submits"},
		{"two results of a constructor", `
func limited() *errgroup.Group { g := new(errgroup.Group); g.SetLimit(4); return g }
func f() { g, h := limited(), limited(); g.Go(func() error { h.Go(work); return nil }) }`, ""},
		{"result with a context", `
func f(ctx context.Context) { g, ctx := errgroup.WithContext(ctx); g.SetLimit(2); g.Go(func() error { <-ctx.Done(); g.Go(work); return nil }) }`,
			"task of g submits, 2"},
		{"one for each level", `
func f(n int) error { var g errgroup.Group; g.SetLimit(2); g.Go(func() error { return f(n - 1) }); return g.Wait() }`, ""},
		{"one for all levels", `
func f(n int) { var g errgroup.Group; g.SetLimit(2); var visit func(int) error; visit = func(n int) error { g.Go(func() error { return visit(n - 1) }); return nil }; g.Go(func() error { return visit(n) }) }`,
			"task of g submits, 2"},
		{"a new one in each round", `
func f() { for range 3 { var g errgroup.Group; g.SetLimit(2); g.Go(work); g.Wait() } }`, ""},
		{"elements of a slice", `
func f(gs []*errgroup.Group, i, j int) { gs[i].SetLimit(2); gs[j].SetLimit(2); gs[i].Go(func() error { gs[j].Go(work); return nil }) }`, ""},
		{"entries of a map", `
func f(gs map[string]*errgroup.Group) { gs["a"].SetLimit(2); gs["b"].SetLimit(2); gs["a"].Go(func() error { gs["b"].Go(work); return nil }) }`, ""},
		{"either of two", `
func f(b bool) { g, h := new(errgroup.Group), new(errgroup.Group); g.SetLimit(2); h.SetLimit(2); x := g; if b { x = h }; g.Go(func() error { x.Go(work); return nil }) }`, ""},
		{"by value of a method", `
func (o *owner) f() { run := o.task; o.g.Go(run) }
func (o *owner) task() error { o.g.Go(work); return nil }`,
			"task of o.g submits, 2"},
		{"from a goroutine of the task", `
func f() { var g errgroup.Group; g.SetLimit(2); g.Go(func() error { go g.Go(work); return nil }) }`, ""},
		{"where there is room", `
func f() { var g errgroup.Group; g.SetLimit(2); g.Go(func() error { if !g.TryGo(work) { return work() }; return nil }) }`, ""},
		{"eight calls away", `
func f() { var g errgroup.Group; g.SetLimit(2); g.Go(func() error { return a(&g) }) }
func a(g *errgroup.Group) error { return b(g) }
func b(g *errgroup.Group) error { return c(g) }
func c(g *errgroup.Group) error { return d(g) }
func d(g *errgroup.Group) error { g.Go(work); return nil }`,
			"task of g submits, 2"},
		{"switched off by a constant", `
func f() { var g errgroup.Group; g.SetLimit(2); g.Go(func() error { return task(&g, false) }) }
func task(g *errgroup.Group, more bool) error { if more { g.Go(work) }; return nil }`, ""},
		{"switched on by a constant", `
func f() { var g errgroup.Group; g.SetLimit(2); g.Go(func() error { return task(&g, true) }) }
func task(g *errgroup.Group, more bool) error { if more { g.Go(work) }; return nil }`,
			"task of g submits, 2"},
		{"waits for the group it is in", `
func f() { var g errgroup.Group; g.Go(func() error { return g.Wait() }) }`,
			"task of g waits"},
		{"waits for another group", `
func f() { var g, h errgroup.Group; g.Go(func() error { h.Go(work); return h.Wait() }) }`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := strings.Join(cycles(t, c.code), "; "); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// Channels that goroutines drain, and semaphores, are pools, too.
func TestOtherPools(t *testing.T) {
	for _, c := range []struct{ name, code, want string }{
		{"worker on its channel", `
func (o *owner) loop() { for f := range o.jobs { f() } }
func (o *owner) f() { o.jobs <- func() { o.jobs <- func() {} } }`,
			"task of o.jobs sends"},
		{"worker on another channel", `
func (o *owner) loop() { for f := range o.jobs { f() } }
func (o *owner) f() { o.jobs <- func() { o.second <- func() {} } }`, ""},
		{"channel of another instance", `
func (o *owner) loop() { for f := range o.jobs { f() } }
func (o *owner) f(x *owner) { o.jobs <- func() { x.jobs <- func() {} } }`, ""},
		{"helper that sends", `
func (o *owner) loop() { for f := range o.jobs { f() } }
func (o *owner) submit(f func()) { o.jobs <- f }
func (o *owner) f() { o.submit(func() { o.submit(func() {}) }) }`,
			"task of o.jobs sends"},
		{"a send that may fail", `
func (o *owner) loop() { for f := range o.jobs { f() } }
func (o *owner) f() { o.jobs <- func() { select { case o.jobs <- func() {}: default: } } }`, ""},
		{"loop on its own case", `
func loop(in chan int, stop chan bool) { for { select { case v := <-in: in <- v + 1; case <-stop: return } } }`,
			"task of in sends"},
		{"pool by hand", `
func (o *owner) spawn(f func()) { o.sem <- struct{}{}; go func() { defer func() { <-o.sem }(); f() }() }
func (o *owner) f() { o.spawn(func() { o.spawn(func() {}) }) }`,
			"task of o.sem takes a slot, 3"},
		{"pool by hand of another instance", `
func (o *owner) spawn(f func()) { o.sem <- struct{}{}; go func() { defer func() { <-o.sem }(); f() }() }
func (o *owner) f(x *owner) { o.spawn(func() { x.spawn(func() {}) }) }`, ""},
		{"pool by hand with a semaphore", `
func (o *owner) spawn(ctx context.Context, f func()) { if o.slots.Acquire(ctx, 1) != nil { return }; go func() { defer o.slots.Release(1); f() }() }
func (o *owner) f(ctx context.Context) { o.spawn(ctx, func() { o.spawn(ctx, func() {}) }) }`,
			"task of o.slots takes a slot, 5"},
		{"own end", `
type runner struct { done chan struct{} }
func (r *runner) run() { defer close(r.done); r.stop() }
func (r *runner) stop() { <-r.done }`,
			"goroutine receives, for its end"},
		{"end of another instance", `
type runner struct { done chan struct{}; next *runner }
func (r *runner) run() { defer close(r.done); r.next.stop() }
func (r *runner) stop() { <-r.done }`, ""},
		{"two groups that wait for each other", `
func (o *owner) f() { o.g.Go(o.first); o.other.Go(o.last) }
func (o *owner) first() error { o.other.Go(o.last); return nil }
func (o *owner) last() error { o.g.Go(o.first); return nil }`,
			"task of o.g submits, 2, and back from o.other"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := strings.Join(cycles(t, c.code), "; "); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// What a task comes to, and by which calls.
func TestOps(t *testing.T) {
	model(t, `
func f() { var g errgroup.Group; g.SetLimit(2); g.Go(func() error { return a(&g) }) }
func a(g *errgroup.Group) error { return b(g) }
func b(g *errgroup.Group) error { g.Go(work); return nil }`, func(m *pool.Model, res *summary.Result) {
		// That of b runs a function of which nothing is worth knowing.
		if len(m.Tasks) != 1 {
			t.Errorf("%d tasks, want 1", len(m.Tasks))
			return
		}
		for _, task := range m.Tasks {
			if task.Kind != pool.Group || task.In.Name() != "f" {
				t.Errorf("task of kind %d in %s", task.Kind, task.In)
			}
			ops := m.Ops(task)
			if !m.Limited(task.Pool, task.In) {
				t.Error("the group has no limit")
			}
			if len(ops) != 1 || ops[0].Verb != pool.Submit || ops[0].Path != task.Pool {
				t.Errorf("got %v, want one submit to the own pool", ops)
				return
			}
			var names []string
			for _, call := range ops[0].Calls() {
				names = append(names, call.Common().StaticCallee().Name())
			}
			if got := strings.Join(names, " "); got != "a b" {
				t.Errorf("by way of %s, want a b", got)
			}
		}
	})
}
