package directive_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/concvet/concvet/internal/directive"
)

// known makes the names of two analyzers the only ones, as the suite does.
func known(t testing.TB) {
	old := directive.Names
	directive.Names = []string{"holdacross", "holdacross/lock-blocking", "nodeadline"}
	t.Cleanup(func() { directive.Names = old })
}

func TestParseUnderstands(t *testing.T) {
	known(t)
	for text, want := range map[string]directive.Directive{
		"//concvet:ignore holdacross it is local":                           {Verb: directive.Ignore, Names: []string{"holdacross"}, Reason: "it is local"},
		"//concvet:ignore holdacross/lock-blocking r":                       {Verb: directive.Ignore, Names: []string{"holdacross/lock-blocking"}, Reason: "r"},
		"//concvet:ignore holdacross/lock-blocking,nodeadline two of them ": {Verb: directive.Ignore, Names: []string{"holdacross/lock-blocking", "nodeadline"}, Reason: "two of them"},
		"//concvet:ignore\tholdacross r":                                    {Verb: directive.Ignore, Names: []string{"holdacross"}, Reason: "r"},
		"//concvet:ignore  holdacross  r":                                   {Verb: directive.Ignore, Names: []string{"holdacross"}, Reason: "r"},
		"//concvet:blocking":                                                {Verb: directive.Blocking},
		"//concvet:blocking net it dials":                                   {Verb: directive.Blocking, Kind: "net", Reason: "it dials"},
		"//concvet:nonblocking from memory":                                 {Verb: directive.Nonblocking, Reason: "from memory"},
		"//concvet:bounded by the caller":                                   {Verb: directive.Bounded, Reason: "by the caller"},
		"//concvet:latency":                                                 {Verb: directive.Latency},
		"//concvet:latency frames are drawn here":                           {Verb: directive.Latency, Reason: "frames are drawn here"},
	} {
		d, err := directive.Parse(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if d.Verb != want.Verb || !slices.Equal(d.Names, want.Names) || d.Kind != want.Kind || d.Reason != want.Reason {
			t.Errorf("%q: %+v, want %+v", text, *d, want)
		}
	}
}

// What is nearly a directive is a problem to report: obeyed it would hide
// findings, passed over its author would think that it does.
func TestParseRefuses(t *testing.T) {
	known(t)
	for text, want := range map[string]string{
		"//concvet:":                                "unknown directive //concvet:; there are: ignore",
		"//concvet:ignor holdacross r":              "unknown directive //concvet:ignor;",
		"//concvet:Ignore holdacross r":             "unknown directive //concvet:Ignore;",
		"//concvet:ignore-file holdacross r":        "unknown directive //concvet:ignore-file;",
		"//concvet:ignore":                          "names no analyzer",
		"//concvet:ignore ":                         "names no analyzer",
		"//concvet:ignore holdacross":               "has no reason",
		"//concvet:ignore holdacross ":              "has no reason",
		"//concvet:ignore holdacros r":              `names "holdacros", which is no analyzer or category; did you mean "holdacross"?`,
		"//concvet:ignore holdacross,nope r":        `names "nope"`,
		"//concvet:ignore holdacross, nodeadline r": "has an empty name",
		"//concvet:ignore ,holdacross r":            "has an empty name",
		"//concvet:ignore holdacross/ r":            `names "holdacross/"`,
		"//concvet:nonblocking":                     "has no reason",
		"//concvet:bounded  ":                       "has no reason",
	} {
		d, err := directive.Parse(text)
		if err == nil {
			t.Errorf("%q was understood as %+v", text, *d)
		} else if !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %q, want %q", text, err, want)
		}
	}
	_, err := directive.Parse("//concvet:" + strings.Repeat("x", 1<<20))
	if err == nil || len(err.Error()) > 300 {
		t.Error("a name of a megabyte is quoted in full")
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"//concvet:", "//concvet:ignore holdacross r", "//concvet:ignore a,b/c r r", "//concvet:ignore\t\t,",
		"//concvet:blocking net", "//concvet:nonblocking r", "//concvet:bounded r", "//concvet:latency",
		"//concvet:ignore \u00a0 r", "//concvet:\xff", "//concvet:ignore x\r", "//concvet:ignore x \u202e r",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		text = "//concvet:" + text
		d, err := directive.Parse(text)
		if (d == nil) == (err == nil) {
			t.Fatalf("%q: %v, %v", text, d, err)
		}
		if err != nil {
			return
		}
		if d.Verb == directive.Ignore && (len(d.Names) == 0 || slices.Contains(d.Names, "") || d.Reason == "") {
			t.Fatalf("%q is obeyed: %+v", text, *d)
		}
		if (d.Verb == directive.Nonblocking || d.Verb == directive.Bounded) && d.Reason == "" {
			t.Fatalf("%q is obeyed without a reason", text)
		}
	})
}

