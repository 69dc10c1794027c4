// Package tools is run by a person, who can interrupt it.
package tools

import "os/exec"

func build(dir, target string) error {
	cmd := exec.Command("go", "build", "-o", target, dir)
	return cmd.Run() // want `waits for a process that nothing kills`
}
