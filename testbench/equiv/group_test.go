//go:build unix

package equiv

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestGroupEnds: when the context of a script ends its children end too.
func TestGroupEnds(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pid")
	ctx, cancel := context.WithCancel(t.Context())
	cmd := exec.CommandContext(ctx, "sh", "-c", "sleep 1000 & echo $! > "+file+".new; mv "+file+".new "+file+"; wait")
	cmd.WaitDelay = time.Minute
	go func() {
		for {
			if _, err := os.Stat(file); err == nil {
				cancel()
				return
			}
			time.Sleep(time.Millisecond)
		}
	}()
	_, err := runGroup(cmd, func() {})
	require.Error(t, err)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	require.NoError(t, err)

	// The signal may still be on its way, and nobody may have waited for the child yet.
	require.Eventually(t, func() bool {
		state, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
		return err != nil && syscall.Kill(pid, 0) == syscall.ESRCH || strings.Contains(string(state), ") Z ")
	}, time.Minute, time.Millisecond)
}