// The lines that a directive speaks of, found through every call of f(n): the
// test says by n whether it should be ignored.
const placement = `package a

func f(ignored bool) int { return 0 }

func statements(list []int) {
	//concvet:ignore holdacross before the statement
	f(true)
	f(false)
	f(true) //concvet:ignore holdacross behind it
	f(false)

	//concvet:ignore holdacross a statement of several lines
	_ = []int{
		f(true),
		f(true),
	}
	f(false)
	_ = []int{
		f(true),
		f(true),
	} //concvet:ignore holdacross behind its last line
	f(false)

	//concvet:ignore holdacross the head of a loop, and not what is in it
	for range f(true) {
		f(false)
	}
	//concvet:ignore holdacross the head of an if
	if f(true) == 1 {
		f(false)
	}
	//concvet:ignore holdacross a line that has none after it

	f(false)

	// A comment of several lines
	//concvet:ignore holdacross in its last line
	f(true)

	f(false) //concvet:ignore nodeadline another analyzer
	f(true)  //concvet:ignore nodeadline,holdacross/lock-blocking a list
	f(false) //concvet:ignore holdacross
	f(false) // concvet:ignore holdacross no directive
	f(false) //concvet:bounded it is no ignore

	//lint:ignore concvet/holdacross in staticcheck's spelling
	f(true)
	//lint:ignore SA1000,concvet/holdacross in a list
	f(true)
	//lint:ignore SA1000 of another tool
	f(false)
}

//concvet:ignore holdacross the whole function
func declaration() {
	f(true)
	f(true)
}

// A comment before it.
//
//concvet:ignore holdacross in the doc comment
func documented() {
	f(true)
}

//concvet:ignore holdacross a variable
var v = f(true)

var w = f(false)

const text = "//concvet:ignore holdacross in a string"

//concvet:nonblocking from memory
func nonblocking() { f(false) }
`

func TestPlacement(t *testing.T) {
	known(t)
	set, pass := read(t, map[string]string{"a/a.go": placement})
	n := 0
	for _, file := range pass.Files {
		ast.Inspect(file, func(node ast.Node) bool {
			call, ok := node.(*ast.CallExpr)
			if !ok {
				return true
			}
			if id, ok := call.Fun.(*ast.Ident); !ok || id.Name != "f" {
				return true
			}
			n++
			want := call.Args[0].(*ast.Ident).Name == "true"
			d := set.Ignored("holdacross/lock-blocking", call.Pos())
			if (d != nil) != want {
				t.Errorf("line %d: ignored by %v, want %t", pass.Fset.Position(call.Pos()).Line, d, want)
			}
			return true
		})
		for _, decl := range file.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok {
				has := set.OnFunc(fn, directive.Nonblocking) != nil
				if has != (fn.Name.Name == "nonblocking") {
					t.Errorf("%s is nonblocking: %t", fn.Name.Name, has)
				}
			}
		}
	}
	if n != 30 {
		t.Errorf("%d calls of f, want 30", n)
	}
	var problems []string
	for _, p := range set.Problems {
		problems = append(problems, fmt.Sprint(pass.Fset.Position(p.Pos).Line))
	}
	if got := strings.Join(problems, " "); got != "42 43" {
		t.Errorf("problems in lines %s, want one in line 42, the directive without a reason, and in line 43, the comment that looks like one", got)
	}
}

