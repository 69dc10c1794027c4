package newcode

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTouch holds which lines a patch makes new, with and without context.
func TestTouch(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "f.go"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name, patch string
		fresh       []int
	}{
		{"added", "@@ -2,0 +3,2 @@\n+x\n+y\n", []int{3, 4}},
		{"replaced", "@@ -5 +5 @@\n-x\n+y\n", []int{5}},
		{"taken away", "@@ -5,2 +4,0 @@\n-x\n-y\n", []int{4, 5}},
		{"taken away, with context", "@@ -4,3 +4,2 @@\n a\n-x\n b\n", []int{4, 5}},
		{"twice", "@@ -1,0 +1 @@\n+x\n@@ -7,0 +9 @@\n+x\n", []int{1, 9}},
		{"nothing", "", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := ""
			if test.patch != "" {
				text = "diff --git a/f.go b/f.go\n--- a/f.go\n+++ b/f.go\n" + test.patch
			}
			lines, err := ReadPatch(strings.NewReader(text), dir)
			if err != nil {
				t.Fatal(err)
			}
			want := map[int]bool{}
			for _, n := range test.fresh {
				want[n] = true
			}
			for n := 1; n < 12; n++ {
				if got := lines.Touch(filepath.Join(dir, "f.go"), n, n); got != want[n] {
					t.Errorf("line %d: new is %t, want %t", n, got, want[n])
				}
			}
			if lines.Touch(filepath.Join(dir, "g.go"), 1, 100) {
				t.Error("a file that the patch does not name is new")
			}
		})
	}
}

// TestNotPatch holds that what cannot be read is an error, never "nothing is new".
func TestNotPatch(t *testing.T) {
	for _, text := range []string{
		"package p\n",
		"@@ -1 +1 @@\n-x\n+y\n",
		"diff --git a/gone.go b/gone.go\n--- a/gone.go\n+++ b/gone.go\n@@ -1 +1 @@\n-x\n+y\n",
		"diff --git a/f.go b/f.go\n--- a/f.go\n+++ b/f.go\n@@ -1,5 +1,9 @@\n-x\n+y\n",
	} {
		if _, err := ReadPatch(strings.NewReader(text), t.TempDir()); err == nil {
			t.Errorf("no error for\n%s", text)
		}
	}
}
