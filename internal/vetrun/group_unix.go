//go:build unix

package vetrun

import (
	"os/exec"
	"syscall"
	"time"
)

// group makes cmd the leader of a process group, and its end that of the group.
// The go command handles no signal during vet: ended alone, it leaves what it has
// started running. Nothing is lost: the build cache is made for it.
func group(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	endWithParent(cmd.SysProcAttr)
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
}

// endGroup ends what is left of the group of cmd, which has ended itself, and
// waits for it. Where nobody collects dead processes they look alive, so it does
// not wait for long.
func endGroup(cmd *exec.Cmd) {
	if cmd.Process == nil {
		return
	}
	for range 25 {
		if syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) != nil {
			return // there is no such group any more
		}
		time.Sleep(10 * time.Millisecond)
	}
}
