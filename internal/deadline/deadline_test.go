package deadline_test

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"
	"time"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/concvet/concvet/internal/deadline"
	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/ir"
)

// The package under test has its own contexts and clients, so that the test
// needs no library: never() never ends, limit(d) has a deadline, stop(c) ends
// when c does or by a cancel. use says what is asked about.
const prelude = `package p

import "time"

type Context interface{ Done() <-chan struct{} }

type Client struct {
	Timeout   time.Duration
	Transport *Transport
	name      string
}

type Transport struct{ Timeout time.Duration }

func never() Context
func limit(d time.Duration) Context
func stop(c Context) Context
func use(any)

var DefaultTransport *Transport
`

type known struct{}

func (known) Result(call *ssa.Call, i int) (deadline.Result, bool) {
	fn := call.Call.StaticCallee()
	if fn == nil {
		return deadline.Result{}, false
	}
	switch fn.Name() {
	case "never":
		return deadline.Result{End: effect.EndNever}, true
	case "limit":
		return deadline.Result{End: effect.EndDeadline, Arg: call.Call.Args[0]}, true
	case "stop":
		return deadline.Result{End: effect.EndCancel, Arg: call.Call.Args[0]}, true
	}
	return deadline.Result{}, false
}

func (known) Settings(v ssa.Value) (timeouts, through []string, ok bool) {
	t := v.Type()
	for range 2 {
		if p, isPointer := t.Underlying().(*types.Pointer); isPointer {
			t = p.Elem()
		}
	}
	if named, isNamed := t.(*types.Named); isNamed {
		switch named.Obj().Name() {
		case "Client":
			return []string{"Timeout"}, []string{"Transport"}, true
		case "Transport":
			return []string{"Timeout"}, nil, true
		}
	}
	return nil, nil, false
}

func (known) Wraps(types.Type) string { return "" }

func (known) Kept(types.Type) bool { return false }

func (known) Var(*ssa.Global) (effect.End, bool) { return 0, false }

func (known) Harmless(call *ssa.CallCommon) bool {
	fn := call.StaticCallee()
	return fn != nil && fn.Name() == "use"
}

func (known) Test(*ssa.Function) bool { return false }

// value is what is known of the argument of use in the function f.
func value(t *testing.T, code string) deadline.Value {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", prelude+code, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	pkg, info, err := ssautil.BuildPackage(&types.Config{Importer: importer.Default()}, fset, types.NewPackage("p", "p"), []*ast.File{f}, 0)
	if err != nil {
		t.Fatal(err)
	}
	var funcs []*ssa.Function
	var add func(*ssa.Function)
	add = func(fn *ssa.Function) {
		if len(fn.Blocks) > 0 {
			funcs = append(funcs, fn)
		}
		for _, lit := range fn.AnonFuncs {
			add(lit)
		}
	}
	for _, d := range f.Decls {
		if decl, ok := d.(*ast.FuncDecl); ok && decl.Name.Name != "init" {
			add(pkg.Prog.FuncValue(info.Defs[decl.Name].(*types.Func)))
		}
	}
	for _, name := range []string{"init", "init#1"} {
		if fn := pkg.Func(name); fn != nil {
			add(fn)
		}
	}
	p := deadline.New(funcs, ir.NewPaths(nil), known{}, true)
	for _, fn := range funcs {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				if call, ok := instr.(*ssa.Call); ok && call.Call.StaticCallee() != nil && call.Call.StaticCallee().Name() == "use" {
					return p.Of(call.Call.Args[0])
				}
			}
		}
	}
	t.Fatal("no call of use")
	return deadline.Value{}
}

