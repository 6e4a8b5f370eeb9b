//go:build unix

package cli

import (
	"os/exec"
	"syscall"
)

// group keeps a program from the signals of the terminal, which are for etch to
// judge, and makes the end of its context end its children too.
func group(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

// signalled reports whether a signal ended a program, as that of a machine without
// memory does.
func signalled(err *exec.ExitError) bool {
	status, ok := err.Sys().(syscall.WaitStatus)
	return ok && status.Signaled()
}
