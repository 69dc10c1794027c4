package fix_test

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/concvet/concvet/internal/fix"
)

// open type-checks a file and opens it at the call of here.
func open(t *testing.T, src string) (*analysis.Pass, *fix.File, error) {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "a.go", src, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}, Scopes: map[ast.Node]*types.Scope{}}
	conf := types.Config{Importer: importer.ForCompiler(fset, "source", nil), Error: func(error) {}}
	pkg, _ := conf.Check("a", fset, []*ast.File{f}, info)
	pass := &analysis.Pass{
		Fset: fset, Files: []*ast.File{f}, Pkg: pkg, TypesInfo: info,
		ReadFile: func(string) ([]byte, error) { return []byte(src), nil },
	}
	file, err := fix.Open(pass, f.Decls[len(f.Decls)-1].Pos())
	return pass, file, err
}

// body returns the statements of the last function.
func body(f *fix.File) []ast.Stmt {
	return f.Syntax.Decls[len(f.Syntax.Decls)-1].(*ast.FuncDecl).Body.List
}

func TestLines(t *testing.T) {
	move := func(f *fix.File) []analysis.TextEdit { s := body(f); return f.MoveBefore(s[0], s[2]) }
	for _, tt := range []struct {
		name, in, out string
		edits         func(f *fix.File) []analysis.TextEdit
	}{
		{"move", "a()\n\tb()\n\tc()", "c()\n\ta()\n\tb()", move},
		{"move with comments", "// A.\n\ta()\n\tb()\n\n\t// C.\n\tc() // c\n\td()", "// C.\n\tc() // c\n\t// A.\n\ta()\n\tb()\n\n\td()", move},
		{"empty lines", "a()\n\tb()\n\n\tc()\n\n\td()", "c()\n\ta()\n\tb()\n\n\td()", move},
		{"at the end", "a()\n\tb()\n\n\tc()", "c()\n\ta()\n\tb()", move},
		{"delete", "a()\n\n\tb()", "a()", func(f *fix.File) []analysis.TextEdit { return []analysis.TextEdit{f.DeleteLines(body(f)[1])} }},
		{"insert after", "a() // a\n\t// B.\n\tb()", "a() // a\n\tx()\n\t// B.\n\tb()", func(f *fix.File) []analysis.TextEdit {
			return []analysis.TextEdit{f.InsertAfter(body(f)[0], "x()")}
		}},
		{"insert before", "a() // a\n\t// B.\n\tb()", "a() // a\n\tx()\n\t// B.\n\tb()", func(f *fix.File) []analysis.TextEdit {
			return []analysis.TextEdit{f.InsertBefore(body(f)[1], "x()")}
		}},
		{"align", "a()      // a\n\tbcdefg() // b", "a() // a\n\tx()\n\tbcdefg() // b", func(f *fix.File) []analysis.TextEdit {
			return []analysis.TextEdit{f.InsertAfter(body(f)[0], "x()")}
		}},
		{"replace", "a(b, c)", "a(x, c)", func(f *fix.File) []analysis.TextEdit {
			return []analysis.TextEdit{f.Replace(body(f)[0].(*ast.ExprStmt).X.(*ast.CallExpr).Args[0], "x")}
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			const before, after = "package a\n\nfunc f() {\n\t", "\n}\n"
			_, f, err := open(t, before+tt.in+after)
			if err != nil {
				t.Fatal(err)
			}
			edits, ok := f.Clean(tt.edits(f))
			if !ok {
				t.Fatal("refused")
			}
			if got, _ := f.Apply(edits); got != before+tt.out+after {
				t.Errorf("got\n%s", got)
			}
		})
	}
}

func TestOpenRefuses(t *testing.T) {
	for name, src := range map[string]string{
		"line directive": "package a\n\n//line b.y:1\nfunc f() {}\n",
		"cgo":            "package a\n\nimport \"C\"\n\nfunc f() {}\n",
	} {
		if _, _, err := open(t, src); err == nil {
			t.Errorf("%s: opened", name)
		}
	}
}

func TestAlone(t *testing.T) {
	_, f, err := open(t, "package a\n\nfunc f() {\n\ta()\n\tb() // b\n\tc(); d()\n}\n")
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct{ alone, own bool }{{true, true}, {false, true}, {false, false}, {false, false}} {
		s := body(f)[i]
		if f.Alone(s) != want.alone || f.OwnLines(s) != want.own {
			t.Errorf("%s: alone %v, own lines %v", f.Text(s), f.Alone(s), f.OwnLines(s))
		}
	}
}

