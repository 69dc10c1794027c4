package unboundedqueue_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/concvet/concvet/internal/linttest"
)

// The fix does what it says: under a burst of 2,000 messages no more goroutines
// run than there are slots, and all messages are handled.
func TestUnderLoad(t *testing.T) {
	file := filepath.Join(linttest.Tree(t), "src", "unboundedqueue", "fix", "underload", "underload.go")
	if before := most(t, file); before <= 500 {
		t.Errorf("before the fix at most %d goroutines ran, want hundreds", before)
	}
	if after := most(t, file+".golden"); after > 64 || after < 2 {
		t.Errorf("after the fix at most %d goroutines ran, want no more than 64", after)
	}
}

// most runs a program that prints how many goroutines ran at the same time.
func most(t *testing.T, source string) int {
	t.Helper()
	text, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(name, text, 0o666); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "run", name).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	n, err := strconv.Atoi(strings.TrimSpace(string(out)))
	if err != nil {
		t.Fatal(err)
	}
	return n
}
