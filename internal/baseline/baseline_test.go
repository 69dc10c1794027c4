package baseline

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/concvet/concvet/internal/vetrun"
)

func finding(dir, name, category, symbol string, line int) vetrun.Finding {
	return vetrun.Finding{File: filepath.Join(dir, filepath.FromSlash(name)), Category: category, Symbol: symbol, Line: line}
}

func touch(t *testing.T, dir, name string) {
	t.Helper()
	file := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestMatch(t *testing.T) {
	dir := t.TempDir()
	touch(t, dir, "a/a.go")
	touch(t, dir, "a/new.go")
	l := New(filepath.Join(dir, FileName))
	for _, f := range []vetrun.Finding{
		finding(dir, "a/a.go", "x/y", "F", 3),
		finding(dir, "a/a.go", "x/y", "F", 9),
		finding(dir, "a/old.go", "x/y", "G", 9),
		finding(dir, "b/b.go", "x/y", "", 1),
	} {
		l.Add(f)
	}
	covered, left := l.Match([]vetrun.Finding{
		finding(dir, "a/a.go", "x/y", "F", 103),
		finding(dir, "a/a.go", "x/z", "F", 104), // another category
		finding(dir, "a/a.go", "x/y", "F", 105),
		finding(dir, "a/a.go", "x/y", "F", 106),   // one more than there were
		finding(dir, "a/new.go", "x/y", "G", 2),   // renamed
		finding(dir, "a/new.go", "x/y", "G", 4),   // and one more
		finding(dir, "c/other.go", "x/y", "G", 4), // neither the folder nor the name
	})
	if want := []bool{true, false, true, false, true, false, false}; !slices.Equal(covered, want) {
		t.Errorf("covered %v, want %v", covered, want)
	}
	if left.Len() != 1 || l.Len() != 4 {
		t.Errorf("%d are left of %d, want 1 of 4: %q", left.Len(), l.Len(), left.Lines())
	}
}

// TestStale holds that an entry is called stale only if its finding would have
// been seen.
func TestStale(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a/a.go", "a/a_windows.go", "b/b.go"} {
		touch(t, dir, name)
	}
	l := New(filepath.Join(dir, FileName))
	for _, name := range []string{"a/a.go", "a/a_windows.go", "a/gone.go", "b/b.go", "b/gone.go", "gone/gone.go"} {
		l.Add(finding(dir, name, "x/y", "F", 1))
	}
	seen := NewCoverage()
	seen.Add(filepath.Join(dir, "a"), []string{"a.go"})
	_, left := l.Match(nil)
	stale := left.Stale(seen)
	if want := []string{"a/a.go: x/y in F (1)", "a/gone.go: x/y in F (1)", "gone/gone.go: x/y in F (1)"}; !slices.Equal(stale.Lines(), want) {
		t.Errorf("stale are %q, want %q", stale.Lines(), want)
	}
	if rest := l.Without(stale); rest.Len() != 3 {
		t.Errorf("left are %q", rest.Lines())
	}
}

func TestRoundTrip(t *testing.T) {
	dir := t.TempDir()
	l := New(filepath.Join(dir, FileName))
	for _, symbol := range []string{"", "F", "(*T[K]).F", "<&>"} {
		l.Add(finding(dir, "a b/größe.go", "x/y", symbol, 1))
	}
	data, err := l.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(l.File, data, 0o666); err != nil {
		t.Fatal(err)
	}
	again, err := Load(l.File)
	if err != nil {
		t.Fatal(err)
	}
	if text, _ := again.Marshal(); !bytes.Equal(text, data) {
		t.Errorf("read back:\n%s\nwritten:\n%s", text, data)
	}
}
