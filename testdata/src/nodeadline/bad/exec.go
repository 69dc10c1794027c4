package bad

import (
	"bufio"
	"bytes"
	"context"
	"os/exec"
	"strings"
	"sync"
)

func scriptBad(script string) error {
	return exec.Command("sh", "-c", script).Run() // want `\(\*exec\.Cmd\)\.Run waits for a process that nothing kills.*\[nodeadline/exec\]`
}

// The context that would kill it never ends.
func commandContextBad(name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(context.Background(), name, args...)
	return cmd.CombinedOutput() // want `\(\*exec\.Cmd\)\.CombinedOutput waits for a process.*exec`
}

// The command is made by a helper.
func command(plugin string) *exec.Cmd { return exec.Command(plugin, "serve") }

func pluginBad(plugin string) ([]byte, error) {
	return command(plugin).Output() // want `exec`
}

type runner struct {
	mu  sync.Mutex
	dir string
}

func (r *runner) runBad(name string, args []string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	cmd := exec.Command(name, args...)
	cmd.Dir = r.dir
	return cmd.Run() // want `exec`
}

// The command is known, what it talks to is not: its verb comes from the callers
// of a helper.
type clone struct{ dir, url string }

func (c *clone) gitBad(args ...string) ([]byte, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = c.dir
	return cmd.CombinedOutput() // want `\(\*exec\.Cmd\)\.CombinedOutput waits for a process.*exec`
}

func (c *clone) update(branch string) error {
	if _, err := c.gitBad("status"); err != nil {
		return err
	}
	_, err := c.gitBad("pull", "--ff-only", c.url, branch)
	return err
}

func (c *clone) cloneBad() error {
	return exec.Command("/usr/bin/git", "-C", c.dir, "clone", c.url).Run() // want `exec`
}

func copyBad(from, to string) error {
	return exec.Command("rsync", "-a", from, to).Run() // want `exec`
}

func thumbnailBad(in, out string) error {
	return exec.Command("ffmpeg", "-i", in, out).Run() // want `exec`
}

// Run in parts: the output is read line by line, and the process waited for.
func streamBad(tool string, line func(string)) error {
	cmd := exec.Command(tool)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		line(lines.Text())
	}
	return cmd.Wait() // want `\(\*exec\.Cmd\)\.Wait waits for a process that nothing kills.*exec`
}

func partsBad(tool string, in []byte) (string, error) {
	var out bytes.Buffer
	cmd := exec.Command(tool)
	cmd.Stdin, cmd.Stdout = bytes.NewReader(in), &out
	if err := cmd.Start(); err != nil {
		return "", err
	}
	err := cmd.Wait() // want `exec`
	return out.String(), err
}

// One of the lines of a list talks, and so does one with a verb behind an option.
func eachBad(url, ref string) error {
	for _, args := range [][]string{{"init"}, {"fetch", url}, {"checkout", ref}} {
		if err := exec.Command("git", args...).Run(); err != nil { // want `exec`
			return err
		}
	}
	return nil
}

func appendedBad(dir string, refs []string) error {
	return exec.Command("git", append([]string{"-C", "/srv/mirror", "push"}, refs...)...).Run() // want `exec`
}

// One of the callers of a helper talks.
func run(name string, args ...string) error {
	return exec.Command(name, args...).Run() // want `exec`
}

func callersBad(url string) error {
	if err := run("uname", "-a"); err != nil {
		return err
	}
	return run("curl", "-s", url)
}

// A shell splits its line itself.
func splitBad(script string) error {
	split := strings.Fields("sh -c " + script)
	return exec.Command(split[0], split[1:]...).Run() // want `exec`
}
