//go:build unix

package vetrun

import (
	"os/exec"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

// group makes cmd the leader of a process group, and its end that of the group.
// The go command handles no signal during vet: ended alone, it leaves what it has
// started running. Nothing is lost: the build cache is made for it.
//
// Such a group is in the background of a terminal. What asks there, as git and
// ssh may for the password of a private module, would be stopped for good.
func group(cmd *exec.Cmd) {
	neverStopped()
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	endWithParent(cmd.SysProcAttr)
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
}

// neverStopped makes a question to the terminal an error in what is started.
var neverStopped = sync.OnceFunc(func() { signal.Ignore(syscall.SIGTTIN, syscall.SIGTTOU) })

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
