package ir_test

import (
	"go/ast"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/ir"
)

// The programs of these tests say what must hold: same and differ of two values,
// path of the name that callers of the function know a value by, calls of what
// a func-typed value is.
const prelude = `package p

func same(a, b any)            {}
func differ(a, b any)          {}
func path(want string, v any)  {}
func calls(want string, v any) {}
func use(any)                  {}
func some() bool               { return false }

type inner struct {
	n  int
	ch chan int
}

type T struct {
	a, b  *inner
	in    inner
	list  []*inner
	array [4]inner
	byKey map[string]*inner
	next  *T
	f     func()
	i     interface{ M() }
}

func (t *T) M()       {}
func (t *T) get() *inner { return t.a }

var Global *T
`

func check(t *testing.T, source string, links func(*ssa.Call) []effect.Link) {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", prelude+source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	pkg, _, err := ssautil.BuildPackage(&types.Config{Importer: importer.Default()}, fset, types.NewPackage("example.com/p", "p"), []*ast.File{file}, ssa.SanityCheckFunctions)
	if err != nil {
		t.Fatal(err)
	}
	paths := ir.NewPaths(links)
	once := pkg.Func("assigned")
	if f, ok := pkg.Type("T").Type().Underlying().(*types.Struct); ok && once != nil {
		for i := range f.NumFields() {
			if f.Field(i).Name() == "f" {
				paths.AssignOnce(f.Field(i), once)
			}
		}
	}
	checks := 0
	for fn := range ssautil.AllFunctions(pkg.Prog) {
		if fn.Pkg != pkg || fn.Origin() != nil {
			continue
		}
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				call, ok := instr.(*ssa.Call)
				if !ok || call.Call.StaticCallee() == nil {
					continue
				}
				name := call.Call.StaticCallee().Name()
				args := call.Call.Args
				line := fset.Position(call.Pos()).Line - strings.Count(prelude, "\n")
				switch name {
				case "same", "differ":
					checks++
					a, b := paths.Of(args[0]), paths.Of(args[1])
					if equal := a == b && a != ""; equal != (name == "same") {
						t.Errorf("line %d: %s(%q, %q)", line, name, a, b)
					}
				case "path":
					checks++
					want := constant.StringVal(args[0].(*ssa.Const).Value)
					if got := paths.Export(paths.Of(args[1]), fn); string(got) != want {
						t.Errorf("line %d: path %q, want %q", line, got, want)
					}
				case "calls":
					checks++
					want := constant.StringVal(args[0].(*ssa.Const).Value)
					v := args[1]
					if mi, ok := v.(*ssa.MakeInterface); ok {
						v = mi.X
					}
					if got := calleeName(ir.FuncOf(v, paths)); got != want {
						t.Errorf("line %d: calls %q, want %q", line, got, want)
					}
				}
			}
		}
	}
	want := 0
	for _, name := range []string{"same(", "differ(", "path(", "calls("} {
		want += strings.Count(source, "\t"+name)
	}
	if checks != want || want == 0 {
		t.Errorf("%d checks ran, want %d", checks, want)
	}
}

func calleeName(c ir.Callee) string {
	switch {
	case c.Func != nil && c.Invoke:
		return "interface " + c.Func.Name()
	case c.Func != nil && c.Body != nil:
		return c.Func.Name()
	case c.Func != nil:
		return "no body " + c.Func.Name()
	case c.Body != nil:
		return "literal"
	}
	return ""
}

func TestPathsOfParameters(t *testing.T) {
	check(t, `
func f(t *T, v T, ch chan int) {
	path("p0", t)
	path("p0.a", t.a)
	path("p0.a.ch", t.a.ch)
	path("p0.in.ch", t.in.ch)
	path("p0.in", &t.in)
	path("p0.next.next.b", t.next.next.b)
	path("p1.a", v.a) // a copy, but none of its fields is set here
	path("p2", ch)
	path("p0.array[2]", &t.array[2])
	path("p0.list[0]", t.list[0])
	path("p0.byKey[\"a\"]", t.byKey["a"])
	path("g:example.com/p.Global", Global)
	path("g:example.com/p.Global.a", Global.a)
	path("", 1)
}

func set(v T, x *inner) {
	v.a = x
	path("", v.b) // no longer what the caller has
}

func (t *T) method(x *inner) {
	path("recv", t)
	path("recv.a.ch", t.a.ch)
	path("p0.ch", x.ch)
}

// A callee's local variables mean nothing to its callers.
func local() {
	t := new(T)
	path("", t)
	path("", t.a)
}
`, nil)
}

