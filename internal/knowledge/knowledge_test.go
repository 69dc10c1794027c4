package knowledge_test

import (
	"go/importer"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/concvet/concvet/internal/effect"
	"github.com/concvet/concvet/internal/knowledge"
)

// Every row about the standard library names something that exists there, and
// its parameters and results exist too.
func TestStdRowsResolve(t *testing.T) {
	imp := importer.ForCompiler(token.NewFileSet(), "source", nil)
	checked := 0
	for _, row := range knowledge.Builtin().Rows() {
		path := knowledge.KeyPackage(row.Key)
		if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ".") {
			continue // a library: resolved against its source in the nested module
		}
		pkg, err := imp.Import(path)
		if err != nil {
			t.Errorf("%s:%d: %v", row.File, row.Line, err)
			continue
		}
		if err := knowledge.Resolve(row, pkg); err != nil {
			t.Errorf("%s:%d: %v", row.File, row.Line, err)
		}
		checked++
	}
	if checked < 100 {
		t.Errorf("only %d rows about the standard library were checked", checked)
	}
}

func TestFullNameOfGenericMethodHasNoTypeParameters(t *testing.T) {
	imp := importer.ForCompiler(token.NewFileSet(), "source", nil)
	pkg, err := imp.Import("sync/atomic")
	if err != nil {
		t.Fatal(err)
	}
	named := pkg.Scope().Lookup("Pointer").Type().(*types.Named)
	for i := range named.NumMethods() {
		if m := named.Method(i); m.Name() == "Load" {
			if got, want := knowledge.FullName(m), "(*sync/atomic.Pointer).Load"; got != want {
				t.Errorf("FullName = %q, want %q", got, want)
			}
			return
		}
	}
	t.Fatal("sync/atomic.Pointer has no Load")
}

func TestParseRowErrorsNameTheWord(t *testing.T) {
	for _, test := range []struct{ line, want string }{
		{"time.Sleep slep dur=p0", `unknown clause "slep"; did you mean "sleep"?`},
		{"time.Sleep sleep drr=p0", `unknown attribute "drr"; did you mean "dur"?`},
		{"time.Sleep", "no clause"},
		{"Sleep sleep", "no package path"},
		{"(time.Time) sleep", "no method"},
		{"x.F acquire txx r0", `unknown class "txx"; did you mean "tx"?`},
		{"x.F release q1", `"q1" is not of the form recv or p0`},
		{"x.T held tx", `write "type" before the key`},
		{"type x.T net", `a type has only the clauses "held"`},
		{"x.F net;", "empty clause"},
		{"type x.T ends r0 with p0", "of a type it is only known"},
		{"x.F ends r0 with p0 q1", `"q1" is not of the form recv or p0`},
		{"x.F ends r0 at p0 p1", "want [rN] never"},
	} {
		_, err := knowledge.ParseRow(test.line)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("ParseRow(%q) = %v, want an error with %q", test.line, err, test.want)
		}
	}
}

// "acquire" is the wait when attributes follow, and what is held otherwise.
func TestAcquireIsAnEffectOrAResult(t *testing.T) {
	row, err := knowledge.ParseRow("(*x.Sem).Acquire acquire ctx=p0 on=recv; acquire slot slot from recv err r0")
	if err != nil {
		t.Fatal(err)
	}
	if len(row.Effects) != 1 || row.Effects[0].Kind != effect.Acquire || row.Effects[0].Ctx != 0 || row.Effects[0].On != -1 {
		t.Errorf("Effects = %+v, want one acquire with ctx=p0 on=recv", row.Effects)
	}
	if len(row.Acquires) != 1 || row.Acquires[0].Class != effect.Slot || row.Acquires[0].Pool != -1 || row.Acquires[0].Err != 0 {
		t.Errorf("Acquires = %+v, want one slot from recv with err r0", row.Acquires)
	}
}

// A value may be what ends a context besides its parent.
func TestEndsWithEither(t *testing.T) {
	row, err := knowledge.ParseRow("x.F ends r0 with p0 p2")
	if err != nil {
		t.Fatal(err)
	}
	if len(row.Ends) != 1 || row.Ends[0].Param != 0 || row.Ends[0].Or != 2 {
		t.Errorf("Ends = %+v, want r0 with p0 or p2", row.Ends)
	}
	if row, err = knowledge.ParseRow("type x.T ends never"); err != nil || len(row.Ends) != 1 {
		t.Errorf("ParseRow = %+v, %v, want a type whose kept values never end", row, err)
	}
}

func FuzzParseRow(f *testing.F) {
	for _, row := range []string{
		"(*database/sql.DB).QueryContext db ctx=p0 pool=recv; acquire rows r0 from recv err r1",
		"type database/sql.Tx held tx",
		"time.Sleep sleep dur=p0 # comment",
		"x.F call p1 tx a0 from p0; go p2; same r0 recv",
	} {
		f.Add(row)
	}
	f.Fuzz(func(t *testing.T, line string) {
		row, err := knowledge.ParseRow(line)
		if err == nil && row != nil {
			if err := knowledge.CheckKey(row.Key, row.Type); err != nil {
				t.Errorf("ParseRow(%q) accepted key %q: %v", line, row.Key, err)
			}
			if knowledge.KeyPackage(row.Key) == "" {
				t.Errorf("ParseRow(%q): key %q has no package", line, row.Key)
			}
		}
	})
}
