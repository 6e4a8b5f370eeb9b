//go:build !unix

package equiv

import "os/exec"

func runGroup(cmd *exec.Cmd, clean func()) ([]byte, error) { return cmd.CombinedOutput() }
