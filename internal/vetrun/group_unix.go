//go:build unix

package vetrun

import (
	"os/exec"
	"syscall"
)

// group makes cmd the leader of a process group and its end that of the group.
// Nothing is lost: the build cache is made for it.
func group(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	endWithParent(cmd.SysProcAttr)
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
}
