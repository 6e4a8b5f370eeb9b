//go:build unix

package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"etch/testbench/equiv"
)

// TestProgress: a line comes after a while and is cleared; a file that is no terminal
// gets none.
func TestProgress(t *testing.T) {
	var w locked
	said := func(what string) {
		t.Helper()
		require.Eventually(t, func() bool { w.Lock(); defer w.Unlock(); return strings.Contains(w.Buffer.String(), what) }, 5*time.Second, time.Millisecond)
	}
	p := newProgress(&w, "yosys reads a.v", time.Millisecond)
	said("\r\x1b[Kyosys reads a.v: ")
	p.Count(3, 7, "files")
	said("ms, 3 of 7 files")
	p.Count(3, 0, "files")
	said("ms, 3 files")
	p.Now("reads again")
	said("\r\x1b[Kreads again: ")

	// Output clears the line, which waits for the end of the output's own.
	out := p.Through(&w)
	fmt.Fprint(out, "begin ")
	time.Sleep(5 * time.Millisecond)
	fmt.Fprintln(out, "end")
	said("\r\x1b[Kbegin end\n")
	p.End()
	p.End()
	require.True(t, strings.HasSuffix(w.Buffer.String(), "\r\x1b[K") || strings.HasSuffix(w.Buffer.String(), "end\n"))

	// The silent one.
	var none *Progress
	none.Count(1, 2, "x")
	none.Now("x")
	none.Done("x")
	none.End()
	require.Same(t, &w, none.Through(&w))

	f, err := os.Create(filepath.Join(t.TempDir(), "x"))
	require.NoError(t, err)
	defer f.Close()
	progress(f, "x")()
	require.Equal(t, "a, b, c and 2 other files", shortList([]string{"a", "b", "c", "d", "e"}))
}

// TestStageText: a proof's line tells as much as is known.
func TestStageText(t *testing.T) {
	require.Empty(t, stageText(equiv.Stage{}))
	require.Equal(t, "step 5 of 20, ", stageText(equiv.Stage{Step: 5, Depth: 20}))
	require.Equal(t, "2 of 7 assertions, step 5 of 20, ", stageText(equiv.Stage{Done: 2, All: 7, Step: 5, Depth: 20}))
}

// TestTerminated: a polite kill and the end of the terminal end yosys with its
// children, and remove what was written, as Ctrl-C does.
func TestTerminated(t *testing.T) {
	dir := t.TempDir()
	temp, pid, file := filepath.Join(dir, "tmp"), filepath.Join(dir, "pid"), filepath.Join(dir, "m.v")
	require.NoError(t, os.Mkdir(temp, 0o777))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "yosys"), []byte("#!/bin/sh\ncase $1 in -V|--version) echo Yosys 0.23; exit;; esac\nsleep 60 &\necho $! >"+pid+"\nwait\n"), 0o777))
	require.NoError(t, os.WriteFile(file, []byte("module top(input a); endmodule\n"), 0o666))
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	t.Setenv("TMPDIR", temp)
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT} {
		var errs locked
		code := make(chan int)
		go func() {
			code <- App{Commands: []Command{ImportCommand}}.Run([]string{"import", file, "-o", dir}, Output{&errs, &errs})
		}()
		var child string
		require.Eventually(t, func() bool {
			text, err := os.ReadFile(pid)
			child = strings.TrimSpace(string(text))
			return err == nil && child != ""
		}, 20*time.Second, time.Millisecond)
		require.NoError(t, syscall.Kill(os.Getpid(), sig))
		require.Equal(t, 130, <-code)
		require.Contains(t, errs.String(), "was interrupted")
		left, err := os.ReadDir(temp)
		require.NoError(t, err)
		require.Empty(t, left)
		require.Eventually(t, func() bool {
			state, err := os.ReadFile("/proc/" + child + "/stat")
			return err != nil || strings.Contains(string(state), ") Z ")
		}, 5*time.Second, time.Millisecond, "the child goes on")
		require.NoError(t, os.Remove(pid))
	}
}