func TestReindent(t *testing.T) {
	got := fix.Reindent("\t\ta()\n\n\t\t\tb(`\n\tc`)\n", "\t\t", "\t")
	if want := "\ta()\n\n\t\tb(`\n\tc`)\n"; got != want {
		t.Errorf("got %q", got)
	}
}

func TestImport(t *testing.T) {
	for _, tt := range []struct{ name, head, use, want string }{
		{"none", "", "context", "\nimport \"context\"\n"},
		{"one", "\nimport \"io\"\n", "context", "\nimport \"io\"\nimport \"context\"\n"},
		{"group", "\nimport (\n\t\"bytes\"\n\t\"io\"\n)\n", "context", "\nimport (\n\t\"bytes\"\n\t\"context\"\n\t\"io\"\n)\n"},
		{"first", "\nimport (\n\t// For bytes.\n\t\"io\"\n)\n", "context", "\nimport (\n\t\"context\"\n\t// For bytes.\n\t\"io\"\n)\n"},
		{"groups", "\nimport (\n\t\"bytes\"\n\n\t\"example.org/x\"\n)\n", "context", "\nimport (\n\t\"bytes\"\n\t\"context\"\n\n\t\"example.org/x\"\n)\n"},
		{"only others", "\nimport (\n\t\"example.org/x\"\n)\n", "context", "\nimport (\n\t\"context\"\n\n\t\"example.org/x\"\n)\n"},
		{"there", "\nimport \"context\"\n", "context", "\nimport \"context\"\n"},
		{"renamed", "\nimport ctx \"context\"\n", "ctx", "\nimport ctx \"context\"\n"},
		{"dot", "\nimport . \"context\"\n", "", ""},
		{"other of the name", "\nimport context \"io\"\n", "", ""},
		{"shadowed", "\nvar context int\n", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			const before, after = "package a\n", "\nfunc f() {\n\tg()\n}\n"
			pass, f, err := open(t, before+tt.head+after)
			if err != nil {
				t.Fatal(err)
			}
			use, edits, ok := f.Import(pass.Pkg, body(f)[0].Pos(), "context", "context")
			if ok != (tt.use != "") || use != tt.use {
				t.Fatalf("got %q, %v", use, ok)
			}
			if !ok {
				return
			}
			edits, ok = f.Clean(edits)
			if got, _ := f.Apply(edits); !ok || got != before+tt.want+after {
				t.Errorf("got %v\n%s", ok, got)
			}
		})
	}
}

func TestImportModule(t *testing.T) {
	for _, tt := range []struct{ name, head, want string }{
		{"only std", "\nimport (\n\t\"bytes\"\n\t\"io\"\n)\n", "\nimport (\n\t\"bytes\"\n\t\"io\"\n\n\t\"example.org/m\"\n)\n"},
		{"groups", "\nimport (\n\t\"bytes\"\n\n\t\"example.org/x\"\n)\n", "\nimport (\n\t\"bytes\"\n\n\t\"example.org/m\"\n\t\"example.org/x\"\n)\n"},
		{"one", "\nimport \"io\"\n", "\nimport \"io\"\nimport \"example.org/m\"\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			const before, after = "package a\n", "\nfunc f() {\n\tg()\n}\n"
			pass, f, err := open(t, before+tt.head+after)
			if err != nil {
				t.Fatal(err)
			}
			use, edits, ok := f.Import(pass.Pkg, body(f)[0].Pos(), "example.org/m", "m")
			if !ok || use != "m" {
				t.Fatalf("got %q, %v", use, ok)
			}
			edits, ok = f.Clean(edits)
			if got, _ := f.Apply(edits); !ok || got != before+tt.want+after {
				t.Errorf("got %v\n%s", ok, got)
			}
		})
	}
}

func TestOverlap(t *testing.T) {
	_, f, err := open(t, "package a\n\nfunc f() {\n\ta()\n\n\tb()\n}\n")
	if err != nil {
		t.Fatal(err)
	}
	s := body(f)
	if _, ok := f.Clean([]analysis.TextEdit{f.DeleteLines(s[1]), f.Replace(s[1], "c()")}); ok {
		t.Error("accepted")
	}
}

func TestCleanCRLF(t *testing.T) {
	src := strings.ReplaceAll("package a\n\nfunc f() {\n\ta()\n\tb()\n}\n", "\n", "\r\n")
	_, f, err := open(t, src)
	if err != nil {
		t.Fatal(err)
	}
	s := body(f)
	if _, ok := f.Clean(f.MoveBefore(s[0], s[1])); !ok {
		t.Error("refused")
	}
}
