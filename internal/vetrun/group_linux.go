package vetrun

import "syscall"

// endWithParent ends the go command when this process is killed and can end
// nothing any more. The kernel looks at the thread that started it, and threads
// of a Go program stay unless a goroutine that is locked to one ends.
func endWithParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGTERM }
