//go:build unix

package env

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestChildrenEnd: what an environment has started ends with it when its time is over.
func TestChildrenEnd(t *testing.T) {
	at := filepath.Join(t.TempDir(), "pid")
	t.Setenv("ETCH_TEST_PID", at)
	e, err := open(t, hello, "child")
	require.NoError(t, err)
	_, err = e.Reset(1)
	require.ErrorContains(t, err, "no answer in 500ms")
	text, err := os.ReadFile(at)
	require.NoError(t, err)
	pid, err := strconv.Atoi(string(text))
	require.NoError(t, err)

	// Its parent is gone: whoever adopts it may leave it as a zombie, which is dead too.
	gone := func() bool {
		if syscall.Kill(pid, 0) != nil {
			return true
		}
		stat, err := os.ReadFile("/proc/" + string(text) + "/stat")
		return err == nil && strings.Contains(string(stat), ") Z ")
	}
	if !assertSoon(gone) {
		syscall.Kill(pid, syscall.SIGKILL)
		t.Fatalf("the child %d lives on", pid)
	}
}

func assertSoon(is func() bool) bool {
	for range 50 {
		if is() {
			return true
		}
		time.Sleep(20 * time.Millisecond)
	}
	return false
}

// TestStop: an answer is not waited for after the limits' Stop.
func TestStop(t *testing.T) {
	t.Setenv("ETCH_TEST_ENV", hello+"\nstall")
	stop := make(chan struct{})
	e, err := Open(`"`+os.Args[0]+`" x`, Limits{Answer: time.Minute, Stop: stop})
	require.NoError(t, err)
	defer e.Close()
	time.AfterFunc(50*time.Millisecond, func() { close(stop) })
	begin := time.Now()
	_, err = e.Reset(1)
	require.ErrorIs(t, err, context.Canceled)
	var failure *Failure
	require.ErrorAs(t, err, &failure)
	require.Less(t, time.Since(begin), 20*time.Second)
}
