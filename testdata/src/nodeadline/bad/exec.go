package bad

import (
	"context"
	"os/exec"
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
