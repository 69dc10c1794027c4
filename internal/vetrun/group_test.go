//go:build linux

package vetrun

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// A go command is the leader of a process group, and a question to the terminal
// does not stop what is in it.
func TestGroup(t *testing.T) {
	dir := t.TempDir()
	const script = "#!/bin/sh\necho $$\ncut -d' ' -f5 /proc/$$/stat\nsed -n 's/^SigIgn:[[:space:]]*//p' /proc/$$/status\n"
	if err := os.WriteFile(filepath.Join(dir, "go"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	out, stderr, err := run(context.Background(), Target{Dir: dir}, "list")
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr)
	}
	lines := strings.Fields(string(out))
	if len(lines) != 3 {
		t.Fatalf("got %q", lines)
	}
	if lines[0] != lines[1] {
		t.Errorf("process %s is in the group %s", lines[0], lines[1])
	}
	mask, err := strconv.ParseUint(lines[2], 16, 64)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []syscall.Signal{syscall.SIGTTIN, syscall.SIGTTOU} {
		if mask>>(s-1)&1 == 0 {
			t.Errorf("%v is not ignored", s)
		}
	}
}
