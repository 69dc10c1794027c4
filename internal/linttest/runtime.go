package linttest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// BuildsWithRuntime checks that a golden file of [Tree] compiles, and passes go
// vet, with the module runtime as it is in this repository.
func BuildsWithRuntime(t *testing.T, golden string) {
	t.Helper()
	tree := Tree(t)
	text, err := os.ReadFile(filepath.Join(tree, "src", filepath.FromSlash(golden)))
	if err != nil {
		t.Fatal(err)
	}
	module := filepath.Join(filepath.Dir(tree), "runtime")
	dir := t.TempDir()
	files := map[string]string{
		"fixed.go": string(text),
		"go.mod":   fmt.Sprintf("module example\n\ngo 1.25\n\nrequire github.com/concvet/concvet/runtime v0.0.0\n\nreplace github.com/concvet/concvet/runtime => %s\n", module),
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), "go", "vet", ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod", "GOPROXY=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
