//go:build !unix

package equiv

import "os/exec"

// runGroup runs a command and returns its output.
func runGroup(cmd *exec.Cmd, clean func()) ([]byte, error) { return cmd.CombinedOutput() }
