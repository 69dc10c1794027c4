package apply

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/concvet/concvet/internal/vetrun"
)

// folder is a package in a temporary folder.
func folder(t *testing.T, files map[string]string) (*vetrun.Package, *Guard) {
	t.Helper()
	dir := t.TempDir()
	p := &vetrun.Package{ImportPath: "example.com/p", Dir: dir, Module: &vetrun.Module{Main: true, Dir: dir}}
	for name, text := range files {
		p.GoFiles = append(p.GoFiles, name)
		if err := os.WriteFile(filepath.Join(p.Dir, name), []byte(text), 0o640); err != nil {
			t.Fatal(err)
		}
	}
	g := NewGuard()
	g.Allow([]*vetrun.Package{p})
	return p, g
}

func finding(p *vetrun.Package, edits ...vetrun.Edit) vetrun.Finding {
	for i := range edits {
		if !filepath.IsAbs(edits[i].File) {
			edits[i].File = filepath.Join(p.Dir, edits[i].File)
		}
	}
	return vetrun.Finding{Package: p.ImportPath, Category: "a/x", File: edits[0].File, Line: 1,
		Fixes: []vetrun.Fix{{Title: "repair", Edits: edits}}}
}

func contents(t *testing.T, p *vetrun.Package, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(p.Dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestWrite(t *testing.T) {
	const text = "package p\n\nvar a, b = 1, 2\n"
	for name, test := range map[string]struct{ before, after string }{
		"plain":     {text, strings.Replace(text, "1", "10", 1)},
		"crlf":      {toCRLFString(text), toCRLFString(strings.Replace(text, "1", "10", 1))},
		"bom":       {"\ufeff" + text, "\ufeff" + strings.Replace(text, "1", "10", 1)},
		"no end":    {strings.TrimSuffix(text, "\n"), strings.Replace(strings.TrimSuffix(text, "\n"), "1", "10", 1)},
		"not gofmt": {strings.Replace(text, "var a", "var  a", 1), strings.Replace(strings.Replace(text, "var a", "var  a", 1), "1", "10", 1)},
	} {
		t.Run(name, func(t *testing.T) {
			p, g := folder(t, map[string]string{"a.go": test.before})
			at := strings.Index(test.before, "1")
			plan := Choose([]vetrun.Finding{finding(p, vetrun.Edit{File: "a.go", Start: at, End: at + 1, New: "10"})}, g, false)
			written, err := plan.Write()
			if err != nil || len(written.Files) != 1 || written.Fixes != 1 || len(plan.Withheld) != 0 {
				t.Fatalf("written %+v, withheld %+v, error %v", written, plan.Withheld, err)
			}
			if got := contents(t, p, "a.go"); got != test.after {
				t.Errorf("got %q, want %q", got, test.after)
			}
			if info, _ := os.Stat(filepath.Join(p.Dir, "a.go")); info.Mode().Perm() != 0o640 {
				t.Errorf("mode %v", info.Mode())
			}
			if list, _ := os.ReadDir(p.Dir); len(list) != 1 {
				t.Errorf("left behind: %v", list)
			}
		})
	}
}

func toCRLFString(s string) string { return string(toCRLF([]byte(s))) }

// An import that two fixes add is added once, and what is then not formatted
// in a formatted file is formatted.
func TestSameEditTwice(t *testing.T) {
	const text = "package p\n\nvar a, b = 1, 2\n"
	p, g := folder(t, map[string]string{"a.go": text})
	imp := vetrun.Edit{File: "a.go", Start: 9, End: 9, New: "\n\nimport   \"os\""}
	one, two := strings.Index(text, "1"), strings.Index(text, "2")
	plan := Choose([]vetrun.Finding{
		finding(p, imp, vetrun.Edit{File: "a.go", Start: one, End: one + 1, New: "os.Args"}),
		finding(p, imp, vetrun.Edit{File: "a.go", Start: two, End: two + 1, New: "os.Args"}),
	}, g, false)
	if _, err := plan.Write(); err != nil {
		t.Fatal(err)
	}
	if got, want := contents(t, p, "a.go"), "package p\n\nimport \"os\"\n\nvar a, b = os.Args, os.Args\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestRefused(t *testing.T) {
	const text = "package p\n\nvar a, b = 1, 2\n"
	p, g := folder(t, map[string]string{"a.go": text, "b.go": text, "c.go": text})
	outside := filepath.Join(t.TempDir(), "x.go")
	os.WriteFile(outside, []byte(text), 0o644)
	os.WriteFile(filepath.Join(p.Dir, "b.go"), []byte(strings.Replace(text, "1", "7", 1)), 0o640) // of the same size
	os.Chmod(filepath.Join(p.Dir, "c.go"), 0o440)
	plan := Choose([]vetrun.Finding{
		finding(p, vetrun.Edit{File: outside, Start: 0, End: 1}),
		finding(p, vetrun.Edit{File: "b.go", Start: 0, End: 1}),
		finding(p, vetrun.Edit{File: "c.go", Start: 0, End: 1}),
		finding(p, vetrun.Edit{File: "a.go", Start: 5, End: 1000}),
		finding(p, vetrun.Edit{File: "a.go", Start: -1, End: 0}),
		finding(p, vetrun.Edit{File: "a.go", Start: 1, End: 3}, vetrun.Edit{File: "a.go", Start: 2, End: 4}),
		finding(p, vetrun.Edit{File: "a.go", Start: 22, End: 23, New: "3"}, vetrun.Edit{File: "c.go", Start: 22, End: 23, New: "3"}),
	}, g, false)
	if plan.Count() != 0 || len(plan.Withheld) != 7 {
		t.Errorf("%d fixes, withheld %+v", plan.Count(), plan.Withheld)
	}
	for i, w := range plan.Withheld {
		if w.Why == "" || w.Fatal == (i == 0) {
			t.Errorf("withheld %d: %q, fatal %t", i, w.Why, w.Fatal)
		}
	}
}

// Unsafe fixes are taken only when asked for, and a safe alternative wins.
func TestUnsafe(t *testing.T) {
	p, g := folder(t, map[string]string{"a.go": "package p\n"})
	f := finding(p, vetrun.Edit{File: "a.go", Start: 0, End: 0, New: "// x\n"})
	f.Fixes[0].Unsafe = "everything"
	if n := Choose([]vetrun.Finding{f}, g, false).Count(); n != 0 {
		t.Errorf("%d unsafe fixes", n)
	}
	if n := Choose([]vetrun.Finding{f}, g, true).Count(); n != 1 {
		t.Errorf("%d fixes with unsafe ones", n)
	}
	f.Fixes = append(f.Fixes, vetrun.Fix{Title: "safe", Edits: f.Fixes[0].Edits})
	if plan := Choose([]vetrun.Finding{f}, g, true); plan.fixes[0].fix.Title != "safe" {
		t.Errorf("took %q", plan.fixes[0].fix.Title)
	}
	f.Generated = true
	if n := Choose([]vetrun.Finding{f}, g, true).Count(); n != 0 {
		t.Errorf("%d fixes of a generated file", n)
	}
}

// Verify keeps the largest set, in order, that the checker takes.
func TestVerify(t *testing.T) {
	const text = "package p\n\nvar a, b, c = 1, 2, 3\n"
	p, g := folder(t, map[string]string{"a.go": text})
	var findings []vetrun.Finding
	for _, n := range []string{"1", "2", "3"} {
		at := strings.Index(text, n)
		findings = append(findings, finding(p, vetrun.Edit{File: "a.go", Start: at, End: at + 1, New: n + "0"}))
	}
	plan := Choose(findings, g, false)
	err := plan.Verify(context.Background(), func(_ context.Context, pkgs []string, contents map[string][]byte, _ []vetrun.Finding) (map[string]string, error) {
		for _, data := range contents {
			if strings.Contains(string(data), "20") {
				return map[string]string{pkgs[0]: "20 is wrong"}, nil
			}
		}
		return nil, nil
	})
	if err != nil || plan.Count() != 2 || len(plan.Withheld) != 1 || plan.Withheld[0].Why != "after it: 20 is wrong" || !plan.Withheld[0].Fatal {
		t.Fatalf("%d fixes, withheld %+v, error %v", plan.Count(), plan.Withheld, err)
	}
	diff, err := plan.Diff(func(string) string { return "a.go" })
	if err != nil || !strings.Contains(diff, "--- a/a.go\n+++ b/a.go\n") || !strings.Contains(diff, "+var a, b, c = 10, 2, 30\n") {
		t.Errorf("diff %q, %v", diff, err)
	}
	if got := contents(t, p, "a.go"); got != text {
		t.Errorf("Verify or Diff changed the file: %q", got)
	}
}

// TestVerifyAcross holds that a fix which spoils one of another package costs
// that one only.
func TestVerifyAcross(t *testing.T) {
	const text = "package p\n\nvar a = 1\n"
	p, g := folder(t, map[string]string{"a.go": text})
	q, _ := folder(t, map[string]string{"a.go": text})
	r, _ := folder(t, map[string]string{"a.go": text})
	q.ImportPath, r.ImportPath = "example.com/q", "example.com/r"
	g.Allow([]*vetrun.Package{q, r})
	at := strings.Index(text, "1")
	edit := vetrun.Edit{File: "a.go", Start: at, End: at + 1, New: "2"}
	plan := Choose([]vetrun.Finding{finding(p, edit), finding(q, edit), finding(r, edit)}, g, false)
	err := plan.Verify(context.Background(), func(_ context.Context, pkgs []string, _ map[string][]byte, _ []vetrun.Finding) (map[string]string, error) {
		if slices.Contains(pkgs, p.ImportPath) && slices.Contains(pkgs, q.ImportPath) {
			return map[string]string{q.ImportPath: "p spoils it"}, nil
		}
		return nil, nil
	})
	if err != nil || !slices.Equal(plan.Packages(), []string{p.ImportPath, r.ImportPath}) || len(plan.Withheld) != 1 {
		t.Errorf("fixes of %q, withheld %+v, error %v", plan.Packages(), plan.Withheld, err)
	}
}

// A fix in a folder that cannot be written leaves no file changed, not even
// those of other folders.
func TestWriteAllOrNothing(t *testing.T) {
	const text = "package p\n\nvar a = 1\n"
	p, g := folder(t, map[string]string{"a.go": text})
	q, _ := folder(t, map[string]string{"b.go": text})
	q.ImportPath = "example.com/q"
	g.Allow([]*vetrun.Package{q})
	edit := vetrun.Edit{Start: len(text), End: len(text), New: "\nvar b = 2\n"}
	one, two := edit, edit
	one.File, two.File = "a.go", "b.go"
	plan := Choose([]vetrun.Finding{finding(p, one), finding(q, two)}, g, false)
	os.Rename(q.Dir, q.Dir+".gone")
	if _, err := plan.Write(); err == nil || !strings.Contains(err.Error(), "nothing was changed") {
		t.Errorf("error %v", err)
	}
	if got := contents(t, p, "a.go"); got != text {
		t.Errorf("a.go is %q", got)
	}
	if list, _ := os.ReadDir(p.Dir); len(list) != 1 {
		t.Errorf("left behind: %v", list)
	}
}

// Random edits give the same as applying them from the end of the file.
func TestEditRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	old := []byte(strings.Repeat("0123456789", 10))
	for range 2000 {
		var edits []vetrun.Edit
		want := string(old)
		for end := len(old); end > 16; {
			stop := end - rng.IntN(10)
			start := stop - rng.IntN(5)
			e := vetrun.Edit{Start: start, End: stop, New: fmt.Sprint(rng.IntN(100))}
			edits = append(edits, e)
			want = want[:start] + e.New + want[stop:]
			end = start - 1
		}
		rng.Shuffle(len(edits), func(i, j int) { edits[i], edits[j] = edits[j], edits[i] })
		if got := string(edit(old, edits)); got != want {
			t.Fatalf("edits %+v give %q, want %q", edits, got, want)
		}
	}
}

func TestLineDirectives(t *testing.T) {
	got := lineDirectives([]byte("package p\n//line ../x/a.go:3:4\nvar x /*line b.go:7*/ = 1\n// line no.go:1\n//line C:\\y\\c.y:9\n"))
	if len(got) != 3 || got[0] != "a.go" || got[1] != "b.go" {
		t.Errorf("names %q", got)
	}
}