// A space or a capital makes a directive a comment, which its author should know
// of. Prose is left alone.
func TestAlmost(t *testing.T) {
	known(t)
	for text, want := range map[string]string{
		"// concvet:ignore holdacross r":     `"// concvet:ignore" is a mere comment; write //concvet:ignore,`,
		"//\tconcvet:ignore holdacross r":    `write //concvet:ignore,`,
		"//concvet: ignore holdacross r":     `"//concvet: ignore" is a mere comment; write //concvet:ignore,`,
		"//concvet :ignore holdacross r":     `write //concvet:ignore,`,
		"//Concvet:ignore holdacross r":      `"//Concvet:ignore" is a mere comment`,
		"// ConcVet:Ignore":                  `write //concvet:ignore,`,
		"//concvet:Latency":                  `"//concvet:Latency" is a mere comment; write //concvet:latency,`,
		"// concvet:nonblocking from memory": `write //concvet:nonblocking,`,
		"// concvet: bounded by the caller":  `write //concvet:bounded,`,

		"// prose\n// concvet:ignore nodeadline,holdacross r": `write //concvet:ignore,`,
		"// prose\n// concvet:ignore speaks of a finding":     "",

		"// concvet: this is found by it":  "",
		"// concvet finds it":              "",
		"// concvet ignore holdacross":     "",
		"// see concvet:ignore":            "",
		"// concvet":                       "",
		"//concvetX:ignore holdacross r":   "",
		"// concvet:ignored by all":        "",
		"/* concvet:ignore holdacross r*/": "",
		"//concvet:ignore holdacross r":    "",
	} {
		set, _ := read(t, map[string]string{"a/a.go": "package a\n\n" + text + "\nvar x int\n"})
		switch {
		case want == "" && len(set.Problems) > 0:
			t.Errorf("%q: %s", text, set.Problems[0].Message)
		case want != "" && (len(set.Problems) != 1 || len(set.All) > 0 || !strings.Contains(set.Problems[0].Message, want)):
			t.Errorf("%q: %+v, want one problem that says %q", text, set.Problems, want)
		}
	}
}

// A //line directive moves what is shown, not what is ignored.
func TestPlacementIsPhysical(t *testing.T) {
	known(t)
	set, pass := read(t, map[string]string{"a/a.go": `package a

func f() {}

//line ../../outside.y:1
func g() {
	//concvet:ignore holdacross here
	f()
//line a.go:7
	f()
}
`})
	var ignored []bool
	ast.Inspect(pass.Files[0], func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			ignored = append(ignored, set.Ignored("holdacross/lock-blocking", call.Pos()) != nil)
		}
		return true
	})
	if !slices.Equal(ignored, []bool{true, false}) {
		t.Errorf("ignored: %v, want the first call only", ignored)
	}
}

// No directive of a file with very many is lost.
func TestManyDirectivesAreAllRead(t *testing.T) {
	known(t)
	var text strings.Builder
	text.WriteString("package a\n\nfunc f() {}\n\nfunc g() {\n")
	for range 2000 {
		text.WriteString("\tf() //concvet:ignore holdacross r\n")
	}
	text.WriteString("}\n")
	set, _ := read(t, map[string]string{"a/a.go": text.String()})
	if len(set.All) != 2000 || len(set.Problems) != 0 {
		t.Errorf("%d directives and %d problems, want 2000 and none", len(set.All), len(set.Problems))
	}
}

// read runs the analyzer on a package of a GOPATH tree.
func read(t *testing.T, files map[string]string) (*directive.Set, *analysis.Pass) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		name = filepath.Join(dir, "src", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var pass *analysis.Pass
	a := &analysis.Analyzer{
		Name: "reader", Doc: "keeps the set of directives", Requires: []*analysis.Analyzer{directive.Analyzer},
		Run: func(p *analysis.Pass) (any, error) {
			pass = p
			return nil, nil
		},
	}
	analysistest.Run(t, dir, a, "a")
	set, ok := pass.ResultOf[directive.Analyzer].(*directive.Set)
	if !ok {
		t.Fatal("no set of directives")
	}
	if set.Ignored("holdacross/lock-blocking", token.NoPos) != nil {
		t.Error("something is ignored at no position")
	}
	return set, pass
}
