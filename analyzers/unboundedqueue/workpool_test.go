package unboundedqueue_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/concvet/concvet/internal/linttest"
)

// The second fix compiles against the module that it names.
func TestWorkpoolBuilds(t *testing.T) {
	golden, err := os.ReadFile(filepath.Join(linttest.Tree(t), "src/unboundedqueue/fix/workpool/workpool.go.second.golden"))
	if err != nil {
		t.Fatal(err)
	}
	module, err := filepath.Abs("../../runtime")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	files := map[string]string{
		"workpool.go": string(golden),
		"go.mod":      fmt.Sprintf("module example\n\ngo 1.25\n\nrequire github.com/concvet/concvet/runtime v0.0.0\n\nreplace github.com/concvet/concvet/runtime => %s\n", module),
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
