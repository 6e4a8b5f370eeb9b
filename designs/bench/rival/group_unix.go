//go:build unix

package rival

import (
	"os/exec"
	"syscall"
)

// group makes the end of a command's context end its children too: a make that
// is killed alone leaves its compilers running.
func group(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
