//go:build unix

package rltool

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestInterruptedStall: a signal ends a training though its environment does not answer, and the
// run is kept.
func TestInterruptedStall(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("ETCH_TEST_TASK", "stalls")
	stop := make(chan struct{})
	defer close(stop)
	time.AfterFunc(3*time.Second, func() {
		select {
		case <-stop: // the training ended otherwise: a signal would end the test
		default:
			syscall.Kill(os.Getpid(), syscall.SIGINT)
		}
	})
	begin := time.Now()
	code, _, errs := etch(t, "train", "dqn", "-env", `"`+os.Args[0]+`" x`, "-env-time", "40s", "-steps", "100", "-save", filepath.Join(dir, "run"), "-o", filepath.Join(dir, "p.json"))
	require.Equal(t, 130, code, errs)
	require.Less(t, time.Since(begin), 30*time.Second)
	require.FileExists(t, filepath.Join(dir, "run"))
	require.NoFileExists(t, filepath.Join(dir, "p.json"))
}
