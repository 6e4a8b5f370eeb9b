//go:build unix

package equiv

import (
	"os/exec"
	"syscall"
)

// endGroup has the end of a command's context end its children too, which a program that
// is a script has. A signal from the terminal does not reach them then: the context's
// limit of time does.
func endGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
