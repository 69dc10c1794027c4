package vetrun

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/concvet/concvet/internal/report"
)

func TestSplitPosn(t *testing.T) {
	for in, want := range map[string]struct {
		file         string
		line, column int
	}{
		"/a/b.go:3:4":     {"/a/b.go", 3, 4},
		`C:\a\b.go:3:4`:   {`C:\a\b.go`, 3, 4},
		"/x/gen.y:100":    {"/x/gen.y", 100, 0},
		"/x/a:7/b.go:1":   {"/x/a:7/b.go", 1, 0},
		"net/http/c.go:9": {"net/http/c.go", 9, 0},
		"-":               {"-", 0, 0},
		"":                {"", 0, 0},
	} {
		file, line, column := splitPosn(in)
		if file != want.file || line != want.line || column != want.column {
			t.Errorf("splitPosn(%q) = %q, %d, %d", in, file, line, column)
		}
	}
}

func TestDecode(t *testing.T) {
	wire, err := json.Marshal(report.Message{
		V: report.WireVersion, Tier: report.Audit, Text: "held", Symbol: "(*S).Get", Fingerprint: "f",
		Frames: []report.Frame{{Pos: "p.go:3", Text: "calls"}}, Test: true,
		Unsafe: map[string]string{"second": "the order"},
	})
	if err != nil {
		t.Fatal(err)
	}
	stream := `{}
	{"example.com/p [example.com/p.test]": {"holdacross": [{
		"category": "holdacross/lock-blocking", "posn": "/m/p.go:3:4", "end": "/m/p.go:5:1", "message": ` + quote(string(wire)) + `,
		"suggested_fixes": [{"message": "first", "edits": [{"filename": "/m/p.go", "start": 1, "end": 2, "new": "x"}]}, {"message": "second"}]}]}}
	{"example.com/q": {"other": {"error": "failed\nwith a trace"}, "plain": [{
		"posn": "/m/q.y:7", "end": "/m/other.go:1:1", "message": "a plain text", "related": [{"posn": "/m/q.go:8:1", "message": "here"}]}]}}`
	findings, problems, err := decode(strings.NewReader(stream))
	if err != nil || len(findings) != 2 || len(problems) != 1 {
		t.Fatalf("findings %+v, problems %+v, error %v", findings, problems, err)
	}
	f := findings[0]
	if f.Package != "example.com/p" || f.Tier != report.Audit || f.Text != "held" || f.Symbol != "(*S).Get" || !f.Test ||
		f.Line != 3 || f.Column != 4 || f.EndLine != 5 || len(f.Frames) != 1 {
		t.Errorf("wire finding %+v", f)
	}
	if len(f.Fixes) != 2 || f.Fixes[0].Unsafe != "" || f.Fixes[1].Unsafe != "the order" || f.Fixes[0].Edits[0] != (Edit{"/m/p.go", 1, 2, "x"}) {
		t.Errorf("fixes %+v", f.Fixes)
	}
	g := findings[1]
	if g.Category != "plain" || g.Text != "a plain text" || g.Line != 7 || g.EndLine != 7 || g.Tier != report.Default || g.Frames[0].File != "/m/q.go" || g.Frames[0].Line != 8 {
		t.Errorf("plain finding %+v", g)
	}
	if p := problems[0]; !p.Internal || p.Text != "internal error in other on example.com/q: failed" {
		t.Errorf("problem %+v", p)
	}
}

