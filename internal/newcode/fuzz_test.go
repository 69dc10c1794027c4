package newcode

import (
	"strings"
	"testing"
)

// FuzzReadPatch holds that no patch, however broken, ends the program.
func FuzzReadPatch(f *testing.F) {
	f.Add("diff --git a/f.go b/f.go\n--- a/f.go\n+++ b/f.go\n@@ -1 +1,2 @@\n x\n+y\n")
	f.Add("--- f.go\n+++ f.go\n@@ -1,3 +1 @@\n-x\n-y\n z\n\\ No newline at end of file\n")
	f.Add("diff --git \"a/gr\\303\\266\\303\\237e.go\" \"b/gr\\303\\266\\303\\237e.go\"\nrename from x\nrename to y\n")
	f.Add("diff --git a/b b/b\nGIT binary patch\nliteral 4\nLc${NkU|?Yc0ssI2\n\nliteral 0\nHc$@<O00001\n\n")
	f.Fuzz(func(t *testing.T, text string) {
		lines, err := ReadPatch(strings.NewReader(text), t.TempDir())
		if err == nil && lines == nil {
			t.Error("neither lines nor an error")
		}
	})
}
