//go:build unix

package equiv

import (
	"bytes"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
)

// runGroup runs a command in a process group of its own, so that the end of its context also
// ends its children, which a program that is a script has. Signals from the terminal do not
// reach that group: when one comes, the group is killed, clean is called, and this process gets
// the signal again.
func runGroup(cmd *exec.Cmd, clean func()) ([]byte, error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	signals, done := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	defer func() {
		signal.Stop(signals)
		close(done)
	}()
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		select {
		case s := <-signals:
			_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
			clean()
			// From here on the signal has its usual effect.
			signal.Stop(signals)
			_ = syscall.Kill(os.Getpid(), s.(syscall.Signal))
		case <-done:
		}
	}()
	err := cmd.Wait()
	return out.Bytes(), err
}