func TestDecodeGarbage(t *testing.T) {
	for _, in := range []string{`{"p": `, `hello`, `{"p": {"a": 7}}`, `[1]`, `{"p": {"a": [7]}}`} {
		if _, _, err := decode(strings.NewReader(in)); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("decode(%q): error %v, want one line", in, err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(`{"p": {"a": [{"posn": "x:1:2", "message": "{\"v\":1}"}]}}`)
	f.Fuzz(func(t *testing.T, s string) { decode(strings.NewReader(s)) })
}

func TestParseStderr(t *testing.T) {
	for name, test := range map[string]struct {
		in    string
		early bool
		want  []string
	}{
		"type error":     {"# example.com/p\n# [example.com/p]\np/p.go:3:4: undefined: x\n", false, []string{"/d/p/p.go:3:4: undefined: x"}},
		"compile error":  {"# example.com/p\n./p.go:3:4: undefined: x\n./p.go:5:4: undefined: y\n./p.go:5:4: too many errors\n", false, []string{"/d/p.go:3:4: undefined: x"}},
		"both variants":  {"# example.com/p\np.go:3:4: undefined: x\n# example.com/p [example.com/p.test]\np.go:3:4: undefined: x\n", false, []string{"/d/p.go:3:4: undefined: x"}},
		"missing import": {"go: downloading a v1\nm.go:2:8: no required module provides package q; to add it:\n\tgo get q\n", true, []string{"/d/m.go:2:8: no required module provides package q; to add it: go get q"}},
		"crash":          {"# p\npanic: boom\n\ngoroutine 1 [running]:\nmain.x()\n\t/x.go:3\n# q\nconcvet: could not import p (no package vetx file for \"p\")\n", false, []string{"internal error on p: boom; please report it with the output of -v"}},
		"overflow":       {"# p\nruntime: goroutine stack exceeds 1000000000-byte limit\nfatal error: stack overflow\n", false, []string{"internal error on p: runtime: goroutine stack exceeds 1000000000-byte limit; please report it with the output of -v"}},
		"go.mod":         {"go: errors parsing go.mod:\ngo.mod:3: unknown directive: foo\n", true, []string{"errors parsing go.mod:", "/d/go.mod:3: unknown directive: foo"}},
		"newer go":       {"# p\nvet: ./p.go:1:1: package requires newer Go version go1.27 (application built with go1.26)\n", false, []string{"/d/p.go:1:1: package requires newer Go version go1.27 (application built with go1.26); rebuild concvet with that version of Go"}},
		"nothing":        {"\n\n\t\n", false, nil},
		"indented first": {"\tgo get q\n", true, []string{"\tgo get q"}},
	} {
		problems, early := parseStderr(test.in, "/d")
		var got []string
		for _, p := range problems {
			pos := ""
			if p.File != "" {
				pos = p.File
				for _, n := range []int{p.Line, p.Column} {
					if n > 0 {
						pos += ":" + itoa(n)
					}
				}
				pos += ": "
			}
			got = append(got, pos+p.Text)
		}
		if strings.Join(got, "\n") != strings.Join(test.want, "\n") || early != test.early {
			t.Errorf("%s: got %q, early %t", name, got, early)
		}
	}
}

func itoa(n int) string { data, _ := json.Marshal(n); return string(data) }

func quote(s string) string { data, _ := json.Marshal(s); return string(data) }

func TestMerge(t *testing.T) {
	a := Finding{File: "/m/a.go", Line: 2, Category: "c", Text: "t", Package: "p"}
	b := a
	b.Package = "p_test"
	c := a
	c.Line = 1
	if got := Merge([]Finding{a, b, c}); len(got) != 2 || got[0].Line != 1 {
		t.Errorf("Merge = %+v", got)
	}
}

func TestRestore(t *testing.T) {
	p := &Package{Dir: "/m/p", GoFiles: []string{"a.go"}}
	for in, want := range map[string]string{
		"/tmp/concvet-overlay-123/0/a.go": "/m/p/a.go",
		"/tmp/concvet-overlay-123/0/b.y":  "/m/p/b.y", // a //line directive of a.go names it
		"/tmp/concvet-overlay-123/0/s/b":  "/m/p/s/b",
		"/tmp/other/0/a.go":               "/tmp/other/0/a.go",
		"/m/p/a.go":                       "/m/p/a.go",
		"":                                "",
	} {
		if got := p.real(in); got != want {
			t.Errorf("real(%q) = %q, want %q", in, got, want)
		}
	}
}
