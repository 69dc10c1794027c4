package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	if os.Getenv("CONCVET_TEST_PROBE") == "1" {
		registerProbe()
	}
	testscript.Main(m, map[string]func(){"concvet": main})
}

// TestScript runs testdata/script, one topic a file. The scripts share the Go
// build cache of the machine unless the cache is their subject.
func TestScript(t *testing.T) {
	out, err := exec.Command("go", "env", "GOCACHE", "GOMODCACHE", "GOROOT").Output()
	if err != nil {
		t.Skipf("no go command: %v", err)
	}
	caches := strings.Split(strings.TrimSpace(string(out)), "\n")
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			self, err := exec.LookPath("concvet") // testscript put it on PATH
			if err != nil {
				return err
			}
			env.Setenv("BIN", filepath.Dir(self))
			env.Setenv("CONCVET_TEST_PROBE", "1")
			env.Setenv("GOCACHE", caches[0])
			env.Setenv("GOMODCACHE", caches[1])
			env.Setenv("STD", filepath.Join(caches[2], "src")) // for what is expected
			env.Setenv("GOFLAGS", "")
			env.Setenv("GOWORK", "")
			env.Setenv("GOPROXY", "off")
			env.Setenv("GOTOOLCHAIN", "local")
			env.Setenv("GITHUB_WORKSPACE", "")
			env.Setenv("CI_PROJECT_DIR", "")
			return nil
		},
		// full ARGS runs concvet where standard output has no room, which must
		// be told in one line and give exit status 2.
		//
		// status N ARGS runs concvet and wants exit status N: "! exec" does not
		// tell 1 from 2, and here that is the point.
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"full": func(ts *testscript.TestScript, neg bool, args []string) {
				ts.Check(ts.Exec("sh", append([]string{"-c", `concvet "$@" >/dev/full 2>full; test $? = 2`, "sh"}, args...)...))
				if got, want := ts.ReadFile("full"), "concvet: cannot write to standard output: no space left on device\n"; got != want {
					ts.Fatalf("concvet %s says %q, want %q", strings.Join(args, " "), got, want)
				}
			},
			"status": func(ts *testscript.TestScript, neg bool, args []string) {
				if neg || len(args) == 0 {
					ts.Fatalf("usage: status N [arguments of concvet]")
				}
				err := ts.Exec("concvet", args[1:]...)
				got := "0"
				if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
					got = strconv.Itoa(exit.ExitCode())
				} else if err != nil {
					ts.Fatalf("concvet: %v", err)
				}
				if got != args[0] {
					ts.Fatalf("exit status %s, want %s", got, args[0])
				}
			},
		},
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
	})
}
