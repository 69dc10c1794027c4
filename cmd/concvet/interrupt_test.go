//go:build unix

package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// interruptible starts concvet in a module and waits until the tool that it has
// started waits itself, as ProbeWait does once a/a.go calls Done.
func interruptible(t *testing.T, a string, args ...string) (cmd *exec.Cmd, stderr *bytes.Buffer, tool int) {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("m/go.mod", "module example.com/m\n\ngo 1.26\n")
	write("m/a/a.go", a)
	write("m/b/b.go", "package b\n\nimport \"example.com/m/a\"\n\nfunc f() { ProbeWait(); a.F() }\n\nfunc ProbeWait() {}\n")
	write("temp/.keep", "")
	self, err := exec.LookPath("concvet") // testscript put it on PATH
	if err != nil {
		t.Fatal(err)
	}
	cmd = exec.Command(self, args...)
	cmd.Dir = filepath.Join(dir, "m")
	waiting := filepath.Join(dir, "waiting")
	cmd.Env = append(cmd.Environ(), "CONCVET_TEST_PROBE=1", "CONCVET_TEST_WAITING="+waiting, "TMPDIR="+filepath.Join(dir, "temp"), "GOTMPDIR=", "GOFLAGS=", "GOWORK=")
	stderr = new(bytes.Buffer)
	cmd.Stderr = stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for range 600 {
		if data, err := os.ReadFile(waiting); err == nil && len(data) > 0 {
			if tool, err = strconv.Atoi(string(data)); err != nil {
				t.Fatal(err)
			}
			return cmd, stderr, tool
		}
		time.Sleep(100 * time.Millisecond)
	}
	cmd.Process.Kill()
	cmd.Wait()
	t.Fatalf("concvet never came to ProbeWait; it says %s", stderr)
	return nil, nil, 0
}

// ended sends a signal to concvet alone and checks that all that it has started
// is gone, and every temporary file with it.
func ended(t *testing.T, cmd *exec.Cmd, stderr *bytes.Buffer, tool int, s syscall.Signal) {
	t.Helper()
	started := time.Now()
	if err := cmd.Process.Signal(s); err != nil {
		t.Fatal(err)
	}
	err := cmd.Wait()
	if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) || exit.ExitCode() != 128+int(s) {
		t.Errorf("after %v: %v, want exit status %d", s, err, 128+int(s))
	}
	if took := time.Since(started); took > 4*time.Second {
		t.Errorf("it took %v", took)
	}
	if got := stderr.String(); got != "concvet: interrupted\n" {
		t.Errorf("standard error: %q", got)
	}
	if alive(tool) {
		t.Errorf("the tool is still running")
	}
	temp := filepath.Join(filepath.Dir(cmd.Dir), "temp")
	for _, dir := range []string{temp, cmd.Dir, filepath.Join(cmd.Dir, "a")} {
		list, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range list {
			if name := e.Name(); dir == temp && name != ".keep" || strings.HasPrefix(name, ".concvet") {
				t.Errorf("left behind in %s: %s", dir, name)
			}
		}
	}
}

// alive reports whether a process runs. One that is dead and was not collected
// by the first process of the machine does not.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err != nil || !strings.Contains(string(stat), ") Z ")
}

func TestInterrupt(t *testing.T) {
	const a = "package a\n\nfunc F() { Done() }\n\nfunc Done() {}\n"
	for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		for _, args := range [][]string{
			{"./..."},
			{"-format", "json=out.json", "./..."},
			{"baseline", "create"},
		} {
			t.Run(s.String()+" "+args[0], func(t *testing.T) {
				cmd, stderr, tool := interruptible(t, a, args...)
				ended(t, cmd, stderr, tool, s)
			})
		}
	}
}

// Fixes that are written are taken back if it is not known yet whether what
// imports them compiles.
func TestInterruptFix(t *testing.T) {
	const a = "package a\n\nfunc F() { ProbeFix() }\n\nfunc ProbeFix() {}\n\nfunc Done() {}\n"
	cmd, stderr, tool := interruptible(t, a, "-fix", "./...")
	file := filepath.Join(cmd.Dir, "a", "a.go")
	if data, err := os.ReadFile(file); err != nil || !strings.Contains(string(data), "{ Done() }") {
		t.Fatalf("%v; before the signal a.go is %q", err, data)
	}
	ended(t, cmd, stderr, tool, syscall.SIGINT)
	if data, err := os.ReadFile(file); err != nil || string(data) != a {
		t.Errorf("%v; a.go is %q", err, data)
	}
}

// The language server ends although its editor keeps the connection open.
func TestInterruptServer(t *testing.T) {
	self, err := exec.LookPath("concvet") // testscript put it on PATH
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, "lsp")
	cmd.Dir = t.TempDir()
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kill := time.AfterFunc(30*time.Second, func() { cmd.Process.Kill() })
	defer kill.Stop()
	const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}`
	if _, err := stdin.Write([]byte("Content-Length: " + strconv.Itoa(len(initialize)) + "\r\n\r\n" + initialize)); err != nil {
		t.Fatal(err)
	}
	if n, err := stdout.Read(make([]byte, 1<<16)); n == 0 {
		t.Fatalf("no answer: %v", err)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	err = cmd.Wait()
	if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) || exit.ExitCode() != 128+int(syscall.SIGTERM) {
		t.Errorf("%v, want exit status 143", err)
	}
	stdin.Close()
}
