package main

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// An action is what the test needs of action.yml.
type action struct {
	Inputs map[string]struct{ Default string }
	Runs   struct {
		Steps []struct {
			Name, Shell, Run string
			Env              map[string]string
		}
	}
}

var expression = regexp.MustCompile(`^\$\{\{ ([a-z._-]+) \}\}$`)

// TestAction runs the steps of action.yml as GitHub would, with bash -e, in a
// repository with an old finding and a new one.
func TestAction(t *testing.T) {
	for _, program := range []string{"bash", "git", "go"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("no %s", program)
		}
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(root, "action.yml"))
	if err != nil {
		t.Fatal(err)
	}
	var a action
	if err := yaml.Unmarshal(data, &a); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"} {
		if value, ok := os.LookupEnv(name); ok { // the tests run in a hook
			t.Setenv(name, value)
			os.Unsetenv(name)
		}
	}
	repo := oldAndNew(t)
	temp := t.TempDir()
	// run runs all steps and returns the output of the last and its exit status.
	run := func(first int, context map[string]string) (string, int) {
		t.Helper()
		values := map[string]string{"github.action_path": root, "github.base_ref": "", "runner.temp": temp}
		for name, input := range a.Inputs {
			values["inputs."+name] = input.Default
		}
		maps.Copy(values, context)
		for i, step := range a.Runs.Steps[first:] {
			if step.Shell != "bash" || strings.Contains(step.Run, "${{") {
				t.Fatalf("%s: a step takes inputs from its environment only, else they are code", step.Name)
			}
			cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step.Run)
			cmd.Dir = repo
			cmd.Env = append(os.Environ(), "RUNNER_TEMP="+temp, "GITHUB_WORKSPACE="+repo, "GITHUB_STEP_SUMMARY="+filepath.Join(temp, "summary.md"), "GOFLAGS=", "GOWORK=")
			for _, name := range slices.Sorted(maps.Keys(step.Env)) {
				m := expression.FindStringSubmatch(step.Env[name])
				if m == nil {
					t.Fatalf("%s: %s is not one expression", step.Name, name)
				}
				value, ok := values[m[1]]
				if !ok {
					t.Fatalf("%s: %s is no value that this test knows", step.Name, m[1])
				}
				cmd.Env = append(cmd.Env, name+"="+value)
			}
			out, err := cmd.CombinedOutput()
			if err != nil || first+i == len(a.Runs.Steps)-1 {
				return string(out), cmd.ProcessState.ExitCode()
			}
		}
		return "", -1
	}
	out, status := run(0, map[string]string{"inputs.sarif": "out/concvet.sarif", "inputs.working-directory": "service"})
	if status != 1 || strings.Count(out, "::warning file=service/s.go,line=") != 2 {
		t.Errorf("status %d, want 1 and two findings:\n%s", status, out)
	}
	if _, err := os.Stat(filepath.Join(repo, "out/concvet.sarif")); err != nil {
		t.Error(err)
	}
	if summary, err := os.ReadFile(filepath.Join(temp, "summary.md")); err != nil || !strings.Contains(string(summary), "2 findings") {
		t.Errorf("summary %q, %v", summary, err)
	}
	out, status = run(1, map[string]string{"inputs.only-new": "true", "github.base_ref": "main", "inputs.working-directory": "service", "inputs.packages": "./... ."})
	if status != 1 || strings.Count(out, "::warning") != 1 || !strings.Contains(out, "line=16") {
		t.Errorf("status %d, want 1 and the new finding:\n%s", status, out)
	}
	out, status = run(1, map[string]string{"inputs.args": "-checks nodeadline -exit-zero", "inputs.working-directory": "service"})
	if status != 0 || strings.Contains(out, "::warning") {
		t.Errorf("status %d, want 0 and nothing:\n%s", status, out)
	}
}

// oldAndNew is a clone of a repository whose main branch has one finding, and
// HEAD another one.
func oldAndNew(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	origin, clone := filepath.Join(dir, "origin"), filepath.Join(dir, "clone")
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	git := func(where string, args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", where, "-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", args, err, out)
		}
	}
	const code = "package s\n\nimport (\n\t\"sync\"\n\t\"time\"\n)\n\nvar mu sync.Mutex\n\nfunc F() {\n\tmu.Lock()\n\tdefer mu.Unlock()\n\ttime.Sleep(time.Second)\n"
	write(filepath.Join(origin, "service/go.mod"), "module example.com/s\n\ngo 1.26\n")
	write(filepath.Join(origin, "service/s.go"), code+"}\n")
	git(origin, "init", "-q", "-b", "main")
	git(origin, "add", ".")
	git(origin, "commit", "-q", "-m", "old")
	git(dir, "clone", "-q", origin, clone)
	write(filepath.Join(clone, "service/s.go"), code+"\n\tprintln()\n\ttime.Sleep(time.Minute)\n}\n")
	if err := os.Mkdir(filepath.Join(clone, "out"), 0o777); err != nil {
		t.Fatal(err)
	}
	git(clone, "commit", "-q", "-a", "-m", "new")
	return clone
}