func TestSameVariable(t *testing.T) {
	check(t, `
func f(t, u *T, i, j int, k string) {
	same(t.a, t.a)
	differ(t.a, t.b)
	differ(t.a, u.a)
	same(&t.in, &t.in)
	same(t.list[i], t.list[i])
	differ(t.list[i], t.list[j])
	differ(t.list[0], t.list[1])
	same(t.byKey[k], t.byKey[k])
	differ(t.byKey["x"], t.byKey["y"])
	differ(t.byKey["a.b"], t.byKey["a"])
	x := t.a
	same(x, t.a)
	p := &t.in
	same(p.ch, t.in.ch)
	var any any = t.a
	same(any, t.a)
	same(any.(*inner), t.a)
	same(t.i, t.i)
}

func variables(t, u *T) {
	v := t
	same(v.a, t.a)
	w := t
	if some() {
		w = u
	}
	differ(w.a, t.a)
	differ(w.a, u.a)
	same(w.a, w.a)
	x := t
	if some() {
		x = t
	}
	same(x.a, t.a)
}

func loops(t *T) {
	p := t
	for some() {
		use(p)
	}
	same(p.a, t.a)
	for n := t; n != nil; n = n.next {
		differ(n.a, t.a)
		same(n.a, n.a)
	}
}

func fresh() {
	a, b := new(T), new(T)
	differ(a, b)
	differ(a.a, b.a)
	c := a
	same(c.a, a.a)
}
`, nil)
}

func TestPathsInLiterals(t *testing.T) {
	check(t, `
func f(t *T) {
	func() {
		same(t.a, t.a)
		use(t)
		func() {
			same(t.a.ch, t.a.ch)
		}()
	}()
	v := t
	go func() {
		same(v.a, t.a)
	}()
}

func changed(t, u *T) {
	v := t
	set := func() { v = u }
	set()
	differ(v.a, t.a)
}

func parameter(t *T) {
	use(func(x *inner) {
		path("p0.ch", x.ch)
	})
}
`, nil)
}

// A call whose result is one of its arguments, or a field of one.
func TestPathsThroughLinks(t *testing.T) {
	check(t, `
func wrap(t *T) *T { return t }
func build(a *inner) *T { return &T{a: a} }

func f(t *T, x *inner) {
	same(wrap(t).a, t.a)
	same(wrap(wrap(t)).b, t.b)
	same(build(x).a, x)
	differ(build(x).b, x)
	path("p0.a", wrap(t).a)
	path("p1", build(x).a)
	same(t.get(), t.a)
}
`, func(call *ssa.Call) []effect.Link {
		callee := call.Call.StaticCallee()
		if callee == nil {
			return nil
		}
		switch callee.Name() {
		case "wrap":
			return []effect.Link{{To: "r0", From: "p0"}}
		case "build":
			return []effect.Link{{To: "r0.a", From: "p0"}}
		case "get":
			return []effect.Link{{To: "r0", From: "recv.a"}}
		}
		return nil
	})
}

func TestCallees(t *testing.T) {
	check(t, `
func named()    {}
func assigned() {}
func generic[E any](e E) {}

func f(t *T, p func(), i interface{ M() }) {
	calls("named", named)
	calls("literal", func() {})
	calls("literal", func() { use(t) })
	v := named
	calls("named", v)
	w := func() { use(t) }
	calls("literal", w)
	calls("M", t.M)
	m := t.M
	calls("M", m)
	calls("M", (*T).M)
	calls("interface M", i.M)
	calls("", p)
	calls("assigned", t.f)
	calls("generic", generic[int])
	either := named
	if some() {
		either = assigned
	}
	calls("", either)
	var nothing func()
	calls("", nothing)
}
`, nil)
}

// Chains of any length end, and what is too long is unknown.
func TestPathsAreBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString("\nfunc f(t *T) {\n\tpath(\"\", t" + strings.Repeat(".next", 60) + ".a)\n\tp := t\n")
	for range 200 {
		b.WriteString("\tif some() {\n\t\tp = p.next\n\t}\n")
	}
	b.WriteString("\tsame(p, p)\n}\n")
	check(t, b.String(), nil)
}

// Recursive types and phis that refer to themselves.
func TestPathsEndOnCycles(t *testing.T) {
	check(t, `
type list struct{ next *list }

type self *self

func f(a, b *list, s self) {
	for some() {
		a, b = b.next, a.next
		if some() {
			a = a.next
		}
	}
	same(a, a)
	differ(a, b)
	for some() {
		s = *s
	}
	same(s, s)
}
`, nil)
}

// Import is the inverse of Export at a call with the function's own parameters.
func TestImportUndoesExport(t *testing.T) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", prelude+`
func callee(t *T, i *inner) { use(t.a.ch); use(i); use(Global.b) }

func (t *T) caller(u *T, x *inner) { callee(u.next, x) }
`, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	pkg, _, err := ssautil.BuildPackage(&types.Config{Importer: importer.Default()}, fset, types.NewPackage("example.com/p", "p"), []*ast.File{file}, 0)
	if err != nil {
		t.Fatal(err)
	}
	paths := ir.NewPaths(nil)
	caller := pkg.Prog.LookupMethod(types.NewPointer(pkg.Type("T").Type()), pkg.Pkg, "caller")
	for _, b := range caller.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(*ssa.Call)
			if !ok || call.Call.StaticCallee().Name() != "callee" {
				continue
			}
			for path, want := range map[effect.Path]effect.Path{
				"p0.a.ch": "p0.next.a.ch", "p1": "p1", "g:example.com/p.Global.b": "g:example.com/p.Global.b",
				"recv": "", "p7": "", "r0": "", "": "",
			} {
				if got := paths.Export(paths.Import(path, call.Call.Args, false, caller), caller); got != want {
					t.Errorf("%q is %q in the caller, want %q", path, got, want)
				}
			}
			return
		}
	}
	t.Error("no call of callee")
}
