//go:build unix

package env

import (
	"os/exec"
	"syscall"
)

// group gives a process a group of its own: children are ended with it, and the signals of the
// terminal are for etch to judge.
func group(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// kill ends a process and its children.
func kill(cmd *exec.Cmd) { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
