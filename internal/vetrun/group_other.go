//go:build !unix

package vetrun

import "os/exec"

// group ends cmd at once; what it has started ends by itself, or by the same
// Ctrl-C of the console.
func group(cmd *exec.Cmd) { cmd.Cancel = func() error { return cmd.Process.Kill() } }

func endGroup(*exec.Cmd) {}
