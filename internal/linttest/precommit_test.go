package linttest_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// A shell runs programs in a folder, with an environment for all of them.
type shell struct {
	t   *testing.T
	dir string
	env []string
}

// run runs a program that must end with the given status.
func (s *shell) run(status int, name string, args ...string) string {
	s.t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = s.dir, s.env
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		s.t.Fatal(err)
	}
	if got := cmd.ProcessState.ExitCode(); got != status {
		s.t.Fatalf("%s %s ended with %d, want %d\n%s", name, strings.Join(args, " "), got, status, out)
	}
	return string(out)
}

func (s *shell) git(args ...string) string { s.t.Helper(); return s.run(0, "git", args...) }

func (s *shell) write(name, text string) {
	s.t.Helper()
	path := filepath.Join(s.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

func (s *shell) read(name string) string {
	s.t.Helper()
	data, err := os.ReadFile(filepath.Join(s.dir, filepath.FromSlash(name)))
	if err != nil {
		s.t.Fatal(err)
	}
	return string(data)
}

// needs finds a program. CONCVET_NEEDS lists those that must be there, so that a
// missing one is no pass where it was installed for the tests.
func needs(t *testing.T, name string) {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		if slices.Contains(strings.Split(os.Getenv("CONCVET_NEEDS"), ","), name) {
			t.Fatal(err)
		}
		t.Skipf("%s is not installed", name)
	}
}

// newHooks makes a repository of this tree as it is, with the tag v0.1.0, and one of
// a user that has its hooks and the files of an archive.
func newHooks(t *testing.T) *shell {
	t.Helper()
	goEnv := func(name string) string {
		out, err := exec.Command("go", "env", name).Output()
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(string(out))
	}
	home := t.TempDir()
	// pre-commit installs concvet below a GOPATH of its own; what is here already
	// need not be fetched again.
	s := &shell{t: t, dir: t.TempDir(), env: append(os.Environ(),
		"HOME="+home, "PRE_COMMIT_HOME="+filepath.Join(home, "pre-commit"), "PRE_COMMIT_COLOR=never",
		"GOCACHE="+goEnv("GOCACHE"), "GOPROXY=file://"+filepath.Join(goEnv("GOMODCACHE"), "cache", "download")+","+goEnv("GOPROXY"),
		"GOFLAGS=", "GOWORK=", "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com",
	)}
	for _, name := range []string{"GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"} { // this test may run in a hook itself
		s.env = slices.DeleteFunc(s.env, func(e string) bool { return strings.HasPrefix(e, name+"=") })
	}

	tool := &shell{t: t, dir: t.TempDir(), env: s.env}
	here := &shell{t: t, dir: root, env: s.env}
	here.git("config", "--global", "--add", "safe.directory", "*")
	for name := range strings.SplitSeq(strings.TrimSuffix(here.git("ls-files", "-z", "--cached", "--others", "--exclude-standard"), "\x00"), "\x00") {
		data, err := os.ReadFile(filepath.Join(root, name))
		if os.IsNotExist(err) {
			continue // removed, not yet committed
		}
		if err != nil {
			t.Fatal(err)
		}
		tool.write(name, string(data))
	}
	tool.git("init", "-q")
	tool.git("add", "-A")
	tool.git("commit", "-qm", "tree")
	tool.git("tag", "v0.1.0")

	archive, err := txtar.ParseFile(filepath.Join("testdata", "precommit.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.Files {
		s.write(f.Name, strings.ReplaceAll(string(f.Data), "REPO", tool.dir))
	}
	s.git("init", "-q")
	s.git("add", "-A")
	s.git("commit", "-qm", "start")
	return s
}

// The hooks as pre-commit really runs them, from a tag, on a repository of two
// modules without one at its root.
func TestPreCommit(t *testing.T) {
	if testing.Short() || runtime.GOOS == "windows" {
		t.Skip("installs concvet as pre-commit does")
	}
	needs(t, "pre-commit")
	s := newHooks(t)
	finding := func(out, place string) {
		t.Helper()
		if !strings.Contains(out, place) {
			t.Errorf("no finding at %s:\n%s", place, out)
		}
	}

	// All files of both modules in one call.
	out := s.run(1, "pre-commit", "run", "concvet", "--all-files")
	finding(out, "one/hub/hub.go:14:2: ")
	finding(out, "two/web.go:7:9: ")
	// Only the packages of the files that are named.
	if out = s.run(1, "pre-commit", "run", "concvet", "--files", "two/web.go"); strings.Contains(out, "hub.go") {
		t.Errorf("more than the named package:\n%s", out)
	}
	s.run(0, "pre-commit", "run", "concvet", "--files", "one/clean/clean.go")
	// Test data is no package.
	s.run(0, "pre-commit", "run", "concvet", "--files", "one/testdata/broken.go")
	// A changed configuration concerns every module.
	out = s.run(1, "pre-commit", "run", "concvet-full", "--hook-stage", "manual", "--files", "one/.concvet.yaml")
	finding(out, "one/hub/hub.go:14:2: ")
	finding(out, "two/web.go:7:9: ")

	// Fixes: the hook fails since it has changed something, and then passes.
	out = s.run(1, "pre-commit", "run", "concvet-fix", "--hook-stage", "manual", "--files", "two/web.go")
	if !strings.Contains(out, "files were modified by this hook") || !strings.Contains(s.read("two/web.go"), "ReadHeaderTimeout") {
		t.Errorf("not fixed:\n%s", out)
	}
	s.run(0, "pre-commit", "run", "concvet-fix", "--hook-stage", "manual", "--files", "two/web.go")
	s.git("add", "-A")

	// A real commit, in a worktree: git sets GIT_DIR for the hook.
	s.git("commit", "-qm", "fixed")
	s.run(0, "pre-commit", "install")
	tree := &shell{t: t, dir: filepath.Join(t.TempDir(), "tree"), env: s.env}
	s.git("worktree", "add", "-q", tree.dir, "-b", "tree")
	good := tree.read("one/clean/clean.go")
	tree.write("one/clean/clean.go", good+`
func Slow() {
	mu.Lock()
	time.Sleep(time.Second)
	mu.Unlock()
}
`)
	out = tree.run(1, "git", "commit", "-qam", "slow")
	finding(out, "one/clean/clean.go:14:2: ")
	tree.write("one/clean/clean.go", good+"\nfunc Quick() {}\n")
	tree.git("add", "-A")
	// What is not staged is put aside for the hook.
	tree.write("one/clean/clean.go", good+"\nfunc Quick() { mu.Lock(); time.Sleep(time.Second); mu.Unlock() }\n")
	tree.git("commit", "-qm", "quick")
	if !strings.Contains(tree.read("one/clean/clean.go"), "mu.Lock(); time.Sleep") {
		t.Error("what was not staged is lost")
	}
	tree.git("checkout", "-q", ".")
	// A file that goes is not named to the hook, and need not be.
	tree.git("rm", "-q", "one/clean/clean.go")
	tree.git("commit", "-qm", "gone")
}
