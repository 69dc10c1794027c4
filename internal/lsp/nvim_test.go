package lsp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/tools/txtar"
)

// build builds the command once for all tests of this package.
var build = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "concvet")
	if err != nil {
		return "", err
	}
	builtIn = dir
	name := filepath.Join(dir, "concvet")
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	cmd := exec.Command("go", "build", "-o", name, "github.com/concvet/concvet/cmd/concvet")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %v\n%s", err, out)
	}
	return name, nil
})

var builtIn string

func TestMain(m *testing.M) {
	code := m.Run()
	if builtIn != "" {
		os.RemoveAll(builtIn)
	}
	os.Exit(code)
}

// unpack writes the files of an archive below a new folder. Its last element is
// unlike any other's, so that the processes of this test can be told.
func unpack(t testing.TB, name string) string {
	t.Helper()
	dir := t.TempDir()
	archive, err := txtar.ParseFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.Files {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// need finds a program. CONCVET_NEEDS lists those that must be there, so that
// a missing one is no pass where it was installed for the tests.
func need(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err == nil {
		return path
	}
	if slices.Contains(strings.Split(os.Getenv("CONCVET_NEEDS"), ","), name) {
		t.Fatal(err)
	}
	t.Skipf("%s is not installed", name)
	return ""
}

// The cases in testdata/nvim, each in a Neovim of its own.
func TestNeovim(t *testing.T) {
	nvim := need(t, "nvim")
	concvet, err := build()
	if err != nil {
		t.Fatal(err)
	}
	here, err := filepath.Abs(filepath.Join("testdata", "nvim"))
	if err != nil {
		t.Fatal(err)
	}
	cases, err := filepath.Glob(filepath.Join(here, "*.lua"))
	if err != nil || len(cases) < 11 {
		t.Fatalf("%d cases, %v", len(cases), err)
	}
	for _, path := range cases {
		name := strings.TrimSuffix(filepath.Base(path), ".lua")
		if name == "session" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			if name == "gopls" {
				need(t, "gopls")
			}
			dir := unpack(t, "web.txtar")
			runNeovim(t, nvim, concvet, here, path, dir)
			if name == "kill" {
				noneLeft(t, dir)
			}
		})
	}
}

func runNeovim(t *testing.T, nvim, concvet, here, path, dir string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	script := filepath.Join(t.TempDir(), "run.lua")
	text := fmt.Sprintf(`local ok, err = xpcall(function() loadfile(%q)(loadfile(%q)()) end, debug.traceback)
io.stdout:write(ok and 'case passed' or err .. '\n' .. vim.api.nvim_exec('messages', true))
vim.cmd(ok and 'qa!' or 'cquit!')
`, path, filepath.Join(here, "session.lua"))
	if err := os.WriteFile(script, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(ctx, nvim, "--headless", "-u", "NONE", "-i", "NONE", "-n", "-c", "luafile "+script)
	cmd.Dir = dir
	home := t.TempDir()
	cmd.Env = append(os.Environ(), "CONCVET="+concvet, "XDG_CACHE_HOME="+home, "XDG_DATA_HOME="+home, "XDG_STATE_HOME="+home, "GOFLAGS=", "GOWORK=off", "GOCACHE="+goEnv(t, "GOCACHE"))
	cmd.WaitDelay = time.Second
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil || !strings.Contains(out.String(), "case passed") {
		t.Fatalf("%v\n%s", err, out.Bytes())
	}
}

func goEnv(t testing.TB, name string) string {
	t.Helper()
	out, err := exec.Command("go", "env", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// noneLeft waits until no process runs in dir or names it.
func noneLeft(t testing.TB, dir string) {
	t.Helper()
	var left []string
	for range 600 {
		procs, err := filepath.Glob("/proc/[0-9]*")
		if err != nil || len(procs) == 0 {
			t.Skip("there is no /proc")
		}
		left = nil
		for _, p := range procs {
			cwd, err := os.Readlink(filepath.Join(p, "cwd"))
			if err == nil && strings.HasPrefix(cwd, dir) {
				line, err := os.ReadFile(filepath.Join(p, "cmdline"))
				if !errors.Is(err, os.ErrNotExist) && len(line) > 0 {
					left = append(left, strings.ReplaceAll(string(line), "\x00", " "))
				}
			}
		}
		if len(left) == 0 {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Errorf("still running: %q", left)
}