func TestOf(t *testing.T) {
	const unknown, never, cancel, limited, caller = effect.EndUnknown, effect.EndNever, effect.EndCancel, effect.EndDeadline, effect.EndCaller
	for name, test := range map[string]struct {
		code string
		want effect.End
	}{
		"call":                {`func f() { use(never()) }`, never},
		"deadline":            {`func f() { use(limit(time.Second)) }`, limited},
		"cancel":              {`func f() { use(stop(never())) }`, cancel},
		"cancel of deadline":  {`func f() { use(stop(limit(time.Second))) }`, limited},
		"parameter":           {`func f(c Context) { use(c) }`, caller},
		"cancel of caller":    {`func f(c Context) { use(stop(c)) }`, caller},
		"variable":            {`func f() { c := never(); c = stop(c); use(c) }`, cancel},
		"branches agree":      {`func f(b bool) { c := never(); if b { c = never() }; use(c) }`, never},
		"branches differ":     {`func f(b bool) { c := never(); if b { c = limit(1) }; use(c) }`, unknown},
		"nil adds nothing":    {`func f(b bool) { var c Context; if b { c = never() }; use(c) }`, never},
		"loop":                {`func f(n int) { c := never(); for range n { c = stop(c) }; use(c) }`, unknown},
		"captured":            {`func f() { c := never(); func() { use(c) }() }`, never},
		"captured and set":    {`func f() { c := never(); g := func() { c = limit(1) }; g(); use(c) }`, unknown},
		"literal parameter":   {`func f() { g := func(c Context) { use(c) }; g(never()) }`, never},
		"literal, two calls":  {`func f() { g := func(c Context) { use(c) }; g(never()); g(limit(1)) }`, unknown},
		"literal, started":    {`func f() { go func(c Context) { use(c) }(never()) }`, never},
		"literal, given away": {`func run(g func(Context)); func f() { run(func(c Context) { use(c) }) }`, unknown},
		"copy of a struct":    {`type Q struct{ C Context }; func f(q Q) { c := q.C; if c == nil { c = never() }; use(c) }`, unknown},
		"filled by another":   {`type Q struct{ C Context }; func fill(q *Q); func f() { q := &Q{}; fill(q); c := q.C; if c == nil { c = never() }; use(c) }`, unknown},
		"helper":              {`func h() Context { return never() }; func f() { use(h()) }`, never},
		"helper passes on":    {`func h(i int, c Context) Context { return stop(c) }; func f() { use(h(1, never())) }`, cancel},
		"identity":            {`func h(i int, c Context) Context { return c }; func f() { use(h(1, never())) }`, never},
		"recursion":           {`func h(n int) Context { if n == 0 { return never() }; return h(n - 1) }; func f() { use(h(3)) }`, never},
		"field":               {`type s struct{ c Context }; func n() *s { return &s{c: never()} }; func (x *s) f() { use(x.c) }`, never},
		"field, two values":   {`type s struct{ c Context }; func n() *s { return &s{c: never()} }; func (x *s) set(c Context) { x.c = c }; func (x *s) f() { use(x.c) }`, unknown},
		"exported field":      {`type S struct{ C Context }; func n() *S { return &S{C: never()} }; func (x *S) f() { use(x.C) }`, unknown},
		"variable, package":   {`var c = never(); func f() { use(c) }`, never},
		"exported variable":   {`var C = never(); func f() { use(C) }`, unknown},
		"client":              {`func f() { use(&Client{name: "x"}) }`, never},
		"client, value":       {`func f() { var c Client; use(&c) }`, never},
		"client, limited":     {`func f() { use(&Client{Timeout: time.Second}) }`, limited},
		"client, zero":        {`func f() { use(&Client{Timeout: 0}) }`, never},
		"client, later":       {`func f(d time.Duration) { c := &Client{}; c.Timeout = d; use(c) }`, limited},
		"client, setter":      {`func set(c *Client) { c.Timeout = 1 }; func f() { c := &Client{}; set(c); use(c) }`, unknown},
		"client, option":      {`func f(o func(*Client)) { c := &Client{}; o(c); use(c) }`, unknown},
		"client, transport":   {`func f() { use(&Client{Transport: &Transport{Timeout: 1}}) }`, limited},
		"client, foreign":     {`func f(t *Transport) { use(&Client{Transport: t}) }`, unknown},
		"client, address":     {`func flag(*time.Duration); func f() { c := &Client{}; flag(&c.Timeout); use(c) }`, limited},
		"client, field":       {`type s struct{ c *Client }; func n() *s { return &s{&Client{}} }; func (x *s) f() { use(x.c) }`, never},
		"client, field set":   {`type s struct{ c *Client }; func n() *s { return &s{&Client{}} }; func (x *s) set() { x.c.Timeout = 1 }; func (x *s) f() { use(x.c) }`, limited},
		"client, by value":    {`type s struct{ c Client }; func (x *s) f() { use(&x.c) }`, never},
		"client, copy":        {`func f() { a := Client{Timeout: 1}; c := a; use(&c) }`, limited},
		"client, variable":    {`var c Client; func f() { use(&c) }`, never},
		"client, set in init": {`var c Client; func init() { c.Timeout = 1 }; func f() { use(&c) }`, limited},
	} {
		if got := value(t, test.code); got.End != test.want {
			t.Errorf("%s: %+v, want %d", name, got, test.want)
		}
	}
}

func TestDurationIsThatOfTheSetting(t *testing.T) {
	if got := value(t, `func f() { use(limit(3 * time.Second)) }`); got.Dur != 3*time.Second {
		t.Errorf("%+v, want 3 s", got)
	}
	if got := value(t, `func f(b bool) { c := limit(1); if b { c = limit(2) }; use(c) }`); got.End != effect.EndDeadline || got.Dur != 0 {
		t.Errorf("%+v, want a deadline that is not known", got)
	}
}

func TestBoth(t *testing.T) {
	v := func(e effect.End) deadline.Value { return deadline.Value{End: e} }
	for _, test := range []struct{ a, b, want effect.End }{
		{effect.EndNever, effect.EndNever, effect.EndNever},
		{effect.EndNever, effect.EndDeadline, effect.EndDeadline},
		{effect.EndUnknown, effect.EndDeadline, effect.EndDeadline},
		{effect.EndUnknown, effect.EndNever, effect.EndUnknown},
		{effect.EndCancel, effect.EndNever, effect.EndCancel},
		{effect.EndCaller, effect.EndNever, effect.EndCaller},
		{effect.EndCaller, effect.EndUnknown, effect.EndUnknown},
		{effect.EndCaller, effect.EndCaller, effect.EndUnknown},
	} {
		for _, got := range []deadline.Value{deadline.Both(v(test.a), v(test.b)), deadline.Both(v(test.b), v(test.a))} {
			if got.End != test.want {
				t.Errorf("Both(%d, %d) = %d, want %d", test.a, test.b, got.End, test.want)
			}
		}
	}
	if got := deadline.Both(deadline.Nothing(), v(effect.EndNever)); got.End != effect.EndNever {
		t.Errorf("nothing and never: %+v", got)
	}
}
